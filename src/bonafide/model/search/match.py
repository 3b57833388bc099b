"""A match: an entry with a score, and the score's explanation field by field."""

from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum
from operator import not_
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, JsonValue, ModelWrapValidatorHandler, field_serializer, model_validator

from bonafide.errors import SourceErrorCode
from bonafide.i18n.message import Message
from bonafide.model.base import BackwardCompatibleDocument, Document, Instant
from bonafide.model.entity import (
    Address,
    EntityTypeCode,
    NaicsClass,
    NameHistoryItem,
    Person,
    RegistrationNumber,
    StatusCode,
    StatusHistoryItem,
)
from bonafide.model.entry import EntityKind, RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.ownership.chain import OwnershipScreening, OwnershipStep
from bonafide.model.query import ScreeningSubject

Score = Annotated[float, Field(ge=0.0, le=1.0)]
"""0 to 1; 1 is equality after normalisation, below 0.7 is another name."""

BEFORE_ROUTES: dict[str, object] = {"route": Route.BULK}
"""Before sources were asked live, a match was always of loaded data."""
BEFORE_REASONS: dict[str, object] = {"penalties": (), "lifts": (), "reasons": ()}
"""Before a screening said what changed its score."""


class FieldStatus(StrEnum):
    """The outcome of comparing one field."""

    MATCHED = "matched"
    PARTIAL = "partial"
    MISMATCHED = "mismatched"
    NOT_PROVIDED = "not_provided"
    NOT_PUBLISHED = "not_published"


class WordDifference(StrEnum):
    """In which way a word was read for another."""

    EQUAL = "equal"
    SLIP = "slip"
    PLURAL = "plural"
    SHORTENED = "shortened"
    INITIAL = "initial"
    EQUIVALENT = "equivalent"
    TRANSLATED = "translated"
    JOINED = "joined"
    NEAR_NUMBER = "near number"
    NICKNAME = "nickname"
    ACRONYM = "acronym"
    """The initials of several words."""
    OFFICIAL_NAME = "official name"
    """Another name or the acronym of one body, of the table of known bodies."""
    CUT_OFF = "cut off"
    """The end of a name that a field of fixed width cut off."""
    SOUND = "sound"
    """Another spelling that sounds alike, or the same word out of another script."""


class ComparedWords(Document):
    """Words of the two names that stand for each other: how alike they are, and how much they count."""

    submitted: str
    """Words of the submitted name."""
    found: str
    """Words of the found name."""
    difference: WordDifference
    """How the words differ."""
    likeness: Score
    """Similarity of the words."""
    weight: float
    """Weight of the words in the score."""


class LoneWord(Document):
    """A word that only one of the names has, and how much it counts."""

    word: Annotated[str, Field(examples=["group"])]
    """The word."""
    weight: Annotated[float, Field(examples=[0.4])]
    """Weight of the word in the score."""


class ScoreStep(Document):
    """A factor of a score, or a limit of it."""

    feature: Annotated[str, Field(examples=["missing_words"])]
    """Name of the scoring feature."""
    score: Annotated[Score, Field(examples=[0.9])]
    """The factor or cap."""
    reason: Annotated[Message, Field(examples=["1 word is missing."])]
    """Explanation of the step."""


class NameBreakdown(Document):
    """What the score of a name was made of: words as they were compared, in normal form, with the weights that applied then.

    Every word of both names is there once. Words that are not compared with weights, such as legal forms and articles, have the
    weight 0. `missing` words were submitted and not found, `added` ones found and not submitted. The score is the product of the
    factors, limited by the lowest cap.
    """

    matched: tuple[ComparedWords, ...]
    """Words that were compared."""
    missing: tuple[LoneWord, ...]
    """Submitted words that were not found."""
    added: tuple[LoneWord, ...]
    """Found words that were not submitted."""
    factors: tuple[ScoreStep, ...]
    """Factors whose product is the score."""
    caps: tuple[ScoreStep, ...]
    """Upper limits of the score."""


class FieldMatch(Document):
    """One compared field: what was submitted, what was found, how alike they are and why. Names are broken down to their words."""

    field: str
    """Name of the field."""
    label: Message
    """Label of the field."""
    score: Score | None
    """Score of the field; null if it was not compared."""
    status: FieldStatus
    """Outcome of the comparison."""
    submitted: str | None = None
    """Submitted value."""
    found: str | None = None
    """Found value."""
    reason: Message
    """Explanation of the score."""
    breakdown: NameBreakdown | None = None
    """Comparison of a name word by word."""


class Baseline(StrEnum):
    """What an entry was compared with: the request alone, or the stored business it refers to."""

    QUERY = "query"
    RECORD = "record"


class MatchExplanation(Document):
    """The whole score and the fields that it was made from."""

    score: Score
    """Score of the match."""
    baseline: Baseline = Baseline.QUERY
    """What the entry was compared with."""
    fields: tuple[FieldMatch, ...]
    """Compared fields."""


class ScoreChange(Document):
    """One step from 1 to a score: what lowered or lifted it, by how much, and why."""

    feature: str
    """Name of the scoring feature."""
    change: float
    """Change of the score."""
    reason: Message
    """Explanation of the change."""


class ScreeningExplanation(MatchExplanation, BackwardCompatibleDocument):
    """The same for a listed party. 1 and all the changes of `penalties` and `lifts` add up to the score."""

    missing = BEFORE_REASONS

    penalties: tuple[ScoreChange, ...]
    """Changes that lowered the score."""
    lifts: tuple[ScoreChange, ...]
    """Changes that raised the score."""
    reasons: tuple[Message, ...]
    """Explanation for a person: the name first, then the evidence."""


class ScoredName(Document):
    """The entry's main name, with the score of the best of its names."""

    name: str
    """The legal name."""
    match_score: Score
    """Score of the best matching name of the entry."""


class BusinessReportDetails(Document):
    """What a register says of a business beyond its entry."""

    good_standing: bool | None = None
    """Whether the business is in good standing; null if unknown."""
    name_history: tuple[NameHistoryItem, ...] = ()
    """Former names."""
    status_history: tuple[StatusHistoryItem, ...] = ()
    """Earlier statuses."""
    naics_classification: tuple[NaicsClass, ...] = ()
    """NAICS classes that the registry states."""


class BusinessReport(Document):
    """The register's full profile, as far as it publishes one."""

    people: tuple[Person, ...] = ()
    """Directors, officers and other people in the registry."""
    addresses: tuple[Address, ...] = ()
    """Addresses in the registry."""
    details: BusinessReportDetails
    """Further details."""
    report_url: str | None = None
    """Signed URL of the report's PDF."""
    report_url_expires_at: Instant | None = None
    """When the signed URL expires."""


class Relation(StrEnum):
    """What another match is to this one, where both are registrations of one business."""

    HOME_REGISTRATION = "home_registration"
    """The register in which the business was formed."""
    EXTRA_PROVINCIAL_REGISTRATION = "extra_provincial_registration"
    """A register elsewhere, in which it may carry on business."""
    SAME_BUSINESS = "same_business"
    """Another registration of it; the registers don't say which of the two is its home, or neither is."""


class RelatedMatch(Document):
    """Another match of the same search that is a registration of the same business, and how that is known."""

    match_id: Annotated[UUID, Field(examples=["b7a1f0de-54c2-4d1e-9a2f-6e1f0c2b3a44"])]
    """ID of the related match."""
    relation: Annotated[Relation, Field(examples=["extra_provincial_registration"])]
    """Relation of the other registration to this one."""
    evidence: Annotated[Message, Field(examples=["Both entries have the registration number 1000017."])]
    """Evidence of the relation."""


class BusinessMatch(BackwardCompatibleDocument):
    """One element of `businesses`."""

    missing = BEFORE_ROUTES

    legal_name: ScoredName
    """Legal name and its score."""
    match: MatchExplanation
    """Explanation of the score."""
    registration_numbers: tuple[RegistrationNumber, ...]
    """Registration numbers of the business."""
    match_id: UUID
    """ID of the match, used for match selection."""
    entity_type: str | None
    """Entity type in the registry's own words."""
    entity_type_code: EntityTypeCode | None = None
    """Common code of the entity type; null if the registry's term is unknown."""
    jurisdiction: Jurisdiction
    """Jurisdiction code."""
    jurisdiction_label: str
    """Full name of the jurisdiction."""
    status: str | None
    """Status in the registry's own words."""
    status_code: StatusCode
    """Common code of the status."""
    incorporation_date: date | None
    """Date of incorporation."""
    addresses: tuple[Address, ...]
    """Addresses of the business."""
    alternate_names: tuple[str, ...]
    """Other current names."""
    people: tuple[Person, ...]
    """Directors, officers and other people."""
    source_url: Annotated[str | None, Field(examples=["https://www.ontario.ca/page/ontario-business-registry"])]
    """The registry's page for the business."""
    business_report: BusinessReport | None
    """The registry's profile of the business."""
    source: str
    """Key of the source."""
    route: Route
    """How the source was searched."""
    as_of: date | None
    """Date of the source's data."""
    retrieved_at: Instant
    """When the data was retrieved."""
    related_matches: tuple[RelatedMatch, ...] = ()
    """Other matches that are registrations of the same business."""

    def to_entry(self) -> RegistryEntry:
        """The entry that it was made from, as far as other statements of a business are compared with it."""
        report = self.business_report
        return RegistryEntry(
            entry_id=str(self.match_id),
            jurisdiction=self.jurisdiction,
            legal_name=self.legal_name.name,
            alternate_names=self.alternate_names,
            name_history=report.details.name_history if report is not None else (),
            registration_numbers=self.registration_numbers,
            entity_type=self.entity_type,
            status=self.status,
            status_code=self.status_code,
            incorporation_date=self.incorporation_date,
            addresses=self.addresses,
            people=self.people,
        )


class RegulatoryMatch(BackwardCompatibleDocument):
    """One element of a `regulatory` key."""

    missing = BEFORE_ROUTES

    legal_name: ScoredName
    """Legal name and its score."""
    match: MatchExplanation
    """Explanation of the score."""
    alternate_names: Annotated[tuple[str, ...], Field(examples=[["King Street Bakery"]])]
    """Other names."""
    registration_number: Annotated[str | None, Field(examples=["LIC-204411"])]
    """Licence or registration number."""
    status: Annotated[str | None, Field(examples=["Active"])]
    """Status in the regulator's own words."""
    status_code: Annotated[StatusCode, Field(examples=["active"])]
    """Common code of the status."""
    addresses: tuple[Address, ...]
    """Addresses of the business."""
    details: Annotated[dict[str, JsonValue], Field(examples=[{"licenceType": "Retail store"}])]
    """Further fields of the source."""
    source: Annotated[str, Field(examples=["on-regulator-agco-cannabis"])]
    """Key of the source."""
    source_url: Annotated[str | None, Field(examples=["https://regulator.example/LIC-204411"])]
    """The regulator's page for the entry."""
    route: Annotated[Route, Field(examples=["bulk"])]
    """How the source was searched."""
    as_of: Annotated[date | None, Field(examples=["2026-11-18"])]
    """Date of the source's data."""
    retrieved_at: Annotated[Instant, Field(examples=["2026-11-19T06:00:00.000Z"])]
    """When the data was retrieved."""


class ListingMatch(RegulatoryMatch):
    """One element of a `listings` key: the shape of a regulator's, and the reminder that it proves nothing.

    `legalName` is the name that is listed, seldom the legal one; `registrationNumber` is always null.
    """

    weight: Annotated[Literal["weak"], Field(examples=["weak"])]
    """Always `weak`: a trade name may be registered under another legal name, or not at all."""


class NameScore(Document):
    """One of an entity's names and how alike it is to the name screened."""

    name: Annotated[str, Field(examples=["Sandbox Sanctioned Trading Ltd"])]
    """A name of the listed party."""
    score: Annotated[Score, Field(examples=[0.97])]
    """Similarity to the screened name."""


class ScreenedName(Document):
    """The listed entity's main name, the score with all evidence, which of its names matched best, the score of each by itself."""

    name: str
    """Main name of the listed party."""
    match_score: Score
    """Score of the match, including all evidence."""
    matched_name: str
    """The party's name that matched best."""
    name_scores: tuple[NameScore, ...]
    """Score of each name of the party by itself."""


class ListingDetails(Document):
    """What the list says of the entity."""

    source: str
    """Key of the list."""
    countries: Annotated[tuple[str, ...], Field(examples=[["RU"]])]
    """Countries of the listed party."""
    programs: tuple[str, ...]
    """Regulations or programs of the listing."""
    identifiers: tuple[RegistrationNumber, ...]
    """Identifiers of the listed party."""
    listing_date: str | None
    """Date of the listing."""
    date_of_birth: Annotated[str | None, Field(examples=["12 May 1958"])]
    """Date of birth as the list states it."""
    remarks: str | None
    """Remarks of the list."""
    datasets: tuple[str, ...]
    """Datasets that contain the party."""
    topics: Annotated[tuple[str, ...], Field(examples=[["sanction"]])]
    """Topics of the listing."""
    legal_form: Annotated[str | None, Field(examples=["Limited liability company"])]
    """Legal form of the listed party."""


class Dismissed(Document):
    """That the organization has decided that this hit is another party than its subject: who, when, why, and until when."""

    dismissal_id: Annotated[UUID, Field(examples=["1d9c7b3e-2f4a-4c1d-8f7a-9e0b6a5c4d33"])]
    """ID of the dismissal."""
    by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who dismissed the hit."""
    at: Annotated[Instant, Field(examples=["2026-11-20T15:10:00.000Z"])]
    """When the hit was dismissed."""
    reason: Annotated[str, Field(examples=["Different country and owner"])]
    """Why the hit was dismissed."""
    until: Annotated[Instant | None, Field(examples=["2027-11-20T00:00:00.000Z"])]
    """When the hit reopens; null until the dismissal is revoked or the listing changes."""


class SubjectRole(StrEnum):
    """What a screened name or person is to the business."""

    LEGAL_NAME = "legalName"
    TRADE_NAME = "tradeName"
    FORMER_NAME = "formerName"
    DIRECTOR = "director"
    OFFICER = "officer"
    OWNER = "owner"
    """An owner, shareholder, partner or trustee."""
    OTHER_PERSON = "otherPerson"
    """A person in another role, such as an agent."""
    RECORD_PERSON = "recordPerson"
    """A person of the stored business record."""
    SUBMITTED = "submitted"
    """A further subject of the request."""


class MatchedSubject(Document):
    """The party of `sanctions.subjects` that a listed party matches."""

    subject_id: Annotated[UUID, Field(examples=["0c6f0d5e-3c1b-5b1e-9d0a-7a4f5e0d2b11"])]
    """ID of the subject."""
    name: Annotated[str, Field(examples=["Sandbox Sanctioned Trading Ltd."])]
    """Name that was screened."""
    role: Annotated[SubjectRole, Field(examples=["legalName"])]
    """What the subject is to the business."""


class SanctionsMatch(BackwardCompatibleDocument):
    """One element of `sanctions.matches`."""

    missing = BEFORE_ROUTES

    legal_name: ScreenedName
    """Names of the listed party and their scores."""
    match: ScreeningExplanation
    """Explanation of the score."""
    alternate_names: tuple[str, ...]
    """Other names of the listed party."""
    entity_type: EntityKind
    """Type of the listed party."""
    details: ListingDetails
    """What the list states about the party."""
    source_urls: tuple[str, ...]
    """Pages of the listing."""
    source: str
    """Key of the list."""
    route: Route
    """How the list was searched."""
    as_of: date | None
    """Date of the list."""
    retrieved_at: Instant
    """When the list was retrieved."""
    entry_id: str | None = None
    """ID of the party in its list; null in results stored by earlier releases."""
    digest: str | None = None
    """Digest of the listing; it changes when the listing changes."""
    dismissed: Dismissed | None = None
    """The dismissal that applied when the hit was found; null for an open hit."""
    subject: Annotated[MatchedSubject | None, Field(exclude_if=not_)] = None
    """The party that it matches, if it is in `sanctions.matches` because the account settings include the hits of all parties;
    omitted for a match of the query."""


class ScreenedList(Document):
    """One list that was screened: how old it is and how many it lists."""

    source: str
    """Key of the list."""
    as_of: date | None
    """Date of the list."""
    retrieved_at: Instant
    """When the list was retrieved."""
    entries: int
    """Number of listed parties."""
    generation: Annotated[str | None, Field(examples=["5f0c9a1d3b7e2468"])] = None
    """ID of the load of the list that was screened, the same on all machines; null in results of earlier releases."""


class UnscreenedList(Document):
    """One list that was to be screened and could not be, and why: what it lists is not known."""

    source: Annotated[str, Field(examples=["eu-sanctions-consolidated"])]
    """Key of the list."""
    code: Annotated[SourceErrorCode, Field(examples=["UNAVAILABLE"])]
    """Error code."""
    message: Annotated[Message, Field(examples=["The list is not loaded."])]
    """Explanation of the error."""
    retryable: Annotated[bool, Field(examples=[True])]
    """Whether a retry may succeed."""


class ScreeningStatus(StrEnum):
    """Whether a name was screened."""

    SCREENED = "screened"
    NOT_SCREENED = "not_screened"
    """The name cannot be screened, so that no match is not a clear result."""


class ScreeningWarningCode(StrEnum):
    """What may keep a screened name from matching, or from matching as expected."""

    MIXED_SCRIPT = "MIXED_SCRIPT"
    """A word has letters of several scripts."""
    GENERIC_ONLY = "GENERIC_ONLY"
    """All words are legal forms, articles and the like."""
    EMPTY_NAME = "EMPTY_NAME"
    """No letters and digits are left after normalization."""
    INVISIBLE_CHARACTERS = "INVISIBLE_CHARACTERS"
    """Invisible characters were removed from the name."""
    INVALID_DATE_OF_BIRTH = "INVALID_DATE_OF_BIRTH"
    """The date of birth of a row is impossible, so that the name was screened without it."""


class ScreeningWarning(Document):
    """A reason to read the result of a screening with caution."""

    code: Annotated[ScreeningWarningCode, Field(examples=["MIXED_SCRIPT"])]
    """Code of the warning."""
    field: Annotated[str, Field(examples=["query"])]
    """Name of the field that the warning is about."""
    message: Annotated[Message, Field(examples=["Letters of several scripts are mixed in “Sandboх”."])]
    """Explanation of the warning."""


class SubjectOrigin(StrEnum):
    """Where a screened name or person comes from."""

    REQUEST = "request"
    MATCH = "match"
    """The registry match that is selected, otherwise the best one; in a verification, the registry's report."""
    RECORD = "record"
    """The stored business record."""
    OWNERSHIP = "ownership"
    """The ownership statements of the business record."""


class ScreenedSubject(Document):
    """A name or person that was screened in addition to the submitted name, with its own result."""

    subject_id: Annotated[UUID, Field(examples=["0c6f0d5e-3c1b-5b1e-9d0a-7a4f5e0d2b11"])]
    """ID of the subject."""
    name: Annotated[str, Field(examples=["Sandbox Sanctioned Trading Ltd."])]
    """Name that was screened."""
    kind: Annotated[EntityKind | None, Field(examples=["organization"])]
    """Kind of the subject; null if it is not known."""
    role: Annotated[SubjectRole, Field(examples=["legalName"])]
    """What the subject is to the business."""
    titles: Annotated[tuple[str, ...], Field(examples=[["Director"]])] = ()
    """Roles of a person in the source's own words."""
    origin: Annotated[SubjectOrigin, Field(alias="from", examples=["match"])]
    """Where the subject comes from."""
    countries: Annotated[tuple[str, ...], Field(examples=[["BY"]])] = ()
    """Countries that affected the scores."""
    date_of_birth: Annotated[str | None, Field(examples=["1971-04"])] = None
    """Date of birth that affected the scores; null if it is not known."""
    ownership_path: Annotated[tuple[OwnershipStep, ...], Field(exclude_if=not_)] = ()
    """The strongest chain of interests from an owner, who comes first, to the business; omitted for other subjects."""
    status: Annotated[ScreeningStatus, Field(examples=["screened"])]
    """Whether the subject was screened. If it was not, no match is not a clear result."""
    reason: Annotated[Message | None, Field(examples=["“Inc.” consists only of generic words and cannot be screened."])] = None
    """Why the name was not screened; null if it was."""
    total_matches: Annotated[int, Field(examples=[1])]
    """Number of matches above the threshold."""
    matches: tuple[SanctionsMatch, ...]
    """Matches, best first."""
    warnings: tuple[ScreeningWarning, ...] = ()
    """Reasons to read the result with caution."""

    @property
    def open_hits(self) -> int:
        """Number of matches that are not dismissed."""
        return self.total_matches - sum(match.dismissed is not None for match in self.matches)

    @property
    def owner_id(self) -> str | None:
        """ID of the owner in the ownership statements; None for a director, who owns nothing, and for other subjects."""
        return self.ownership_path[0].party if self.ownership_path and self.role is SubjectRole.OWNER else None

    def to_subject(self) -> ScreeningSubject:
        """The subject as it was screened, apart from the tolerance."""
        # The kind of a register's or a record's subject is derived from its name and does not restrict the screening.
        kind = self.kind if self.origin in {SubjectOrigin.REQUEST, SubjectOrigin.OWNERSHIP} else None
        return ScreeningSubject(self.name, kind, self.countries, self.date_of_birth)


class Screening(Document):
    """The sanctions part of a search or a verification, and the answer of a screening."""

    query: str
    """Name that was screened."""
    status: ScreeningStatus = ScreeningStatus.SCREENED
    """Whether the name was screened. If it was not, no match is not a clear result."""
    reason: Annotated[Message | None, Field(examples=["“Inc.” consists only of generic words and cannot be screened."])] = None
    """Why the name was not screened; null if it was."""
    warnings: tuple[ScreeningWarning, ...] = ()
    """Reasons to read the result with caution."""
    total_matches: int
    """Number of matches above the threshold."""
    open_hits: int = 0
    """Number of matches that are not dismissed, of the query and all further subjects."""
    matches: tuple[SanctionsMatch, ...]
    """Matches, best first."""
    subjects: tuple[ScreenedSubject, ...] = ()
    """Further parties that were screened, each with its own result: names and people of the selected or best match, those of the
    business record, its owners, and further subjects of the request. Parties with the same name as an earlier one are left out."""
    ownership: Annotated[OwnershipScreening | None, Field(exclude_if=not_)] = None
    """Ownership and control by listed parties, by the dismissals that were active when the parties were screened; omitted unless a
    business record with ownership statements was screened."""
    match_id: Annotated[UUID | None, Field(examples=["b7a1f0de-54c2-4d1e-9a2f-6e1f0c2b3a44"], exclude_if=not_)] = None
    """ID of the match whose names and people were screened; omitted without one."""
    subjects_screened_at: Annotated[Instant | None, Field(examples=["2026-11-20T15:02:11.000Z"], exclude_if=not_)] = None
    """When the parties of another match were screened, because a person selected it later; omitted otherwise."""
    lists: tuple[ScreenedList, ...]
    """Lists that were screened."""
    lists_not_screened: tuple[UnscreenedList, ...] = ()
    """Lists that could not be screened. No result from them isn't a clear result."""
    includes_parties: Annotated[bool, Field(examples=[True], exclude_if=not_)] = False
    """Whether `matches` and `totalMatches` also have the open hits of `subjects`, by the account settings; omitted otherwise."""

    @field_serializer("matches")
    def _write_matches(self, own: tuple[SanctionsMatch, ...]) -> tuple[SanctionsMatch, ...]:
        """As JSON, with the hits of the parties if they are included. The field always has the matches of the query only."""
        return tuple(sorted((*own, *self._list_included_hits()), key=lambda match: -match.legal_name.match_score))

    @field_serializer("total_matches")
    def _write_total_matches(self, own: int) -> int:
        return own + self._count_included_hits()

    def _list_included_hits(self) -> list[SanctionsMatch]:
        return list(_list_open_hits(self.subjects)) if self.includes_parties else []

    def _count_included_hits(self) -> int:
        """The open hits of the parties, those beyond the returned matches included."""
        return sum(subject.open_hits for subject in self.subjects) if self.includes_parties else 0

    @model_validator(mode="wrap")
    @classmethod
    def _read_included_hits(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        """The screening without what was added to its JSON. A screening that is part of another value is complete already."""
        screening = validate(data)
        if isinstance(data, Screening) or not screening.includes_parties:
            return screening
        own = tuple(match for match in screening.matches if match.subject is None)
        total = screening.total_matches - screening._count_included_hits()  # noqa: SLF001 - of the same class
        return screening.model_copy(update={"matches": own, "total_matches": total})

    @property
    def unscreened_subjects(self) -> tuple[ScreenedSubject, ...]:
        """The further parties that could not be screened."""
        return tuple(subject for subject in self.subjects if subject.status is ScreeningStatus.NOT_SCREENED)

    @property
    def is_complete(self) -> bool:
        """Whether the name and every party were screened against every list. If not, no hit isn’t a clear result."""
        is_screened = self.status is ScreeningStatus.SCREENED and not self.unscreened_subjects
        return is_screened and bool(self.lists) and not self.lists_not_screened

    @property
    def has_later_dismissals(self) -> bool:
        """Whether owners that counted as listed in `ownership` have no open hit any more."""
        open_owners = {subject.owner_id for subject in self.subjects if subject.open_hits > 0}
        return self.ownership is not None and not {path.party for path in self.ownership.paths} <= open_owners

    def with_open_hits(self) -> "Screening":
        """The same with its open hits counted."""
        parts = [(self.total_matches, self.matches), *((subject.total_matches, subject.matches) for subject in self.subjects)]
        count = sum(total - sum(match.dismissed is not None for match in matches) for total, matches in parts)
        return self.model_copy(update={"open_hits": count})


def _list_open_hits(subjects: Iterable[ScreenedSubject]) -> Iterator[SanctionsMatch]:
    """The matches of these subjects that are not dismissed, each with its subject."""
    for subject in subjects:
        said = MatchedSubject(subject_id=subject.subject_id, name=subject.name, role=subject.role)
        yield from (match.model_copy(update={"subject": said}) for match in subject.matches if match.dismissed is None)
