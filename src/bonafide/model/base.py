"""How every document is spelled: camelCase on the wire, frozen in memory, closed to unknown fields.

This is the only place that decides the spelling and the null-or-absent rule; no endpoint renames a field.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer, WithJsonSchema, model_validator
from pydantic.alias_generators import to_camel

FIELD = "field"
"""In the context of a validator's error about several fields: the wire name of the one to mend."""


class Document(BaseModel):
    """Base of every value that is stored or sent. Build it with Python names, read and write it in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="forbid", ser_json_inf_nan="null")

    def to_json(self) -> str:
        """The wire form."""
        return self.model_dump_json(by_alias=True)


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
        raise ValueError("the date-time needs a time zone")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("the date-time is out of range") from None


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
