"""Queries made from the real lists when the test runs: names taken by a seed, disturbed, and kept where a reader could answer.

A query is dropped when it is no longer different from the name, or when by its letters or words it means another entry as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from bonafide.matching.names.normalization import normalise
from bonafide.model.entry import AnyEntry, EntityKind, ListedEntity, SourceKind
from tests.support.realdata.corruptions import DISTURBANCES, Kind
from tests.support.realdata.files import RealData
from tests.support.realdata.name_list import CommonWords, Core, ListedName, NameList, core_of
from tests.support.sampling import WHOLE

SEED = 1867
QUERIES_OF_A_KIND = 20 if WHOLE else 7
"""For each source; fewer where its names offer fewer."""
TRIES = 3_000
"""Names of a source that are tried for a kind; few names have accents."""


@dataclass(frozen=True, slots=True)
class RealQuery:
    """What is asked, and the name of the entry that is to come first."""

    source: str
    kind: Kind
    text: str
    wanted: ListedName

    def is_answered_by(self, names: Iterable[str]) -> bool:
        """Whether an entry with these names is right: one bears the wanted name, with the same legal form where one is asked."""
        return any(self._is_wanted(name) for name in names)

    def _is_wanted(self, name: str) -> bool:
        if core_of(name, is_person=self.wanted.is_person) != self.wanted.core:
            return False
        if self.wanted.is_person:
            return True
        wanted = normalise(self.wanted.text).legal_forms
        return normalise(self.text).legal_forms != wanted or normalise(name).legal_forms == wanted


def queries(real: RealData) -> list[RealQuery]:
    """All queries, the same in every run. Registers are searched together, so their names are judged together."""
    names = {key: _names(key, own) for key, own in real.entries.items()}
    common = CommonWords(chain.from_iterable(names.values()))
    registers = [key for key in names if real.kind(key) is SourceKind.REGISTRY]
    lists = {key: NameList(own, common) for key, own in names.items() if key not in registers}
    lists |= dict.fromkeys(registers, NameList(chain.from_iterable(names[key] for key in registers), common))
    return [query for key, own in real.entries.items() for kind in Kind for query in _queries(key, kind, own, lists[key])]


def _names(key: str, entries: Iterable[AnyEntry]) -> list[ListedName]:
    return [ListedName(_owner(key, entry), name, _is_person(entry)) for entry in entries for name in entry.list_search_names()]


def _owner(key: str, entry: AnyEntry) -> str:
    return f"{key}/{entry.entry_id}"


def _is_person(entry: AnyEntry) -> bool:
    return isinstance(entry, ListedEntity) and entry.entity_type is EntityKind.PERSON


def _queries(key: str, kind: Kind, entries: Sequence[AnyEntry], names: NameList) -> list[RealQuery]:
    chance = Random(f"{SEED} {key} {kind}")  # noqa: S311 - a sample, not a secret
    asked: dict[Core, RealQuery] = {}
    for entry in chance.sample(entries, min(TRIES, len(entries))):
        wanted = ListedName(_owner(key, entry), entry.list_search_names()[0], _is_person(entry))
        text = DISTURBANCES[kind](wanted.text, chance, names)
        if text is not None and _is_fair(kind, text, wanted, names):
            asked.setdefault(wanted.core, RealQuery(key, kind, text, wanted))
        if len(asked) == QUERIES_OF_A_KIND:
            break
    return list(asked.values())


def _is_fair(kind: Kind, text: str, wanted: ListedName, names: NameList) -> bool:
    """Whether the text differs from the name, unless it shall not, and a careful reader of the list would know whose it is."""
    if text == wanted.text and kind is not Kind.AS_REGISTERED:
        return False
    asked, meant = core_of(text, is_person=wanted.is_person), wanted.core
    if asked == meant:
        return True
    if names.means_another(asked, meant):
        return False
    if kind in {Kind.ONE_TYPO, Kind.TWO_TYPOS}:
        return not names.is_as_near_to_another(asked, meant)
    if kind is Kind.NO_GENERIC_WORD:
        return any(map(names.common.is_distinctive, asked)) and not names.is_as_full_a_part_of_another(asked, meant)
    return True
