"""Parse the parts of the registry's documents: addresses, former names, and people with roles.

Access to keys is strict: a missing key is an error.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entity import Address, NameHistoryItem, Person, RoleDetail
from bonafide.sources.formats.delimited_text import build_address_from_line, normalize_whitespace
from bonafide.sources.framework.context import ParseContext

DAY = len("2001-04-17")
"""The length of the date in an instant, which is in the registry's local time."""


@dataclass(frozen=True, slots=True)
class DocumentFields:
    """An object of a document, which errors name `document`. Keys may be null but not missing."""

    document: str
    values: dict[str, Any]

    @classmethod
    def of(cls, data: object, document: str) -> "DocumentFields":
        """Wrap an object. Raises `ParseFailed` for anything else."""
        if not isinstance(data, dict):
            raise ParseFailed(Message("{document}: an object is expected", document=document))
        return cls(document, data)

    def text(self, key: str) -> str | None:
        """A text with its white space collapsed; None if it is null or blank."""
        return normalize_whitespace(self._value(key, str))

    def need(self, key: str) -> str:
        """A required text."""
        text = self.text(key)
        if text is None:
            raise ParseFailed(Message("{document}: {field} is empty", document=self.document, field=key))
        return text

    def day(self, key: str) -> date | None:
        """The date of an instant (`2001-04-17T00:00:00`)."""
        text = self.text(key)
        try:
            return date.fromisoformat(text[:DAY]) if text is not None else None
        except ValueError as error:
            sentence = Message("{document}: {field} is not a date: '{text}'", document=self.document, field=key, text=str(text))
            raise ParseFailed(sentence) from error

    def optional_day(self, key: str) -> date | None:
        """The same for an optional key."""
        return self.day(key) if key in self.values else None

    def flag(self, key: str) -> bool:
        """Yes or no; null is no."""
        return bool(self._value(key, bool))

    def part(self, key: str) -> "DocumentFields | None":
        """A nested object; None if it is null."""
        value = self._value(key, dict)
        return DocumentFields(f"{self.document}.{key}", value) if value is not None else None

    def _value(self, key: str, kind: type) -> Any:
        if key not in self.values:
            raise ParseFailed(Message("{document}: {field} is missing", document=self.document, field=key))
        value = self.values[key]
        if value is not None and not isinstance(value, kind):
            raise ParseFailed(
                Message("{document}: {field} is not of type {type}", document=self.document, field=key, type=kind.__name__)
            )
        return value


def build_address(fields: DocumentFields | None) -> Address | None:
    """The address in one line; None if the line states that there is none."""
    line = fields.text("addressOneLine") if fields is not None else None
    # "********NO ADDRESS DETAILS*******", alone or between commas.
    return build_address_from_line(line) if line is not None and "NO ADDRESS DETAILS" not in line.upper() else None


def former_names(names: Iterable[DocumentFields], current: str) -> Iterator[NameHistoryItem]:
    """Every name on file except the current one."""
    for name in names:
        text = name.need("name")
        start, end = name.day("effectiveFrom"), name.optional_day("effectiveTo")
        if text != current or end is not None:
            yield NameHistoryItem(type="former", name=text, effective_date=start, end_date=end)


def build_people(related: Iterable[DocumentFields], words: ParseContext) -> Iterator[Person]:
    """The persons and firms that are currently related to the business, each once with all roles and addresses."""
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
