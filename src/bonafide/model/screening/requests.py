"""A screening by itself: the request, the subject and the response.

How names are compared is the business of `matching`; what an organization has dismissed stands in `dismissal`.
"""

import re
from datetime import date
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from bonafide.model.base import FIELD, Document, Instant
from bonafide.model.entry import EntityKind
from bonafide.model.query import NameText, ScreeningSubject, Text, Threshold
from bonafide.model.search.match import ScreenedList, Screening
from bonafide.model.search.result import CheckErrors, SearchStatus, SearchWarning

DEFAULT_THRESHOLD = 0.85
DEFAULT_TYPOS, MAX_TYPOS = 1, 2
MAX_COUNTRIES = 20
"""Of one subject; who has more is told apart by none of them."""
MAX_SOURCES = 50
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
        raise ValueError("must be a date: YYYY, YYYY-MM or YYYY-MM-DD") from None
    return text


BirthDate = Annotated[Text, AfterValidator(_check_day)]
"""A date of birth as exactly as it is known."""
CountryCode = Annotated[
    str, StringConstraints(strip_whitespace=True, to_upper=True, pattern=r"^[A-Za-z]{2}$", min_length=2, max_length=2)
]
"""ISO 3166-1 alpha-2, in capitals or not."""
Countries = Annotated[list[CountryCode], Field(min_length=1, max_length=MAX_COUNTRIES)]


class ScreeningRequest(Document):
    """The body of `POST /sanctions`. `name` is another spelling of `query`, `sanctionsThreshold` of `threshold`."""

    query: NameText | None = None
    name: NameText | None = None
    threshold: Threshold | None = None
    sanctions_threshold: Threshold | None = None
    source: ScreeningSource = ScreeningSource.OFFICIAL
    entity_type: EntityKind | None = None
    countries: Countries | None = None
    sources: Annotated[list[Text], Field(min_length=1, max_length=MAX_SOURCES)] | None = None
    date_of_birth: BirthDate | None = None
    typo_tolerance: Annotated[int, Field(ge=0, le=MAX_TYPOS)] = DEFAULT_TYPOS
    name_variants: bool = True

    @model_validator(mode="after")
    def _one_spelling(self) -> "ScreeningRequest":
        if self.query is None and self.name is None:
            raise PydanticCustomError("required", "is required", {FIELD: "query"})
        for field, other in (("query", "name"), ("threshold", "sanctions_threshold")):
            if getattr(self, field) is not None and getattr(self, other) is not None:
                alias = type(self).model_fields[other].alias
                raise PydanticCustomError("one_spelling", "is another spelling of a field that is given too", {FIELD: alias})
        return self

    def submitted(self) -> "ScreeningSubmitted":
        """The request as it is understood, defaults applied."""
        name = self.query if self.query is not None else self.name
        assert name is not None  # noqa: S101 - a request without one has been refused
        given = [value for value in (self.threshold, self.sanctions_threshold) if value is not None]
        return ScreeningSubmitted(
            query=name,
            threshold=given[0] if given else DEFAULT_THRESHOLD,
            source=self.source,
            entity_type=self.entity_type,
            countries=tuple(dict.fromkeys(self.countries)) if self.countries is not None else None,
            sources=tuple(dict.fromkeys(self.sources)) if self.sources is not None else None,
            date_of_birth=self.date_of_birth,
            typo_tolerance=self.typo_tolerance,
            name_variants=self.name_variants,
        )


class ScreeningSubmitted(Document):
    """What was screened, defaults applied; null for what was not given. No `sources` are all."""

    query: str
    threshold: float
    source: ScreeningSource
    entity_type: EntityKind | None
    countries: tuple[str, ...] | None
    sources: tuple[str, ...] | None
    date_of_birth: str | None
    typo_tolerance: int
    name_variants: bool

    def subject(self) -> ScreeningSubject:
        """The same as the comparison sees it."""
        return ScreeningSubject(
            name=self.query,
            entity_type=self.entity_type,
            countries=self.countries if self.countries is not None else (),
            date_of_birth=self.date_of_birth,
            typo_tolerance=self.typo_tolerance,
            name_variants=self.name_variants,
        )


class ScreeningMeta(Document):
    """Which screening it was, of what, when. `duration` is in whole milliseconds."""

    screening_id: UUID
    screened_at: Instant
    duration: int
    status: SearchStatus
    submitted: ScreeningSubmitted
    warnings: tuple[SearchWarning, ...] = ()


class ScreeningAnswer(Document):
    """The answer of `POST /sanctions`. What could not be screened is in `errors`, and list by list in `screening`."""

    meta: ScreeningMeta
    screening: Screening
    source_counts: dict[str, int]
    """How many of the matches above the threshold each list has. 0 says nothing of a list that is not among `lists`."""
    lists: tuple[ScreenedList, ...]
    errors: CheckErrors | None
