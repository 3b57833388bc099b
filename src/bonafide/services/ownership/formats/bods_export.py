"""Write the ownership of a business as statements of the Beneficial Ownership Data Standard 0.4.

There is one statement for each party, for each interest, and for each identified person who is certainly a beneficial owner through
others. The ID of a statement is made from its content: equal data gives equal statements, and other data another ID.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from bonafide.model.ownership.answer import ClaimedInterest, ClaimedParty, OwnershipAnswer, RecordedStatement
from bonafide.model.ownership.roll_up import BeneficialOwner, OwnershipBasis, ShareRange
from bonafide.model.ownership.statement import Claimant, PartyKind, ShareBand
from bonafide.services.ownership.formats.bods_places import to_bods_country, to_bods_jurisdiction
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
from bonafide.services.ownership.formats.partial_days import get_first_day, get_last_day, is_partial, to_plain_day

_NAMESPACE = uuid5(NAMESPACE_URL, "urn:bonafide:bods-statement")
ROUNDED = "Known as {day}; the standard has whole days only."
"""The description of the annotation of a day that is known less precisely."""
_BASES: Mapping[OwnershipBasis, BodsInterestType] = {
    OwnershipBasis.SHARES: BodsInterestType.SHAREHOLDING,
    OwnershipBasis.VOTES: BodsInterestType.VOTING_RIGHTS,
    OwnershipBasis.CONTROL: BodsInterestType.OTHER_INFLUENCE_OR_CONTROL,
}


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
        self._owners = [owner for owner in answer.beneficial_owners if self._is_stated(owner)]
        self._components = {owner.party: self._list_components(owner) for owner in self._owners}
        self._component_ids = {record for records in self._components.values() for record in records}

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
        return self._write_statement(
            self._recorded[party.claimed_by[0]], record_id, "person" if is_person else "entity", details, self._get_source(party)
        )

    def _build_person(self, party: ClaimedParty) -> BodsPerson:
        is_known = party.kind is PartyKind.PERSON
        return BodsPerson(
            is_component=False,
            person_type=BodsPersonKind.KNOWN if is_known else BodsPersonKind.UNKNOWN,
            unspecified_person_details=None if is_known else NOT_IDENTIFIED,
            names=(BodsName(full_name=party.name),) if party.name is not None else (),
            identifiers=_build_identifiers(party),
            birth_date=to_plain_day(party.date_of_birth) if party.date_of_birth is not None else None,
            addresses=_build_addresses(party),
        )

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
                    type=WRITTEN_INTERESTS[interest.kind],
                    direct_or_indirect="direct",
                    beneficial_ownership_or_control=True if self._makes_owner(interest) else None,
                    share=to_bods_share(interest.share) if interest.share is not None else None,
                    start_date=get_first_day(interest.from_) if interest.from_ is not None else None,
                    end_date=_get_end(interest.to) if interest.to is not None else None,
                ),
            ),
        )
        source = self._get_source(interest).model_copy(update={"description": interest.evidence})
        recorded = self._recorded[interest.claimed_by]
        return self._write_statement(recorded, record_id, "relationship", details, source, _annotate_days(interest))

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
        return self._write_content(recorded.as_of, published, record_id, record_type, details, source, annotations)

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
            for owner_id, owned_id, kind in zip(path.parties, path.parties[1:], path.kinds, strict=False):
                found.update(
                    (self._ids.interest(interest.claimed_by, interest.id), None)
                    for interest in self._answer.interests
                    if (interest.owner, interest.owned, interest.kind) == (owner_id, owned_id, kind)
                    and interest.is_in_force(self._answer.as_of)
                )
        return tuple(found)

    def _makes_owner(self, interest: ClaimedInterest) -> bool:
        """Whether an interest in the business is what makes its owner a beneficial owner."""
        return (
            interest.owned == self._answer.party
            and interest.is_in_force(self._answer.as_of)
            and any(
                owner.party == interest.owner
                and not self._components[owner.party]
                and any(_BASES[basis] is WRITTEN_INTERESTS[interest.kind] for basis in owner.bases)
                for owner in self._owners
            )
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


def _get_end(last: str) -> date:
    """The day from which an interest has ceased to exist: the one after its last day."""
    day = get_last_day(last)
    return day + timedelta(days=1) if day < date.max else day


def _annotate_days(interest: ClaimedInterest) -> list[BodsAnnotation]:
    return [
        BodsAnnotation(
            statement_pointer_target=f"/recordDetails/interests/0/{field}",
            motivation="transformation",
            description=ROUNDED.format(day=day),
        )
        for field, day in (("startDate", interest.from_), ("endDate", interest.to))
        if day is not None and is_partial(day)
    ]


def _dump(
    value: BodsEntity | BodsPerson | BodsRelationship | BodsSource | BodsPublication | BodsAnnotation,
) -> dict[str, Any]:
    """The object in its wire form, without what is absent or empty."""
    dumped: dict[str, Any] = value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {name: item for name, item in dumped.items() if item != []}
