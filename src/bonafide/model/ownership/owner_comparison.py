"""The declared owners of a business beside the entry of a register of individuals with significant control.

Each side states individuals. A difference of the two sides has a class and its reason in words; what a side doesn't state never
contradicts the other.
"""

from datetime import date
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, create_field_error
from bonafide.model.ownership.statement import InterestKind, PartyId, PartyKind, ShareBand
from bonafide.model.query import NameText, Text
from bonafide.model.records.business_input import DayText, ProseText

MAX_OWNERS = 25
"""Individuals of each side. A business has at most four owners of 25 %, and more only where shares are unknown or have ended. Every
one is compared with every one of the other side, a third of a millisecond each."""
MAX_KINDS = 7


class DifferenceKind(StrEnum):
    """The class of a difference between the declaration and the register."""

    MISSING_OWNER = "missing_owner"
    """The declaration names an owner whom the register doesn’t name."""
    EXTRA_OWNER = "extra_owner"
    """The register names an individual whom the declaration doesn’t name."""
    CONTRADICTING = "contradicting"
    """Both name the person, and what they state can’t both be true."""
    IMMATERIAL = "immaterial"
    """Both name the person, and only the form differs: a slip of spelling, an initial, a form of an address."""

    @property
    def is_material(self) -> bool:
        """Whether a difference of this class must be resolved or reported."""
        return self is not DifferenceKind.IMMATERIAL


class StatedOwner(Document):
    """An individual as one side states it. What the side doesn’t state is absent."""

    name: Annotated[NameText, Field(examples=["Jean Tremblay"])]
    """Full name, as stated."""
    party: Annotated[PartyId | None, Field(examples=["owner-1"])] = None
    """ID of the party in the ownership statement, if the owner comes from one."""
    date_of_birth: Annotated[DayText | None, Field(examples=["1975-06-20"])] = None
    """Date of birth, as precisely as it is stated. The public register doesn’t state it."""
    from_: Annotated[DayText | None, Field(alias="from", examples=["2021-04-01"])] = None
    """First day of the control, as precisely as it is stated."""
    to: Annotated[DayText | None, Field(examples=["2024-12-31"])] = None
    """Last day of the control, as precisely as it is stated."""
    kinds: Annotated[tuple[InterestKind, ...], Field(max_length=MAX_KINDS, examples=[["shares"]])] = ()
    """Nature of the interests. Empty if it isn’t stated."""
    share: ShareBand | None = None
    """Share of the shares, exact or as a band."""
    votes: ShareBand | None = None
    """Share of the votes, exact or as a band."""
    control: Annotated[ProseText | None, Field(examples=["Owns 25 % or more of the shares, directly."])] = None
    """Description of the control in the words of the side. It is shown and never compared."""
    address: Annotated[Text | None, Field(examples=["100 King Street West, Toronto ON M5X 1A9"])] = None
    """Address in one line."""

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Self:
        if self.from_ is not None and self.to is not None and self.to[: len(self.from_)] < self.from_[: len(self.to)]:
            raise create_field_error("to", Message("is before the first day"))
        return self

    def has_ended(self, day: date) -> bool:
        """Whether the control ended before a day; a partial date covers its whole month or year."""
        return self.to is not None and self.to[:10] < day.isoformat()[: len(self.to)]


class OwnerDifference(Document):
    """One difference between the declaration and the register."""

    kind: DifferenceKind
    """Class of the difference."""
    declared: StatedOwner | None
    """The owner as declared. Null if the declaration doesn’t name the individual."""
    registry: StatedOwner | None
    """The individual as in the register. Null if the register doesn’t name the owner."""
    reason: Annotated[Message, Field(examples=["The register names no such individual."])]
    """Why the difference has its class."""


class AgreedOwner(Document):
    """An individual of whom both sides state the same."""

    declared: StatedOwner
    """The owner as declared."""
    registry: StatedOwner
    """The individual as in the register."""


class UncomparedOwner(Document):
    """A declared owner that can’t be compared with individuals."""

    name: Annotated[str | None, Field(examples=["Northern Holdings Inc."])]
    """Name of the party. Null for an unknown one."""
    kind: PartyKind
    """What the party is."""
    reason: Annotated[Message, Field(examples=["Not an individual, and the individuals behind it are unknown."])]
    """Why it isn’t compared."""


class OwnerComparison(Document):
    """Everything that a comparison of the two sides found."""

    differences: tuple[OwnerDifference, ...]
    """Differences, material ones first."""
    agreed: tuple[AgreedOwner, ...]
    """Individuals without a difference."""
