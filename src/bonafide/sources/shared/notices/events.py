"""A notice in a gazette: one event of one business.

Each source reads its publisher's lines in its own folder.
"""

import json
import re
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum

from bonafide.model.entity import Address
from bonafide.sources.formats.delimited_text import build_postal_address

_NOT_SIGNIFICANT = re.compile(r"[\s.,;:]+")


class NoticeEvent(StrEnum):
    """What a notice announces; the source's `terms` name the status that follows from each."""

    REGISTERED = "registered"
    RENAMED = "renamed"
    CHANGED = "changed"
    """A change other than the name."""
    INTENT = "intent"
    LIABLE = "liable"
    STRUCK = "struck"
    DISSOLVED = "dissolved"
    REVIVED = "revived"
    AMALGAMATED = "amalgamated"
    """It was merged into another business."""
    LEFT = "left"
    """It was continued in another jurisdiction, or cancelled its registration here."""
    LISTED = "listed"
    """It is in a list that has its status."""


@dataclass(frozen=True, slots=True)
class NoticeAddress:
    """The parts of an address as published in a notice."""

    street: str | None = None
    city: str | None = None
    province: str | None = None
    postal_code: str | None = None
    country: str | None = "CA"
    label: str | None = None
    """What the notice calls the address. It is last, because stored notices have the fields in this order."""

    def address(self) -> Address | None:
        """The address of these parts; None if all are missing."""
        if (self.street, self.city, self.province, self.postal_code) == (None,) * 4:
            return None
        return build_postal_address(
            street=self.street,
            city=self.city,
            province=self.province,
            postal_code=self.postal_code,
            country=self.country,
            label=self.label,
        )


@dataclass(frozen=True, slots=True)
class Notice:
    """One event of one business, as published."""

    event: NoticeEvent
    day: date
    """The date of the event, or of the issue if the notice has none."""
    name: str
    """The name before the event."""
    number: str | None = None
    series: str | None = None
    """Names of different series are separate: a corporation and a trade name may have the same name."""
    entity_type: str | None = None
    incorporated_on: date | None = None
    new_name: str | None = None
    home: str | None = None
    """The home jurisdiction of an extra-provincial business, as an entry has it."""
    successor: str | None = None
    """The number of the business into which it was merged."""
    status: str | None = None
    """The source's own status word, for a notice without an event."""
    place: NoticeAddress | None = None
    url: str | None = None

    @property
    def last_name(self) -> str:
        """The name after the event."""
        return self.new_name if self.new_name is not None else self.name

    def to_line(self) -> bytes:
        """The notice as one line of JSON."""
        place = [getattr(self.place, name) for name in _ADDRESS_FIELDS] if self.place is not None else None
        values = [getattr(self, name) for name in _PLAIN_FIELDS]
        days = [day.toordinal() if day is not None else None for day in (self.day, self.incorporated_on)]
        return json.dumps([self.event, days, place, values], ensure_ascii=False).encode()

    @classmethod
    def from_line(cls, line: bytes) -> "Notice":
        """Parse a line that `to_line` returned."""
        event, (day, incorporated_on), place, values = json.loads(line)
        return cls(
            event=NoticeEvent(event),
            day=date.fromordinal(day),
            incorporated_on=date.fromordinal(incorporated_on) if incorporated_on is not None else None,
            place=NoticeAddress(*place) if place is not None else None,
            **dict(zip(_PLAIN_FIELDS, values, strict=True)),
        )


_ADDRESS_FIELDS = tuple(field.name for field in fields(NoticeAddress))
_PLAIN_FIELDS = tuple(field.name for field in fields(Notice) if field.name not in {"event", "day", "incorporated_on", "place"})
"""The fields whose values are stored as JSON without conversion."""


def normalize_name(name: str) -> str:
    """Return the name in capitals, without spaces and the punctuation that varies between notices."""
    return _NOT_SIGNIFICANT.sub("", name.replace("’", "'")).upper()
