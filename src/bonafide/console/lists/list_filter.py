"""The filter of a list: declared once for each list, read from and written to addresses, and shown as a form.

Invalid parameters are ignored.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlencode
from uuid import UUID

from bonafide.console.frame.forms import parse_choice, parse_day, parse_uuid, to_midnight
from bonafide.i18n.message import Message
from bonafide.model.lists.saved_views import ListName
from bonafide.model.query import MAX_NAME_CHARACTERS

E = TypeVar("E", bound=StrEnum)
TEXT, SINCE, UNTIL, PERSON, VIEW, CURSOR = "text", "since", "until", "person", "view", "cursor"
NO_VIEW = "none"
"""The value of `view` with which a list opens without its default view."""
_TOKEN = re.compile(r"[\w.-]{1,80}", re.ASCII)
Options = tuple[tuple[str, Message], ...]


_ANY = Message("Any")


@dataclass(frozen=True, slots=True)
class ListChoice:
    """A filter with fixed values: the parameter, its label, and each value with its label. The first option is no filter."""

    name: str
    label: Message
    options: Options
    any_label: Message = _ANY
    groups: tuple[tuple[Message, Options], ...] = ()
    """Further options under headings."""

    @property
    def values(self) -> frozenset[str]:
        """The values that the parameter may have."""
        grouped = (value for _, options in self.groups for value, _ in options)
        return frozenset((*(value for value, _ in self.options), *grouped))


@dataclass(frozen=True, slots=True)
class ListDefinition:
    """A list: its name and address, the label of its filter, and what it is filtered by.

    `references` are parameters with IDs, such as that of a business record, `tokens` those with keys, such as that of a source;
    `page_parameters` are those that select a page.
    """

    name: ListName
    address: str
    label: Message
    text_label: Message | None
    choices: tuple[ListChoice, ...] = ()
    has_days: bool = True
    has_person: bool = False
    references: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    page_parameters: tuple[str, ...] = (CURSOR,)

    def parse(self, query: Mapping[str, str], zone: tzinfo = UTC) -> "ListQuery":
        """Parse the parameters of an address. Days begin in the time zone."""
        # Databases reject NUL, and names have no control characters.
        given = {name: "".join(filter(str.isprintable, text)).strip()[:MAX_NAME_CHARACTERS] for name, text in query.items()}
        values: dict[str, str] = {}
        if self.text_label is not None:
            values[TEXT] = given.get(TEXT, "")
        for choice in self.choices:
            value = given.get(choice.name, "")
            values[choice.name] = value if value in choice.values else ""
        if self.has_days:
            values |= {name: given.get(name, "") if parse_day(given.get(name, "")) is not None else "" for name in (SINCE, UNTIL)}
        if self.has_person:
            values[PERSON] = given.get(PERSON, "")
        values |= {name: given.get(name, "") if parse_uuid(given.get(name, "")) is not None else "" for name in self.references}
        values |= {name: given.get(name, "") if _TOKEN.fullmatch(given.get(name, "")) is not None else "" for name in self.tokens}
        return ListQuery(
            definition=self,
            values={name: value for name, value in values.items() if value != ""},
            page={name: query[name] for name in self.page_parameters if query.get(name)},
            zone=zone,
            view=query.get(VIEW, ""),
        )


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The chosen filter of a list, as text by parameter, the page of the list, and the view that it came from."""

    definition: ListDefinition
    values: Mapping[str, str] = field(default_factory=dict)
    page: Mapping[str, str] = field(default_factory=dict)
    zone: tzinfo = UTC
    view: str = ""

    def get(self, name: str) -> str:
        """The value of a parameter; empty without one."""
        return self.values.get(name, "")

    def get_choice(self, name: str, kind: type[E]) -> E | None:
        """The value as a member of `kind`."""
        return parse_choice(kind, self.get(name))

    def get_flag(self, name: str) -> bool | None:
        """True for `yes`, False for `no`, None for anything else."""
        return {"yes": True, "no": False}.get(self.get(name))

    def get_reference(self, name: str) -> UUID | None:
        """The value as an ID."""
        return parse_uuid(self.get(name))

    @property
    def text(self) -> str | None:
        """The searched text; None without any."""
        return self.values.get(TEXT)

    @property
    def person(self) -> str | None:
        """Who; None for anybody."""
        return self.values.get(PERSON)

    @property
    def since(self) -> datetime | None:
        """The beginning of the first day."""
        day = parse_day(self.get(SINCE))
        return to_midnight(day, self.zone) if day is not None else None

    @property
    def until(self) -> datetime | None:
        """The end of the last day, which is included."""
        day = parse_day(self.get(UNTIL))
        return to_midnight(day + timedelta(days=1), self.zone) if day is not None and day < date.max else None

    @property
    def cursor(self) -> str | None:
        """The cursor of the page; None for the first one."""
        return self.page.get(CURSOR)

    @property
    def is_first(self) -> bool:
        """Whether no page is selected."""
        return not self.page

    @property
    def is_narrow(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.values)

    @property
    def has_more(self) -> bool:
        """Whether anything but the text is filtered."""
        return any(name != TEXT for name in self.values)

    @property
    def query(self) -> str:
        """The filter as the query of an address, without the page."""
        return urlencode(self.values)

    @property
    def address(self) -> str:
        """The address of the current page."""
        return self.build_address(**self.page)

    @property
    def list_address(self) -> str:
        """The address of the first page."""
        return self.build_address()

    @property
    def all_address(self) -> str:
        """The address of the list without a filter."""
        return f"{self.definition.address}?{VIEW}={NO_VIEW}"

    def build_address(self, **further: object) -> str:
        """The address of the first page with further parameters; those that are None are left out."""
        kept = {VIEW: self.view} if self.view else {}
        given = {**self.values, **kept, **{name: value for name, value in further.items() if value is not None}}
        return f"{self.definition.address}?{urlencode(given)}" if given else self.definition.address

    def build_export_address(self, form: str) -> str:
        """The address of the filtered list as a file."""
        return f"/console/exports/{self.definition.name}.{form}{'?' if self.values else ''}{self.query}"
