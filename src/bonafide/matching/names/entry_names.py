"""Parse the names of an entry and their parts, for comparison with a query.

Each parsed name has its kind and the factor of a match on it. `business_name_comparison` compares names.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from bonafide.i18n.message import Message
from bonafide.matching.names.name_parts import PartKind
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.names.normalized_parts import normalize_parts
from bonafide.matching.scoring import score_parameters
from bonafide.model.entry import BusinessEntry, RegistryEntry

_FORMER_NAME, _ALTERNATE_NAME = Message("former name"), Message("alternate name")
_PARTS: Mapping[PartKind, tuple[Message | None, float]] = MappingProxyType({
    PartKind.WHOLE: (None, 1.0),
    PartKind.LEGAL: (Message("legal part of the name"), score_parameters.LEGAL_PART),
    PartKind.TRADING: (Message("trading name"), score_parameters.TRADING_PART),
    PartKind.LANGUAGE: (Message("one language of a bilingual name"), score_parameters.LANGUAGE_PART),
    PartKind.FORMER: (_FORMER_NAME, score_parameters.FORMER_NAME),
})  # fmt: skip
"""The label and the factor of each part."""


class ParsedName(NamedTuple):
    """A whole name, or a part that may be used in its place.

    `text` is the whole name as given; `kind_label` is the kind of name or part ("former name"), None for a whole legal name. The
    score of a match is multiplied by `factor`.
    """

    text: str
    kind_label: Message | None
    factor: float
    normal: NormalName
    is_whole: bool


def parse_name(text: str, kind_label: Message | None = None, factor: float = 1.0) -> list[ParsedName]:
    """The name, followed by its parts if it has several: "123456 Ontario Inc. o/a Orla's Pizza", "Acme Bakery / Boulangerie Acme".

    A match on a part scores slightly less; its reason names the part ("trading name: same name").
    """
    return _parse_stated_names([[_StatedName(text, kind_label, factor)]])[0]


def parse_entry_names(entry: RegistryEntry | BusinessEntry) -> list[ParsedName]:
    """Each name of an entry once, the legal one first, each followed by its parts."""
    return parse_names_of_entries([entry])[0]


def parse_names_of_entries(entries: Iterable[RegistryEntry | BusinessEntry]) -> list[list[ParsedName]]:
    """The same for each entry; faster than one by one."""
    return _parse_stated_names([_list_stated_names(entry) for entry in entries])


class _StatedName(NamedTuple):
    """A name as an entry states it, its kind and its factor."""

    text: str
    kind_label: Message | None
    factor: float


def _list_stated_names(entry: RegistryEntry | BusinessEntry) -> list[_StatedName]:
    former = [item.name for item in entry.name_history] if isinstance(entry, RegistryEntry) else []
    names: dict[str, tuple[Message | None, float]] = {entry.legal_name: (None, 1.0)}
    for texts, kind_label, factor in (
        (entry.alternate_names, _ALTERNATE_NAME, 1.0),
        (former, _FORMER_NAME, score_parameters.FORMER_NAME),
    ):
        for text in texts:
            names.setdefault(text, (kind_label, factor))
    return [_StatedName(text, kind_label, factor) for text, (kind_label, factor) in names.items()]


def _parse_stated_names(stated: Sequence[Sequence[_StatedName]]) -> list[list[ParsedName]]:
    """The names of each entry, each followed by its parts."""
    parts = normalize_parts([name.text for names in stated for name in names])
    return [[_parse_part(name, *part) for name in names for part in next(parts)] for names in stated]


def _parse_part(name: _StatedName, kind: PartKind, normal: NormalName) -> ParsedName:
    label, share = _PARTS[kind]
    if name.kind_label is not None:
        label = _join_labels(name.kind_label, label) if label is not None else name.kind_label
    return ParsedName(name.text, label, name.factor * share, normal, kind is PartKind.WHOLE)


@cache
def _join_labels(name: Message, part: Message) -> Message:
    return Message("{name}, {part}", name=name, part=part)
