"""Statements of the Beneficial Ownership Data Standard 0.4, as far as they are read and written here.

A statement publishes a version of one record: an entity, a person, or a relationship with interests. The standard permits further
properties, so unknown ones are ignored. Shares are percentages. Source: https://standard.openownership.org/en/0.4.0/.
"""

from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, StringConstraints, field_validator
from pydantic.alias_generators import to_camel

from bonafide.i18n.message import Message
from bonafide.model.ownership.statement import MAX_INTERESTS, MAX_PARTIES

BODS_VERSION = "0.4"
BODS_MEDIA_TYPE = "application/vnd.bods+json"
Percentage = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
MAX_ITEMS = 100
"""Of one list of a record, such as the names of a person or the interests of a relationship."""
MAX_COMPONENTS = MAX_PARTIES + MAX_INTERESTS
MAX_ANNOTATIONS = 1000
_T = TypeVar("_T")
Items = Annotated[tuple[_T, ...], Field(max_length=MAX_ITEMS), FailFast()]
"""Only the first problem of a list is reported: a million items may be wrong."""
RecordId = Annotated[str, StringConstraints(min_length=1, max_length=1000)]


def _parse_day(value: object) -> object:
    """The day of a date or date-time."""
    if not isinstance(value, str):
        return value
    try:
        return datetime.fromisoformat(value).date()
    except ValueError:
        raise ValueError(Message("must be a date (YYYY-MM-DD) or a date-time")) from None


Day = Annotated[date, BeforeValidator(_parse_day)]


class BodsModel(BaseModel):
    """Base of the objects of a statement: camelCase on the wire, open to unknown properties."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore")


class BodsPlace(BodsModel):
    """A country or another jurisdiction."""

    name: str
    code: Annotated[str, StringConstraints(min_length=2, max_length=6)] | None = None


class BodsAddress(BodsModel):
    """An address, of which only the country is used."""

    country: BodsPlace | None = None


class BodsIdentifier(BodsModel):
    """A number of an entity or a person."""

    id: str | None = None
    scheme: str | None = None
    scheme_name: str | None = None


class UnspecifiedReason(StrEnum):
    """Why somebody is not identified."""

    NO_BENEFICIAL_OWNERS = "noBeneficialOwners"
    SUBJECT_UNABLE = "subjectUnableToConfirmOrIdentifyBeneficialOwner"
    NOT_PROVIDED = "interestedPartyHasNotProvidedInformation"
    SUBJECT_EXEMPT = "subjectExemptFromDisclosure"
    PARTY_EXEMPT = "interestedPartyExemptFromDisclosure"
    UNKNOWN = "unknown"
    UNKNOWN_TO_PUBLISHER = "informationUnknownToPublisher"


class BodsUnspecified(BodsModel):
    """Somebody who is not identified."""

    reason: UnspecifiedReason
    description: str | None = None


class BodsEntityKind(StrEnum):
    """What an entity is."""

    REGISTERED = "registeredEntity"
    LEGAL = "legalEntity"
    ARRANGEMENT = "arrangement"
    ANONYMOUS = "anonymousEntity"
    UNKNOWN = "unknownEntity"
    STATE = "state"
    STATE_BODY = "stateBody"


class BodsEntitySubtype(StrEnum):
    """What an entity is, more precisely."""

    GOVERNMENT_DEPARTMENT = "governmentDepartment"
    STATE_AGENCY = "stateAgency"
    OTHER = "other"
    TRUST = "trust"
    NOMINATION = "nomination"


class BodsEntityType(BodsModel):
    """What an entity is."""

    type: BodsEntityKind
    subtype: BodsEntitySubtype | None = None
    details: str | None = None


class BodsEntity(BodsModel):
    """The record of an entity."""

    is_component: bool
    entity_type: BodsEntityType
    unspecified_entity_details: BodsUnspecified | None = None
    name: str | None = None
    jurisdiction: BodsPlace | None = None
    identifiers: Items[BodsIdentifier] = ()
    addresses: Items[BodsAddress] = ()


class BodsPersonKind(StrEnum):
    """Whether a person is identified."""

    ANONYMOUS = "anonymousPerson"
    UNKNOWN = "unknownPerson"
    KNOWN = "knownPerson"


class BodsName(BodsModel):
    """A name of a person. The type is one of the codelist `nameType`."""

    type: Literal["legal", "translation", "transliteration", "former", "alternative", "birth"] | None = None
    full_name: str


class BodsPerson(BodsModel):
    """The record of a person."""

    is_component: bool
    person_type: BodsPersonKind
    unspecified_person_details: BodsUnspecified | None = None
    names: Items[BodsName] = ()
    identifiers: Items[BodsIdentifier] = ()
    nationalities: Items[BodsPlace] = ()
    birth_date: Annotated[str, StringConstraints(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")] | None = None
    tax_residencies: Items[BodsPlace] = ()
    addresses: Items[BodsAddress] = ()


class BodsInterestType(StrEnum):
    """The nature of an interest."""

    SHAREHOLDING = "shareholding"
    VOTING_RIGHTS = "votingRights"
    APPOINTMENT_OF_BOARD = "appointmentOfBoard"
    OTHER_INFLUENCE_OR_CONTROL = "otherInfluenceOrControl"
    SENIOR_MANAGING_OFFICIAL = "seniorManagingOfficial"
    SETTLOR = "settlor"
    TRUSTEE = "trustee"
    PROTECTOR = "protector"
    BENEFICIARY = "beneficiaryOfLegalArrangement"
    SURPLUS_ASSETS = "rightsToSurplusAssetsOnDissolution"
    PROFIT_OR_INCOME = "rightsToProfitOrIncome"
    CONTRACT = "rightsGrantedByContract"
    CONDITIONAL_CONTRACT = "conditionalRightsGrantedByContract"
    COMPANY_RULES = "controlViaCompanyRulesOrArticles"
    LEGAL_FRAMEWORK = "controlByLegalFramework"
    BOARD_MEMBER = "boardMember"
    BOARD_CHAIR = "boardChair"
    UNKNOWN = "unknownInterest"
    UNPUBLISHED = "unpublishedInterest"
    ENJOYMENT_OF_ASSETS = "enjoymentAndUseOfAssets"
    INCOME_FROM_ASSETS = "rightToProfitOrIncomeFromAssets"
    NOMINEE = "nominee"
    NOMINATOR = "nominator"


class BodsShare(BodsModel):
    """A share in percent. `exclusive_minimum` and `exclusive_maximum` are open ends."""

    exact: Percentage | None = None
    minimum: Percentage | None = None
    maximum: Percentage | None = None
    exclusive_minimum: Percentage | None = None
    exclusive_maximum: Percentage | None = None


class BodsInterest(BodsModel):
    """An interest of the interested party in the subject."""

    type: BodsInterestType | None = None
    direct_or_indirect: Literal["direct", "indirect", "unknown"] | None = None
    beneficial_ownership_or_control: bool | None = None
    details: str | None = None
    share: BodsShare | None = None
    start_date: Day | None = None
    end_date: Day | None = None


class BodsRelationship(BodsModel):
    """The record of a relationship between a subject, which is an entity, and an interested party."""

    is_component: bool
    component_records: Annotated[tuple[RecordId, ...], Field(max_length=MAX_COMPONENTS), FailFast()] = ()
    subject: RecordId | BodsUnspecified
    interested_party: RecordId | BodsUnspecified
    interests: Items[BodsInterest] = ()


class BodsAgent(BodsModel):
    """Somebody who asserts or publishes."""

    name: str | None = None


class BodsSourceType(StrEnum):
    """What a source is."""

    SELF_DECLARATION = "selfDeclaration"
    OFFICIAL_REGISTER = "officialRegister"
    THIRD_PARTY = "thirdParty"
    PRIMARY_RESEARCH = "primaryResearch"
    VERIFIED = "verified"


class BodsSource(BodsModel):
    """Where a statement is from."""

    type: Items[BodsSourceType] = ()
    description: str | None = None
    url: str | None = None
    asserted_by: Items[BodsAgent] = ()


class BodsPublication(BodsModel):
    """Who published a statement and when."""

    publication_date: Day
    bods_version: str
    publisher: BodsAgent

    @field_validator("bods_version")
    @classmethod
    def _is_read(cls, version: str) -> str:
        if version != BODS_VERSION:
            raise ValueError(Message("is not read: only BODS {version} is", version=BODS_VERSION))
        return version


class BodsAnnotation(BodsModel):
    """A remark about a part of a statement."""

    statement_pointer_target: str
    motivation: Literal["commenting", "correcting", "identifying", "linking", "transformation"]
    description: str | None = None


class BodsRecordStatus(StrEnum):
    """Which statement about a record this is."""

    NEW = "new"
    UPDATED = "updated"
    CLOSED = "closed"


class BodsStatement(BodsModel):
    """What statements have in common."""

    statement_id: Annotated[str, StringConstraints(min_length=32, max_length=64)]
    declaration: str | None = None
    declaration_subject: RecordId
    statement_date: Day
    annotations: Annotated[tuple[BodsAnnotation, ...], Field(max_length=MAX_ANNOTATIONS), FailFast()] = ()
    publication_details: BodsPublication | None = None
    source: BodsSource | None = None
    record_id: RecordId
    record_status: BodsRecordStatus | None = None


class BodsEntityStatement(BodsStatement):
    """A statement about an entity."""

    record_type: Literal["entity"] = "entity"
    record_details: BodsEntity


class BodsPersonStatement(BodsStatement):
    """A statement about a person."""

    record_type: Literal["person"] = "person"
    record_details: BodsPerson


class BodsRelationshipStatement(BodsStatement):
    """A statement about a relationship."""

    record_type: Literal["relationship"] = "relationship"
    record_details: BodsRelationship


AnyBodsStatement = Annotated[
    BodsEntityStatement | BodsPersonStatement | BodsRelationshipStatement, Field(discriminator="record_type")
]
