"""The names that an entry bears, and the parts of each, read once: what a query is compared with.

It tells what each name is and what a match on it is worth; how alike it is to another is `business_names`' matter.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bonafide.matching.names.name_parts import NamePart, PartKind, split_name_parts
from bonafide.matching.names.normalization import NormalName, normalise_all
from bonafide.matching.scoring import score_parameters
from bonafide.model.entry import BusinessEntry, RegistryEntry

_PARTS: Mapping[PartKind, tuple[str, float]] = MappingProxyType({
    PartKind.WHOLE: ("", 1.0),
    PartKind.LEGAL: ("legal part of the name", score_parameters.LEGAL_PART),
    PartKind.TRADING: ("trading name", score_parameters.TRADING_PART),
    PartKind.LANGUAGE: ("one language of a name in two", score_parameters.LANGUAGE_PART),
    PartKind.FORMER: ("former name", score_parameters.FORMER_NAME),
})  # fmt: skip
"""How each part is called, and what its score is multiplied with."""


class ParsedName(NamedTuple):
    """A whole name, or the part of one that may stand for it.

    `text` is the whole name as given, `kind_label` what kind of name or part it is ("former name"), empty for a whole legal name;
    a score of it is multiplied with `factor`.
    """

    text: str
    kind_label: str
    factor: float
    normal: NormalName
    is_whole: bool


def parse_name(text: str, kind_label: str = "", factor: float = 1.0) -> list[ParsedName]:
    """The name, and its parts where it has several: "123456 Ontario Inc. o/a Orla's Pizza", "Acme Bakery / Boulangerie Acme".

    A part stands for the whole at a small loss; the reason says which it was ("trading name: same name").
    """
    return _parse_stated_names([[_StatedName(text, kind_label, factor)]])[0]


def parse_entry_names(entry: RegistryEntry | BusinessEntry) -> list[ParsedName]:
    """Each name of an entry once, the legal one first, each followed by its parts."""
    return parse_names_of_entries([entry])[0]


def parse_names_of_entries(entries: Iterable[RegistryEntry | BusinessEntry]) -> list[list[ParsedName]]:
    """The same of each entry, which for many of them is cheaper at once."""
    return _parse_stated_names([_list_stated_names(entry) for entry in entries])


class _StatedName(NamedTuple):
    """A name as an entry states it, what kind of name it is, and what a match on it is worth."""

    text: str
    kind_label: str
    factor: float


def _list_stated_names(entry: RegistryEntry | BusinessEntry) -> list[_StatedName]:
    former = [item.name for item in entry.name_history] if isinstance(entry, RegistryEntry) else []
    names = dict.fromkeys([entry.legal_name], ("", 1.0))
    for texts, kind_label, factor in (
        (entry.alternate_names, "alternate name", 1.0),
        (former, "former name", score_parameters.FORMER_NAME),
    ):
        for text in texts:
            names.setdefault(text, (kind_label, factor))
    return [_StatedName(text, kind_label, factor) for text, (kind_label, factor) in names.items()]


def _parse_stated_names(stated: Sequence[Sequence[_StatedName]]) -> list[list[ParsedName]]:
    """The names of each entry, each followed by its parts."""
    parts = [[(name, part) for name in names for part in split_name_parts(name.text)] for names in stated]
    normal = iter(normalise_all([part.text for of_one in parts for _, part in of_one]))
    return [[_parse_part(name, part, next(normal)) for name, part in of_one] for of_one in parts]


def _parse_part(name: _StatedName, part: NamePart, normal: NormalName) -> ParsedName:
    what, share = _PARTS[part.kind]
    told = f"{name.kind_label}: {what}" if name.kind_label and what else name.kind_label or what
    return ParsedName(name.text, told, name.factor * share, normal, part.kind is PartKind.WHOLE)
