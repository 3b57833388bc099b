"""How every document is spelled: camelCase on the wire, frozen in memory, closed to unknown fields.

This is the only place that decides the spelling and the null-or-absent rule; no endpoint renames a field.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, PlainSerializer, WithJsonSchema, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from bonafide.i18n.message import COLLECTED, TRANSLATE, Message, Translate, dump_messages, load_messages

FIELD = "field"
"""In the context of a validation error that concerns several fields: the wire name of the one to correct."""
FIELDS = "fields"
"""In the same context: the wire names of all fields that have the problem, where it has several."""
MESSAGE = "message"
"""In the context of a validation error: its message."""


def create_field_error(field: str, message: Message) -> PydanticCustomError:
    """The error of a validator of the whole document; `field` is the wire name of the field to correct."""
    return PydanticCustomError("invalid_field", "{message}", {FIELD: field, MESSAGE: message})


def create_fields_error(fields: Sequence[str], message: Message) -> PydanticCustomError:
    """The same for several fields that have one problem; their order is that of the error's details."""
    return PydanticCustomError("invalid_field", "{message}", {FIELD: fields[0], FIELDS: tuple(fields), MESSAGE: message})


class Document(BaseModel):
    """Base of every value that is stored or sent. Build it with Python names, read and write it in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="forbid", ser_json_inf_nan="null")

    def to_json(self, translate: Translate | None = None) -> str:
        """The wire form; its messages in English, or as `translate` writes them."""
        return self._dump({TRANSLATE: translate} if translate is not None else None)

    def to_stored(self) -> "StoredDocument":
        """The wire form in English, and beside it what is needed to write its messages in another language."""
        collected: dict[str, Message] = {}
        body = self._dump({COLLECTED: collected})
        return StoredDocument(body, dump_messages(collected))

    def _dump(self, context: dict[str, Any] | None) -> str:
        return self.model_dump_json(by_alias=True, context=context)


DocumentT = TypeVar("DocumentT", bound=Document)


class StoredDocument(NamedTuple):
    """A document as the database has it: its JSON as clients receive it, and its messages (`dump_messages`).

    `messages` is None for a document without any, and for those that earlier releases stored: they stay in English.
    """

    body: str
    messages: str | None = None

    def parse(self, kind: type[DocumentT]) -> DocumentT:
        """The document with its messages."""
        return kind.model_validate_json(self.body, context=load_messages(self.messages))

    def write(self, kind: type[Document], translate: Translate | None) -> str:
        """The wire form; in English, without `translate`, that is the stored text."""
        return self.body if translate is None else self.parse(kind).to_json(translate)

    def to_text(self) -> str:
        """Both in one text of two lines, for a column of its own."""
        return self.body if self.messages is None else f"{self.body}\n{self.messages}"

    @classmethod
    def from_text(cls, text: str) -> "StoredDocument":
        """The document of a text that `to_text` returned."""
        body, _, messages = text.partition("\n")
        return cls(body, messages or None)


_to_wire_name = cache(to_camel)


class BackwardCompatibleDocument(Document):
    """A document that has more fields than in earlier releases, whose stored ones are still read.

    `missing` has the Python names of the fields that they lack, with the values that they are read with.
    Only what reads a document is helped; its schema says that the fields are there, and code has to give them.
    """

    missing: ClassVar[Mapping[str, object]]

    @model_validator(mode="before")
    @classmethod
    def _with_missing(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        # A stored document has the wire name of a field, code has its Python name: both at once would be one field too many.
        return {**{_to_wire_name(name): value for name, value in cls.missing.items() if name not in data}, **data}


def _require_timezone(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError(Message("must have a time zone"))
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError(Message("is out of range")) from None


@lru_cache(maxsize=2**10)  # results contain the instants of the loads, which seldom change
def format_instant(value: datetime) -> str:
    """`2026-11-20T14:33:00.125Z`: UTC, milliseconds, as the contract says."""
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Instant = Annotated[
    datetime,
    AfterValidator(_require_timezone),
    PlainSerializer(format_instant, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""An aware instant in UTC; milliseconds and `Z` on the wire."""


def _parse_template(text: Any) -> Any:
    if not isinstance(text, str) or isinstance(text, Message):
        return text
    template = " ".join(text.split())
    return Message(template)


MessageTemplate = Annotated[Message, BeforeValidator(_parse_template)]
"""The type of a field that is read from a table of this package (`source.yml`), whose text is a template of the catalogue."""
