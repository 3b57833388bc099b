"""The parts of the registry's documents: strict access to their keys, addresses, former names, and people with roles.

It asks nothing, and it repairs nothing: a key that is missing is an error that names it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.model.entity import Address, NameHistoryItem, Person, RoleDetail
from bonafide.sources.formats.delimited_text import build_address_from_line, normalize_whitespace
from bonafide.sources.framework.context import ParseContext

DAY = len("2001-04-17")
"""Characters of a time that are its day, by the registry's own clock."""


@dataclass(frozen=True, slots=True)
class DocumentFields:
    """An object of a document; `document` is what errors call it. A key that may be null must still be there."""

    document: str
    values: dict[str, Any]

    @classmethod
    def of(cls, data: object, document: str) -> "DocumentFields":
        """Raises `ParseFailed` for what is not an object."""
        if not isinstance(data, dict):
            raise ParseFailed(f"{document}: not an object where one was expected")
        return cls(document, data)

    def text(self, key: str) -> str | None:
        """A text with white space squeezed; None when it is null or blank."""
        return normalize_whitespace(self._value(key, str))

    def need(self, key: str) -> str:
        """A text that has to be there."""
        text = self.text(key)
        if text is None:
            raise ParseFailed(f"{self.document}: {key} is empty")
        return text

    def day(self, key: str) -> date | None:
        """The day of a time (`2001-04-17T00:00:00`)."""
        text = self.text(key)
        try:
            return date.fromisoformat(text[:DAY]) if text is not None else None
        except ValueError as error:
            raise ParseFailed(f"{self.document}: {key} is not a date: {text!r}") from error

    def optional_day(self, key: str) -> date | None:
        """The same for a key that a document may be without."""
        return self.day(key) if key in self.values else None

    def flag(self, key: str) -> bool:
        """Yes or no; null is no."""
        return bool(self._value(key, bool))

    def part(self, key: str) -> "DocumentFields | None":
        """An object inside; None when it is null."""
        value = self._value(key, dict)
        return DocumentFields(f"{self.document}.{key}", value) if value is not None else None

    def _value(self, key: str, kind: type) -> Any:
        if key not in self.values:
            raise ParseFailed(f"{self.document}: {key} is missing")
        value = self.values[key]
        if value is not None and not isinstance(value, kind):
            raise ParseFailed(f"{self.document}: {key} is not of the known kind ({kind.__name__})")
        return value


def build_address(fields: DocumentFields | None) -> Address | None:
    """An address, which the registry has in one line; None where the line only says that there is none."""
    line = fields.text("addressOneLine") if fields is not None else None
    # "********NO ADDRESS DETAILS*******", alone or between commas.
    return build_address_from_line(line) if line is not None and "NO ADDRESS DETAILS" not in line.upper() else None


def former_names(names: Iterable[DocumentFields], current: str) -> Iterator[NameHistoryItem]:
    """Every name on file but the one that is borne now, which is among them."""
    for name in names:
        text = name.need("name")
        start, end = name.day("effectiveFrom"), name.optional_day("effectiveTo")
        if text != current or end is not None:
            yield NameHistoryItem(type="former", name=text, effective_date=start, end_date=end)


def build_people(related: Iterable[DocumentFields], words: ParseContext) -> Iterator[Person]:
    """Who is related to the business today, persons and firms, each once with all roles and addresses."""
    roles: dict[str, dict[str, None]] = {}
    addresses: dict[str, dict[Address, None]] = {}
    for relationship in related:
        name, role = relationship.need("entityRegName"), relationship.need("relationshipTypeDesc")
        address, ended = build_address(relationship.part("entityRegAddress")), relationship.optional_day("effectiveTo")
        if ended is not None:
            continue
        roles.setdefault(name, {})[role] = None
        addresses.setdefault(name, {}).update({address: None} if address is not None else {})
    for name, held in roles.items():
        details = tuple(RoleDetail(category=words.role(role), label=role) for role in held)
        yield Person(name=name, roles=tuple(held), role_details=details, addresses=tuple(addresses[name]))
