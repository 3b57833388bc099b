"""Write the ownership of a business as statements of the Beneficial Ownership Data Standard 0.4.

There is one statement for each party, for each interest, and for each identified person who is certainly a beneficial owner through
others. The ID of a statement is made from its content: equal data gives equal statements, and other data another ID.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from bonafide.model.ownership.answer import ClaimedInterest, ClaimedParty, OwnershipAnswer, RecordedStatement
from bonafide.model.ownership.roll_up import BeneficialOwner, OwnershipBasis, ShareRange
from bonafide.model.ownership.statement import Claimant, InterestKind, PartyKind, ShareBand
from bonafide.services.ownership.formats.bods_annotations import (
    RECORD,
    STATEMENT_DATE,
    annotate_day,
    annotate_field,
    get_interest_pointer,
)
from bonafide.services.ownership.formats.bods_places import from_bods_jurisdiction, to_bods_country, to_bods_jurisdiction
from bonafide.services.ownership.formats.bods_statements import (
    BODS_VERSION,
    BodsAddress,
    BodsAgent,
    BodsAnnotation,
    BodsEntity,
    BodsEntityKind,
    BodsEntityType,
    BodsIdentifier,
    BodsInterest,
    BodsInterestType,
    BodsName,
    BodsPerson,
    BodsPersonKind,
    BodsPublication,
    BodsRecordStatus,
    BodsRelationship,
    BodsShare,
    BodsSource,
    BodsSourceType,
)
from bonafide.services.ownership.formats.bods_terms import (
    BUSINESS_SCHEME,
    NOT_IDENTIFIED,
    WRITTEN_ENTITIES,
    WRITTEN_INTERESTS,
    WRITTEN_SOURCES,
)
from bonafide.services.ownership.formats.partial_days import get_day_after, get_first_day, to_plain_day

_NAMESPACE = uuid5(NAMESPACE_URL, "urn:bonafide:bods-statement")
MIN_BIRTH_YEAR = 1800
"""Validators of the standard refuse an earlier birth as an error."""
_BASES: Mapping[OwnershipBasis, BodsInterestType] = {
    OwnershipBasis.SHARES: BodsInterestType.SHAREHOLDING,
    OwnershipBasis.VOTES: BodsInterestType.VOTING_RIGHTS,
    OwnershipBasis.CONTROL: BodsInterestType.OTHER_INFLUENCE_OR_CONTROL,
}
_CONFERRED: Mapping[InterestKind, OwnershipBasis] = {
    InterestKind.SHARES: OwnershipBasis.SHARES,
    InterestKind.BENEFICIARY: OwnershipBasis.SHARES,
    InterestKind.VOTES: OwnershipBasis.VOTES,
    InterestKind.CONTROL: OwnershipBasis.CONTROL,
    InterestKind.TRUSTEE: OwnershipBasis.CONTROL,
    InterestKind.SETTLOR: OwnershipBasis.CONTROL,
}
"""What an interest makes its owner. A director is no owner."""
_TRUST_ONLY = frozenset({InterestKind.TRUSTEE, InterestKind.SETTLOR})
"""The kinds that the standard has in trusts only."""


@dataclass(frozen=True, slots=True)
class BodsRecordIds:
    """The IDs of the records of a business: those of its parties and interests, made unique among all businesses."""

    business_id: UUID

    def party(self, party_id: str) -> str:
        """The ID of a party's record."""
        return f"{self.business_id}/parties/{party_id}"

    def interest(self, claimant: Claimant, interest_id: str) -> str:
        """The ID of the record of an interest."""
        return f"{self.business_id}/interests/{claimant}/{interest_id}"

    def beneficial_owner(self, party_id: str) -> str:
        """The ID of the record of what a beneficial owner has in sum."""
        return f"{self.business_id}/beneficial-owners/{party_id}"


def write_bods(answer: OwnershipAnswer, publisher: str) -> bytes:
    """The statements as a JSON array; empty without a party. `publisher` is the name of the organization that publishes them."""
    return (json.dumps(list_bods_statements(answer, publisher), ensure_ascii=False, indent=2) + "\n").encode()


def list_bods_statements(answer: OwnershipAnswer, publisher: str) -> list[dict[str, Any]]:
    """The statements: parties, interests, beneficial owners. A record comes before those that refer to it."""
    return list(_BodsWriter(answer, publisher).write())


def to_bods_share(share: ShareBand) -> BodsShare:
    """A share in percent."""
    low, high = _to_percent(share.min), _to_percent(share.max)
    if low is not None and low == high:
        return BodsShare(exact=low)
    return BodsShare(
        exact=_to_percent(share.exact),
        minimum=None if share.exclusive_min else low,
        exclusive_minimum=low if share.exclusive_min else None,
        maximum=None if share.exclusive_max else high,
        exclusive_maximum=high if share.exclusive_max else None,
    )


def _to_percent(fraction: float | None) -> float | None:
    # By decimals: 0.07 is 7 %, and 100 times the binary fraction is not.
    return float(Decimal(repr(fraction)) * 100) if fraction is not None else None


class _BodsWriter:
    """Writes the statements of one answer."""

    def __init__(self, answer: OwnershipAnswer, publisher: str) -> None:
        self._answer = answer
        self._publisher = BodsAgent(name=publisher)
        self._ids = BodsRecordIds(answer.business_id)
        self._recorded = {statement.claimed_by: statement for statement in answer.statements}
        self._kinds = {party.id: party.kind for party in answer.parties}
        self._links = self._index_links()
        self._owners = [owner for owner in answer.beneficial_owners if self._is_stated(owner)]
        self._components = {owner.party: self._list_components(owner) for owner in self._owners}
        self._component_ids = {record for records in self._components.values() for record in records}
        self._direct_bases = {owner.party: owner.bases for owner in self._owners if not self._components[owner.party]}

    def _index_links(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """The records of the interests in force that make an owner, by the owner and the owned party."""
        links: dict[tuple[str, str], list[str]] = defaultdict(list)
        for interest in self._answer.interests:
            if interest.kind in _CONFERRED and interest.is_in_force(self._answer.as_of):
                links[interest.owner, interest.owned].append(self._ids.interest(interest.claimed_by, interest.id))
        return links

    def write(self) -> Iterator[dict[str, Any]]:
        for party in self._answer.parties:
            yield self._write_party(party)
        for interest in self._answer.interests:
            yield self._write_interest(interest)
        for owner in self._owners:
            if self._components[owner.party]:
                yield self._write_owner(owner)

    # ---------------------------------------------------------------------------------------------------------- records

    def _write_party(self, party: ClaimedParty) -> dict[str, Any]:
        record_id = self._ids.party(party.id)
        is_person = party.kind is PartyKind.PERSON or (
            party.kind is PartyKind.UNKNOWN and party.jurisdiction is None and party.registration_number is None
        )
        details = self._build_person(party) if is_person else self._build_entity(party, record_id)
        recorded, source = self._recorded[party.claimed_by[0]], self._get_source(party)
        record_type = "person" if is_person else "entity"
        return self._write_statement(recorded, record_id, record_type, details, source, _annotate_party(party, details))

    def _build_person(self, party: ClaimedParty) -> BodsPerson:
        is_known = party.kind is PartyKind.PERSON
        return BodsPerson(
            is_component=False,
            person_type=BodsPersonKind.KNOWN if is_known else BodsPersonKind.UNKNOWN,
            unspecified_person_details=None if is_known else NOT_IDENTIFIED,
            names=(BodsName(full_name=party.name),) if party.name is not None else (),
            birth_date=self._get_birth_date(party),
            addresses=_build_addresses(party),
        )

    def _get_birth_date(self, party: ClaimedParty) -> str | None:
        """The date of birth, unless validators refuse it."""
        if party.date_of_birth is None:
            return None
        day = get_first_day(party.date_of_birth)
        return to_plain_day(party.date_of_birth) if day.year >= MIN_BIRTH_YEAR and day <= self._answer.as_of else None

    def _build_entity(self, party: ClaimedParty, record_id: str) -> BodsEntity:
        kind = WRITTEN_ENTITIES[party.kind]
        if party.kind is PartyKind.BUSINESS and party.registration_number is None and party.jurisdiction is None:
            kind = BodsEntityType(type=BodsEntityKind.LEGAL)
        return BodsEntity(
            is_component=record_id in self._component_ids,
            entity_type=kind,
            unspecified_entity_details=NOT_IDENTIFIED if party.kind is PartyKind.UNKNOWN else None,
            name=party.name,
            jurisdiction=to_bods_jurisdiction(party.jurisdiction) if party.jurisdiction is not None else None,
            identifiers=_build_identifiers(party),
            addresses=_build_addresses(party),
        )

    def _write_interest(self, interest: ClaimedInterest) -> dict[str, Any]:
        record_id = self._ids.interest(interest.claimed_by, interest.id)
        details = BodsRelationship(
            is_component=record_id in self._component_ids,
            subject=self._ids.party(interest.owned),
            interested_party=self._ids.party(interest.owner),
            interests=(
                BodsInterest(
                    type=self._choose_type(interest),
                    direct_or_indirect="direct",
                    beneficial_ownership_or_control=True if self._makes_owner(interest) else None,
                    share=to_bods_share(interest.share) if interest.share is not None else None,
                    start_date=get_first_day(interest.from_) if interest.from_ is not None else None,
                    end_date=get_day_after(interest.to) if interest.to is not None else None,
                ),
            ),
        )
        source = self._get_source(interest).model_copy(update={"description": interest.evidence})
        recorded = self._recorded[interest.claimed_by]
        annotations = _annotate_days(interest)
        if details.interests[0].type is not WRITTEN_INTERESTS[interest.kind]:
            annotations.append(annotate_field(get_interest_pointer(0, "type"), "kind", interest.kind.value))
        return self._write_statement(recorded, record_id, "relationship", details, source, annotations)

    def _choose_type(self, interest: ClaimedInterest) -> BodsInterestType:
        """The type of an interest. What only trusts have is influence over another party."""
        is_missing = interest.kind in _TRUST_ONLY and self._kinds[interest.owned] is not PartyKind.TRUST
        return BodsInterestType.OTHER_INFLUENCE_OR_CONTROL if is_missing else WRITTEN_INTERESTS[interest.kind]

    def _write_owner(self, owner: BeneficialOwner) -> dict[str, Any]:
        """What a person has in sum, through others. `componentRecords` are the entities and interests of the chains."""
        details = BodsRelationship(
            is_component=False,
            component_records=self._components[owner.party],
            subject=self._ids.party(self._subject),
            interested_party=self._ids.party(owner.party),
            interests=tuple(
                BodsInterest(
                    type=_BASES[basis],
                    direct_or_indirect="indirect",
                    beneficial_ownership_or_control=True,
                    share=_to_range(owner, basis),
                )
                for basis in owner.bases
            ),
        )
        source = BodsSource(
            type=(BodsSourceType.PRIMARY_RESEARCH,),
            description=f"Computed from the interests in force on {self._answer.as_of.isoformat()}.",
            asserted_by=(self._publisher,),
        )
        record_id = self._ids.beneficial_owner(owner.party)
        return self._write_content(self._answer.as_of, self._answer.as_of, record_id, "relationship", details, source, ())

    # --------------------------------------------------------------------------------------------------------- statements

    @property
    def _subject(self) -> str:
        assert self._answer.party is not None  # noqa: S101 - an answer with a party names the one that is the business
        return self._answer.party

    def _get_source(self, claim: ClaimedParty | ClaimedInterest) -> BodsSource:
        claimant = claim.claimed_by if isinstance(claim, ClaimedInterest) else claim.claimed_by[0]
        source = WRITTEN_SOURCES[claimant]
        declared_by = self._recorded[claimant].declared_by
        return source if declared_by is None else source.model_copy(update={"asserted_by": (BodsAgent(name=declared_by),)})

    def _write_statement(
        self,
        recorded: RecordedStatement,
        record_id: str,
        record_type: str,
        details: BodsEntity | BodsPerson | BodsRelationship,
        source: BodsSource,
        annotations: Sequence[BodsAnnotation] = (),
    ) -> dict[str, Any]:
        published = recorded.recorded_at.date()
        day = min(recorded.as_of, self._answer.as_of)
        if day < recorded.as_of:
            # A statement is not dated in the future.
            annotations = [*annotations, annotate_field(STATEMENT_DATE, "asOf", recorded.as_of.isoformat())]
        return self._write_content(day, published, record_id, record_type, details, source, annotations)

    def _write_content(  # noqa: PLR0913, PLR0917 - as above
        self,
        day: date,
        published: date,
        record_id: str,
        record_type: str,
        details: BodsEntity | BodsPerson | BodsRelationship,
        source: BodsSource,
        annotations: Sequence[BodsAnnotation],
    ) -> dict[str, Any]:
        publication = BodsPublication(publication_date=published, bods_version=BODS_VERSION, publisher=self._publisher)
        content = {
            "declarationSubject": self._ids.party(self._subject),
            "statementDate": day.isoformat(),
            **({"annotations": [_dump(annotation) for annotation in annotations]} if annotations else {}),
            "publicationDetails": _dump(publication),
            "source": _dump(source),
            "recordId": record_id,
            "recordType": record_type,
            "recordStatus": BodsRecordStatus.NEW.value,
            "recordDetails": _dump(details),
        }
        return {"statementId": str(uuid5(_NAMESPACE, json.dumps(content, ensure_ascii=False, sort_keys=True))), **content}

    # -------------------------------------------------------------------------------------------------- beneficial owners

    def _is_stated(self, owner: BeneficialOwner) -> bool:
        """Whether the standard can call somebody a beneficial owner: a natural person, and not only perhaps."""
        return owner.is_certain and self._kinds[owner.party] is PartyKind.PERSON

    def _list_components(self, owner: BeneficialOwner) -> tuple[str, ...]:
        """The records between a beneficial owner and the business; empty if all chains are a single interest."""
        found: dict[str, None] = {}
        for path in owner.paths:
            if len(path.kinds) < 2:  # noqa: PLR2004 - the owner's own interest in the business
                continue
            found.update((self._ids.party(party), None) for party in path.parties[1:-1])
            for link in pairwise(path.parties):
                found.update(dict.fromkeys(self._links.get(link, ())))
        return tuple(found)

    def _makes_owner(self, interest: ClaimedInterest) -> bool:
        """Whether an interest in the business is what makes its owner a beneficial owner."""
        return (
            interest.owned == self._answer.party
            and interest.kind in _CONFERRED
            and _CONFERRED[interest.kind] in self._direct_bases.get(interest.owner, ())
            and interest.is_in_force(self._answer.as_of)
        )


def _to_range(owner: BeneficialOwner, basis: OwnershipBasis) -> BodsShare | None:
    if basis is OwnershipBasis.CONTROL:
        return None
    found: ShareRange = owner.share if basis is OwnershipBasis.SHARES else owner.votes
    low, high = _to_percent(found.min), _to_percent(found.max)
    return BodsShare(exact=low) if low == high else BodsShare(minimum=low, maximum=high)


def _build_identifiers(party: ClaimedParty) -> tuple[BodsIdentifier, ...]:
    found = []
    if party.registration_number is not None:
        where = to_bods_jurisdiction(party.jurisdiction).name if party.jurisdiction is not None else None
        scheme = f"Registration number ({where})" if where is not None else "Registration number"
        found.append(BodsIdentifier(id=party.registration_number, scheme_name=scheme))
    if party.business_id is not None:
        found.append(BodsIdentifier(id=str(party.business_id), scheme_name=BUSINESS_SCHEME))
    return tuple(found)


def _build_addresses(party: ClaimedParty) -> tuple[BodsAddress, ...]:
    """The countries as addresses without a type: they are of nationality or of residence, which the statement doesn't say."""
    return tuple(BodsAddress(country=to_bods_country(country)) for country in party.countries)


def _annotate_days(interest: ClaimedInterest) -> list[BodsAnnotation]:
    return [
        annotate_day(get_interest_pointer(0, field), day)
        for field, day in (("startDate", interest.from_), ("endDate", interest.to))
        if day is not None and day != get_first_day(day).isoformat()
    ]


def _annotate_party(party: ClaimedParty, details: BodsPerson | BodsEntity) -> list[BodsAnnotation]:
    """What the record does not say of the party."""
    annotations: list[BodsAnnotation] = []
    kept: dict[str, str | None] = {}
    if party.date_of_birth is not None:
        written = details.birth_date if isinstance(details, BodsPerson) else None
        if written is None:
            kept["dateOfBirth"] = party.date_of_birth
        elif written != party.date_of_birth:
            annotations.append(annotate_day(f"{RECORD}/birthDate", party.date_of_birth))
    if isinstance(details, BodsPerson):
        # An identifier of a person must be of a passport, an identity card or a tax register.
        kept |= {"registrationNumber": party.registration_number, "jurisdiction": party.jurisdiction}
        kept["businessId"] = str(party.business_id) if party.business_id is not None else None
    elif details.jurisdiction is not None and from_bods_jurisdiction(details.jurisdiction) != party.jurisdiction:
        kept["jurisdiction"] = party.jurisdiction
    return [*annotations, *(annotate_field(RECORD, field, value) for field, value in kept.items() if value is not None)]


def _dump(
    value: BodsEntity | BodsPerson | BodsRelationship | BodsSource | BodsPublication | BodsAnnotation,
) -> dict[str, Any]:
    """The object in its wire form, without what is absent or empty."""
    dumped: dict[str, Any] = value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {name: item for name, item in dumped.items() if item != []}
