"""A screening by itself: the request, the subject and the response.

How names are compared is the business of `matching`; what an organization has dismissed stands in `dismissal`.
"""

import re
from datetime import date
from enum import StrEnum
from operator import not_
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error
from bonafide.model.entry import EntityKind
from bonafide.model.invisible_characters import find_invisible_characters, remove_invisible_characters
from bonafide.model.query import AddressInput, ScreenedNameText, ScreeningSubject, Text, Threshold
from bonafide.model.screening.history import ScreeningChanges
from bonafide.model.search.match import ScreenedList, Screening
from bonafide.model.search.result import CheckErrors, SearchStatus, SearchWarning

DEFAULT_THRESHOLD = 0.85
DEFAULT_TYPOS, MAX_TYPOS = 1, 2
MAX_COUNTRIES = 20
"""Of one subject; who has more is told apart by none of them."""
MAX_SOURCES = 50
MAX_SUBJECTS = 50
MAX_ADDRESSES = 10
SOURCE_COUNTS = {
    "us-sanctions-ofac-sdn": "ofacSdn",
    "us-sanctions-ofac-consolidated": "ofacConsolidated",
    "ca-sanctions-autonomous": "caAutonomousSanctions",
    "ca-sanctions-terrorist-entities": "caTerroristEntities",
    "un-sanctions-consolidated": "unConsolidated",
    "eu-sanctions-consolidated": "euConsolidated",
    "uk-sanctions-list": "ukList",
    "ch-seco-sanctions": "chSeco",
    "au-sanctions-consolidated": "auConsolidated",
    "nl-sanctions-terrorism": "nlTerrorism",
}
"""The keys that `sourceCounts` always has, by list; another list that was screened follows them under its own key."""
_PARTIAL_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?", re.ASCII)
_FIRST_DAY = "-01-01"


class ScreeningSource(StrEnum):
    """Where a name is screened: in the lists of their publishers, or in the collection that the operator may have a licence for."""

    OFFICIAL = "official"
    OPENSANCTIONS = "opensanctions"


def _check_day(text: str) -> str:
    """Raises `ValueError` for what is no day, month or year."""
    try:
        date.fromisoformat(text + _FIRST_DAY[len(text) - 4 :] if _PARTIAL_DATE.fullmatch(text) is not None else "")
    except ValueError:
        raise ValueError(Message("must be a date: YYYY, YYYY-MM or YYYY-MM-DD")) from None
    return text


BirthDate = Annotated[Text, AfterValidator(_check_day)]
"""A date of birth as exactly as it is known."""
CountryCode = Annotated[
    str, StringConstraints(strip_whitespace=True, to_upper=True, pattern=r"^[A-Za-z]{2}$", min_length=2, max_length=2)
]
"""ISO 3166-1 alpha-2, in capitals or not."""
Countries = Annotated[list[CountryCode], Field(min_length=1, max_length=MAX_COUNTRIES)]


class SubmittedSubject(Document):
    """A further subject of a screening. What is known besides the name affects the score."""

    name: Annotated[ScreenedNameText, AfterValidator(remove_invisible_characters), Field(examples=["Jordan Sample"])]
    """Name to screen."""
    kind: Annotated[EntityKind | None, Field(examples=["person"])] = None
    """Type of the subject, if known."""
    role: Annotated[Text | None, Field(examples=["Director"])] = None
    """What the subject is to the business. It is shown and has no effect."""
    date_of_birth: Annotated[BirthDate | None, Field(examples=["1971-04"])] = None
    """Date of birth as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`."""
    countries: Annotated[Countries | None, Field(examples=[["IR", "AE"]])] = None
    """Countries of the subject as ISO 3166-1 alpha-2 codes."""
    addresses: Annotated[tuple[AddressInput, ...], Field(max_length=MAX_ADDRESSES)] = ()
    """Addresses of the subject. Without `countries`, their countries are used if one of them is not Canada."""


class ScreeningRequest(Document):
    """The body of `POST /sanctions`. `name` is another spelling of `query`, `sanctionsThreshold` of `threshold`."""

    query: ScreenedNameText | None = None
    """Name to screen. Required unless `name` is given."""
    name: Annotated[ScreenedNameText | None, Field(examples=["Northgate Shipping Ltd."])] = None
    """Alias of `query`."""
    threshold: Threshold | None = None
    """Lowest score of a match, from 0.7 to 1."""
    sanctions_threshold: Annotated[Threshold | None, Field(examples=[0.85])] = None
    """Alias of `threshold`."""
    source: ScreeningSource | None = ScreeningSource.OFFICIAL
    """Which lists are screened; `official` without it."""
    entity_type: EntityKind | None = None
    """Type of the subject, if known. It affects the score."""
    countries: Countries | None = None
    """Countries of the subject as ISO 3166-1 alpha-2 codes. They affect the score."""
    sources: Annotated[
        Annotated[list[Text], Field(min_length=1, max_length=MAX_SOURCES)] | None,
        Field(examples=[["ca-sanctions-autonomous", "un-sanctions-consolidated"]]),
    ] = None
    """Keys of the lists to screen; all without it."""
    date_of_birth: Annotated[BirthDate | None, Field(examples=["1971-04"])] = None
    """Date of birth as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. It affects the score."""
    typo_tolerance: Annotated[int, Field(ge=0, le=MAX_TYPOS)] | None = DEFAULT_TYPOS
    """How many letters of a word may differ, from 0 to 2."""
    name_variants: bool | None = True
    """Whether nicknames, initials, translations and similar-sounding words count as variants of a name."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])] = None
    """ID of a stored business record, whose names and people are screened too. Dismissals that are limited to it apply, and the
    record's `lastScreenedAt` is updated. Requires the scope `businesses:read`."""
    subjects: Annotated[tuple[SubmittedSubject, ...], Field(max_length=MAX_SUBJECTS)] = ()
    """Further subjects to screen, each with its own result in `screening.subjects`."""

    @model_validator(mode="after")
    def _one_spelling(self) -> "ScreeningRequest":
        if self.query is None and self.name is None:
            raise create_field_error("query", Message("is required"))
        for field, other in (("query", "name"), ("threshold", "sanctions_threshold")):
            if getattr(self, field) is not None and getattr(self, other) is not None:
                alias = type(self).model_fields[other].alias
                raise create_field_error(str(alias), Message("is an alias of a field that is also given"))
        return self

    def submitted(self) -> "ScreeningSubmitted":
        """The request as it is understood, defaults applied."""
        name = self.query if self.query is not None else self.name
        assert name is not None  # noqa: S101 - a request without one has been refused
        given = [value for value in (self.threshold, self.sanctions_threshold) if value is not None]
        return ScreeningSubmitted(
            query=remove_invisible_characters(name),
            threshold=given[0] if given else DEFAULT_THRESHOLD,
            source=self.source if self.source is not None else ScreeningSource.OFFICIAL,
            entity_type=self.entity_type,
            countries=tuple(dict.fromkeys(self.countries)) if self.countries is not None else None,
            sources=tuple(dict.fromkeys(self.sources)) if self.sources is not None else None,
            date_of_birth=self.date_of_birth,
            typo_tolerance=self.typo_tolerance if self.typo_tolerance is not None else DEFAULT_TYPOS,
            name_variants=self.name_variants if self.name_variants is not None else True,
            removed_characters=tuple(find_invisible_characters(name)),
            business_id=self.business_id,
            subjects=self.subjects,
        )


class ScreeningSubmitted(Document):
    """What was screened, defaults applied; null for what was not given. No `sources` are all."""

    query: str
    """Name that was screened."""
    threshold: float
    """Lowest score of a match."""
    source: ScreeningSource
    """Which lists were screened."""
    entity_type: EntityKind | None
    """Type of the subject, if it was given."""
    countries: tuple[str, ...] | None
    """Countries of the subject, if they were given."""
    sources: Annotated[tuple[str, ...] | None, Field(examples=[["ca-sanctions-autonomous", "un-sanctions-consolidated"]])]
    """Keys of the lists to screen; null for all."""
    date_of_birth: Annotated[str | None, Field(examples=["1971-04"])]
    """Date of birth, if it was given."""
    typo_tolerance: int
    """How many letters of a word may differ."""
    name_variants: bool
    """Whether name variants were considered."""
    removed_characters: Annotated[tuple[str, ...], Field(examples=[["U+202E"]], exclude_if=not_)] = ()
    """Invisible characters that were removed from the name, as code points; omitted if there were none."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"], exclude_if=not_)] = None
    """ID of the business record that was screened; omitted without one."""
    subjects: Annotated[tuple[SubmittedSubject, ...], Field(exclude_if=not_)] = ()
    """Further subjects of the request; omitted if there were none."""

    def subject(self) -> ScreeningSubject:
        """The same as the comparison sees it."""
        return ScreeningSubject(
            name=self.query,
            entity_type=self.entity_type,
            countries=self.countries if self.countries is not None else (),
            date_of_birth=self.date_of_birth,
            typo_tolerance=self.typo_tolerance,
            name_variants=self.name_variants,
            removed_characters=self.removed_characters,
        )


class ScreeningMeta(Document):
    """Which screening it was, of what, when. `duration` is in whole milliseconds."""

    screening_id: UUID
    """ID of the screening."""
    screened_at: Instant
    """When the screening ran."""
    screened_by: Annotated[str, Field(examples=["analyst@north.example"])] = ""
    """Who ran the screening."""
    duration: int
    """Duration in milliseconds."""
    status: SearchStatus
    """Status of the screening."""
    submitted: ScreeningSubmitted
    """The request with defaults applied."""
    warnings: tuple[SearchWarning, ...] = ()
    """Accepted parts of the request that look wrong."""


class ScreeningAnswer(Document):
    """The answer of `POST /sanctions`. What could not be screened is in `errors`, and list by list in `screening`."""

    meta: ScreeningMeta
    """Details of the screening."""
    screening: Screening
    """The matches and the screened lists."""
    source_counts: dict[str, int]
    """Number of matches by list. 0 has no meaning for a list that is not in `lists`."""
    lists: tuple[ScreenedList, ...]
    """Lists that were screened."""
    errors: CheckErrors | None
    """Errors of checks that are incomplete."""
    changes: Annotated[ScreeningChanges | None, Field(exclude_if=not_)] = None
    """How the screening differs from the one that it repeats; omitted unless it repeats one."""
