"""Records of Yukon's register, and the entries that they make, whether the records come from the snapshot or from the search page.

The register gives an entity a new number with a new name and leaves the old record behind as `Changed Name`. Here the two become
one entry again, wherever the records themselves say which belongs to which; it does not guess where two could.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bonafide.model.entity import NameHistoryItem, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import ParseContext

CHANGED_NAME = "Changed Name"
FORMER_NUMBER_LABEL = "Registry Number (former name)"
GOOD_STANDING = {"In Compliance": True, "In Default": False}
"""What lives by yearly filings has these words; a business name or a partnership is just `Active`, and nothing is known of it."""
_REPEAT_MARKS = re.compile(r" ?\*+(?= /|$)")
"""`HONEYWELL LIMITED**`: the register's count of how often a name was entered before, not a part of the name."""
_BILINGUAL = " / "
_MIN_FORM_WORDS = 2
"""One word after the slash is the end of a name that was too long for its line (`… OF CANADA, / LIMITED`)."""


@dataclass(frozen=True, slots=True)
class YukonRecord:
    """One record, its names still with the register's repeat marks: those tell one record from another."""

    number: str
    name: str
    former_name: str | None
    kind: str | None
    home: str | None
    status: str | None


def build_entries(records: Iterable[YukonRecord], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each record that is not the former name of another; all are read before the first entry is yielded.

    Of records with the same number the first counts.
    """
    known: dict[str, YukonRecord] = {}
    for record in records:
        known.setdefault(record.number, record)
    successors = _find_successors(known)
    former: dict[str, list[YukonRecord]] = defaultdict(list)
    for number in successors:
        former[_find_last(number, successors)].insert(0, known[number])
        context.merge()
    for number, record in known.items():
        if number not in successors:
            yield _build_entry(record, former[number], context)


# ------------------------------------------------------------------------------------------------------------ former names


def _find_successors(records: dict[str, YukonRecord]) -> dict[str, str]:
    """The number of each given-up name to that of the record that names it as its former name.

    Names repeat, so a link counts only where exactly one given-up record and exactly one successor of the same kind bear the name.
    """
    given_up: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    renamed: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    for record in records.values():
        if record.status == CHANGED_NAME:
            given_up[record.kind, _normalize_name(record.name)].append(record.number)
        if record.former_name is not None and _normalize_name(record.former_name) != _normalize_name(record.name):
            renamed[record.kind, _normalize_name(record.former_name)].append(record.number)
    links = {old[0]: renamed[key][0] for key, old in given_up.items() if len(old) == 1 and len(renamed[key]) == 1}
    return {old: new for old, new in links.items() if not _is_circular(old, links)}


def _is_circular(number: str, links: dict[str, str]) -> bool:
    """Whether following the links from a number never ends: a name taken back, of which no record is the last."""
    passed = {number}
    while (number := links.get(number, "")) != "":
        if number in passed:
            return True
        passed.add(number)
    return False


def _find_last(number: str, successors: dict[str, str]) -> str:
    while number in successors:
        number = successors[number]
    return number


def _normalize_name(name: str) -> str:
    """A name without case, spaces and punctuation, but with its repeat marks."""
    return re.sub(r"[^\w*]|_", "", name).casefold()


# ------------------------------------------------------------------------------------------------------------ entries


def _build_entry(record: YukonRecord, former: list[YukonRecord], context: ParseContext) -> RegistryEntry:
    label = str(context.metadata.number_label)
    numbers = [RegistrationNumber(label=label, value=record.number)]
    numbers += [RegistrationNumber(label=FORMER_NUMBER_LABEL, value=old.number) for old in former]
    name = _remove_repeat_marks(record.name)
    return RegistryEntry(
        entry_id=record.number,
        jurisdiction=Jurisdiction.YT,
        legal_name=name,
        alternate_names=tuple(_split_languages(name)),
        name_history=_build_history(record, former),
        registration_numbers=tuple(numbers),
        entity_type=record.kind,
        status=record.status,
        status_code=context.status(record.status),
        good_standing=GOOD_STANDING.get(record.status) if record.status is not None else None,
        home_jurisdiction=record.home,
    )


def _build_history(record: YukonRecord, former: list[YukonRecord]) -> tuple[NameHistoryItem, ...]:
    """Every name borne before, each once; the file dates none of them."""
    names: dict[str, str] = {}
    for older in (record, *former):
        for name in (older.name, older.former_name):
            if name is not None:
                names.setdefault(_normalize_name(_remove_repeat_marks(name)), _remove_repeat_marks(name))
    del names[_normalize_name(_remove_repeat_marks(record.name))]
    return tuple(NameHistoryItem(type="former", name=name) for name in names.values())


def _split_languages(name: str) -> list[str]:
    """The English and the French form of a name that is both (`SIEMENS CANADA LIMITED / SIEMENS CANADA LIMITEE`)."""
    forms = list(dict.fromkeys(name.split(_BILINGUAL)))
    return forms if len(forms) > 1 and all(len(form.split()) >= _MIN_FORM_WORDS for form in forms) else []


def _remove_repeat_marks(name: str) -> str:
    return _REPEAT_MARKS.sub("", name) or name
