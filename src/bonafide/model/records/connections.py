"""What a business record has in common with other records and with entries of registers."""

from datetime import date
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.jurisdiction import Jurisdiction


class ConnectionKind(StrEnum):
    """What is shared."""

    DIRECTOR = "director"
    """A person of equal name, in any role."""
    ADDRESS = "address"
    PHONE = "phone"
    WEBSITE = "website"


class AddressLevel(StrEnum):
    """How much of an address is shared."""

    UNIT = "unit"
    """The suite, apartment or post-office box."""
    BUILDING = "building"


class ConnectionCheckStatus(StrEnum):
    """Whether the entries of a source were compared."""

    SEARCHED = "searched"
    FAILED = "failed"
    NOT_AVAILABLE = "not_available"


class ConnectedRecord(Document):
    """Another business record of the organization."""

    id: Annotated[UUID, Field(examples=["0d3f7a52-6c1b-4a1e-8f0e-7b9a54c0de11"])]
    """ID of the record."""
    name: Annotated[str, Field(examples=["Birch & Sons Ltd."])]
    """Its name, or else its external ID, registration number or ID."""
    is_archived: bool
    """Whether it is archived."""


class ConnectedEntry(Document):
    """An entry of a register."""

    jurisdiction: Annotated[Jurisdiction | None, Field(examples=["ON"])]
    """Jurisdiction of the register."""
    registration_number: Annotated[str | None, Field(examples=["1000025"])]
    """Its first registration number."""
    name: Annotated[str, Field(examples=["Sandbox Twin Holdings Inc."])]
    """Its legal name."""
    source: Annotated[str, Field(examples=["on"])]
    """Key of the source."""
    as_of: Annotated[date, Field(examples=["2026-11-20"])]
    """The day of the data."""


class ConnectionCounts(Document):
    """How many others share something; the record itself and its own registration are not counted."""

    records: Annotated[int, Field(examples=[2])]
    """Other business records of your organization."""
    entries: Annotated[int | None, Field(examples=[340])]
    """Entries of the registers in `coverage` that were searched. Null if the registers were not compared for this."""
    entries_is_minimum: Annotated[bool, Field(examples=[False])]
    """Whether there may be more entries: at most a thousand of each register are compared for an address, ten thousand in all."""


class Connection(Document):
    """Something that the record shares with others."""

    kind: ConnectionKind
    """What is shared."""
    level: Annotated[AddressLevel | None, Field(examples=["building"])]
    """For an address: whether the unit is shared, or the building. Everything in the unit is in the building too."""
    value: Annotated[str, Field(examples=["100 King Street West, Toronto, ON, M5X 1A9"])]
    """What is shared, as the record states it."""
    counts: ConnectionCounts
    """How many others share it."""
    records: tuple[ConnectedRecord, ...]
    """Some of the records, at most ten."""
    entries: tuple[ConnectedEntry, ...]
    """Some of the entries, at most ten."""
    note: Annotated[Message | None, Field(examples=["Same name. Equal names do not show that it is the same person."])]
    """What the connection does not show."""


class ConnectionCoverage(Document):
    """Whether the entries of one register were compared."""

    source: Annotated[str, Field(examples=["on"])]
    """Key of the source."""
    jurisdiction: Annotated[Jurisdiction | None, Field(examples=["ON"])]
    """Jurisdiction of the register."""
    status: ConnectionCheckStatus
    """Whether its entries were compared."""
    as_of: Annotated[date | None, Field(examples=["2026-11-20"])]
    """The day of its data. Null without data."""
    note: Annotated[Message | None, Field(examples=["No data of this source is loaded."])]
    """Why its entries were not compared."""


class BusinessConnections(Document):
    """The answer of `GET /businesses/{id}/connections`."""

    business_id: Annotated[UUID, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])]
    """ID of the business record."""
    connections: tuple[Connection, ...]
    """What the record shares, the most specific first: people, units, phones and websites before buildings."""
    addresses_not_searched: Annotated[int, Field(examples=[0])]
    """Addresses of the record beyond the fifth. They were compared with your records, and not with register entries."""
    coverage: tuple[ConnectionCoverage, ...]
    """The registers, and whether their entries were compared."""
