"""How the terms of ownership statements and of the Beneficial Ownership Data Standard 0.4 correspond.

`docs/howto/ownership.md` has the tables for users.
"""

from collections.abc import Mapping
from types import MappingProxyType

from bonafide.model.ownership.statement import Claimant, InterestKind, PartyKind
from bonafide.services.ownership.formats.bods_statements import (
    BodsEntityKind,
    BodsEntitySubtype,
    BodsEntityType,
    BodsInterest,
    BodsInterestType,
    BodsSource,
    BodsSourceType,
    BodsUnspecified,
    UnspecifiedReason,
)

BUSINESS_SCHEME = "bonafide business record"
"""The `schemeName` of the identifier that is the ID of a business record."""
LEI_SCHEME = "XI-LEI"
GLEIF_HOST = "gleif.org"
GLEIF_URL = "https://www.gleif.org/en/lei-data"
NOT_IDENTIFIED = BodsUnspecified(
    reason=UnspecifiedReason.UNKNOWN, description="The source does not say whether this is a person or an entity."
)
"""What an export says of an unknown party."""

WRITTEN_INTERESTS: Mapping[InterestKind, BodsInterestType] = MappingProxyType(
    {
        InterestKind.SHARES: BodsInterestType.SHAREHOLDING,
        InterestKind.VOTES: BodsInterestType.VOTING_RIGHTS,
        InterestKind.CONTROL: BodsInterestType.OTHER_INFLUENCE_OR_CONTROL,
        InterestKind.TRUSTEE: BodsInterestType.TRUSTEE,
        InterestKind.SETTLOR: BodsInterestType.SETTLOR,
        InterestKind.BENEFICIARY: BodsInterestType.BENEFICIARY,
        InterestKind.DIRECTOR: BodsInterestType.BOARD_MEMBER,
    }
)
SAME_INTERESTS: Mapping[BodsInterestType, InterestKind] = MappingProxyType({bods: kind for kind, bods in WRITTEN_INTERESTS.items()})
"""The types that have the same meaning as a kind."""
CLOSEST_INTERESTS: Mapping[BodsInterestType, InterestKind] = MappingProxyType(
    {
        BodsInterestType.APPOINTMENT_OF_BOARD: InterestKind.CONTROL,
        BodsInterestType.PROTECTOR: InterestKind.CONTROL,
        BodsInterestType.CONTRACT: InterestKind.CONTROL,
        BodsInterestType.CONDITIONAL_CONTRACT: InterestKind.CONTROL,
        BodsInterestType.COMPANY_RULES: InterestKind.CONTROL,
        BodsInterestType.LEGAL_FRAMEWORK: InterestKind.CONTROL,
        BodsInterestType.NOMINATOR: InterestKind.CONTROL,
        # A nominee holds the legal title for another, as a trustee does.
        BodsInterestType.NOMINEE: InterestKind.TRUSTEE,
        BodsInterestType.BOARD_CHAIR: InterestKind.DIRECTOR,
        BodsInterestType.SENIOR_MANAGING_OFFICIAL: InterestKind.DIRECTOR,
        # Shares of unknown size: anything from nothing to everything is possible.
        BodsInterestType.UNKNOWN: InterestKind.SHARES,
        BodsInterestType.UNPUBLISHED: InterestKind.SHARES,
    }
)
"""The types that are read as the kind closest to them; the evidence keeps the type. All others are refused: rights to income,
assets or profit are neither shares nor control, and counting them as either would change who owns the business."""


def find_interest_kind(interest: BodsInterest) -> InterestKind | None:
    """The kind as which an interest is read; None if it is refused. An interest whose type is not stated may be of any size."""
    if interest.type is None:
        return InterestKind.SHARES
    return SAME_INTERESTS.get(interest.type) or CLOSEST_INTERESTS.get(interest.type)


WRITTEN_ENTITIES: Mapping[PartyKind, BodsEntityType] = MappingProxyType(
    {
        PartyKind.BUSINESS: BodsEntityType(type=BodsEntityKind.REGISTERED),
        PartyKind.TRUST: BodsEntityType(type=BodsEntityKind.ARRANGEMENT, subtype=BodsEntitySubtype.TRUST),
        PartyKind.GOVERNMENT: BodsEntityType(type=BodsEntityKind.STATE_BODY),
        PartyKind.UNKNOWN: BodsEntityType(type=BodsEntityKind.UNKNOWN),
    }
)
_READ_ENTITIES: Mapping[BodsEntityKind, PartyKind] = MappingProxyType(
    {
        BodsEntityKind.REGISTERED: PartyKind.BUSINESS,
        BodsEntityKind.LEGAL: PartyKind.BUSINESS,
        BodsEntityKind.ARRANGEMENT: PartyKind.TRUST,
        BodsEntityKind.STATE: PartyKind.GOVERNMENT,
        BodsEntityKind.STATE_BODY: PartyKind.GOVERNMENT,
        BodsEntityKind.ANONYMOUS: PartyKind.UNKNOWN,
        BodsEntityKind.UNKNOWN: PartyKind.UNKNOWN,
    }
)


def read_entity_kind(entity_type: BodsEntityType) -> PartyKind:
    """The kind of party that an entity is."""
    return PartyKind.TRUST if entity_type.subtype is BodsEntitySubtype.TRUST else _READ_ENTITIES[entity_type.type]


WRITTEN_SOURCES: Mapping[Claimant, BodsSource] = MappingProxyType(
    {
        Claimant.DECLARED: BodsSource(type=(BodsSourceType.SELF_DECLARATION,)),
        Claimant.REGISTRY: BodsSource(type=(BodsSourceType.OFFICIAL_REGISTER,)),
        Claimant.LEI: BodsSource(type=(BodsSourceType.OFFICIAL_REGISTER,), url=GLEIF_URL),
        Claimant.DOCUMENT: BodsSource(type=(BodsSourceType.THIRD_PARTY,)),
    }
)
_READ_SOURCES = (
    (BodsSourceType.OFFICIAL_REGISTER, Claimant.REGISTRY),
    (BodsSourceType.SELF_DECLARATION, Claimant.DECLARED),
    (BodsSourceType.THIRD_PARTY, Claimant.DOCUMENT),
    (BodsSourceType.PRIMARY_RESEARCH, Claimant.DOCUMENT),
)
"""The claimant of a source of these types; the first that applies."""


def read_claimant(source: BodsSource | None) -> Claimant | None:
    """Who claims what is from this source; None if the source doesn't say what it is."""
    if source is None:
        return None
    claimant = next((claimant for kind, claimant in _READ_SOURCES if kind in source.type), None)
    is_gleif = source.url is not None and f"{GLEIF_HOST}/" in f"{source.url}/"
    return Claimant.LEI if is_gleif and claimant is Claimant.REGISTRY else claimant
