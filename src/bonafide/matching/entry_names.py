"""The names that an entry bears, and the parts of each, read once: what a query is compared with.

It tells what each name is and what a match on it is worth; how alike it is to another is `business_names`' matter.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bonafide.matching import features
from bonafide.matching.name_parts import PartKind, name_parts
from bonafide.matching.names import NormalName, normalise
from bonafide.model.entry import BusinessEntry, RegistryEntry

_PARTS: Mapping[PartKind, tuple[str, float]] = MappingProxyType({
    PartKind.WHOLE: ("", 1.0),
    PartKind.LEGAL: ("legal part of the name", features.LEGAL_PART),
    PartKind.TRADING: ("trading name", features.TRADING_PART),
    PartKind.LANGUAGE: ("one language of a name in two", features.LANGUAGE_PART),
    PartKind.FORMER: ("former name", features.FORMER_NAME),
})  # fmt: skip
"""How each part is called, and what its score is multiplied with."""


@dataclass(frozen=True, slots=True)
class ReadName:
    """A whole name, or the part of one that may stand for it.

    `text` is the whole name as given, `said` what kind of name or part it is ("former name"), empty for a whole legal name;
    a score of it is multiplied with `factor`.
    """

    text: str
    said: str
    factor: float
    normal: NormalName
    is_whole: bool


def read_name(text: str, said: str = "", factor: float = 1.0) -> list[ReadName]:
    """The name, and its parts where it has several: "123456 Ontario Inc. o/a Orla's Pizza", "Acme Bakery / Boulangerie Acme".

    A part stands for the whole at a small loss; the reason says which it was ("trading name: same name").
    """
    read = []
    for part in name_parts(text):
        what, share = _PARTS[part.kind]
        told = ": ".join(filter(None, (said, what)))
        read.append(ReadName(text, told, factor * share, normalise(part.text), part.kind is PartKind.WHOLE))
    return read


def names_of(entry: RegistryEntry | BusinessEntry) -> list[ReadName]:
    """Each name of an entry once, the legal one first, each followed by its parts."""
    former = [item.name for item in entry.name_history] if isinstance(entry, RegistryEntry) else []
    names = dict.fromkeys([entry.legal_name], ("", 1.0))
    for texts, said, factor in ((entry.alternate_names, "alternate name", 1.0), (former, "former name", features.FORMER_NAME)):
        for text in texts:
            names.setdefault(text, (said, factor))
    return [read for text, (said, factor) in names.items() for read in read_name(text, said, factor)]
