"""The owners of a business as parties of a screening, and what their results say about ownership by listed parties.

Owners are the parties of the ownership statements that have an interest in the business, directly or through others. One with an
open hit counts as listed until every hit is dismissed; one that could not be screened may be listed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from bonafide.i18n.message import Message, plural_message
from bonafide.matching.ownership.owner_chains import describe_chain, find_owner_chains
from bonafide.matching.ownership.roll_up import assess_deemed_ownership
from bonafide.model.entity import Address
from bonafide.model.entry import EntityKind
from bonafide.model.ownership.answer import ClaimedParty
from bonafide.model.ownership.chain import ListedOwnerChain, OwnershipScreening, OwnershipStep, describe_share
from bonafide.model.ownership.roll_up import DeemedStatus
from bonafide.model.ownership.statement import InterestKind, PartyKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import ScreenedSubject, Screening, ScreeningStatus, SubjectOrigin, SubjectRole
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.screening.party_set import BusinessParty, list_foreign_countries, withdraw_clearance

_KINDS = {
    PartyKind.PERSON: EntityKind.PERSON,
    PartyKind.BUSINESS: EntityKind.ORGANIZATION,
    PartyKind.TRUST: EntityKind.ORGANIZATION,
    PartyKind.GOVERNMENT: EntityKind.ORGANIZATION,
}

_DESCRIPTIONS = {
    DeemedStatus.DEEMED: Message("Owners with open hits own or control {share} of the business, which is half or more."),
    DeemedStatus.POSSIBLE: Message("Owners with open hits own or control {share} of the business, which may be half or more."),
    DeemedStatus.UNDETERMINED: Message(
        "Owners with open hits own or control {share} of the business. Together with owners who are unknown or could not be "
        "screened, it could be half or more, so that this is not a clear result."
    ),
    DeemedStatus.NOT_DEEMED: Message("Owners with open hits own or control {share} of the business, which is less than half."),
}


def list_owner_parties(joined: JoinedStatements, day: date) -> list[BusinessParty]:
    """The named parties that have an interest in the business on a day, the strongest chain first."""
    parties = {party.id: party for party in joined.parties}
    names = {party.id: party.name for party in joined.parties}
    chains = find_owner_chains(joined.to_claims(), names, day)
    return [_to_party(parties[owner], name, chain) for owner, chain in chains.items() if (name := names[owner]) is not None]


def _to_party(party: ClaimedParty, name: str, path: tuple[OwnershipStep, ...]) -> BusinessParty:
    kind = _KINDS.get(party.kind)
    subject = ScreeningSubject(
        name,
        entity_type=kind,
        countries=list_foreign_countries([Address(country=country) for country in party.countries]),
        date_of_birth=party.date_of_birth,
    )
    role = SubjectRole.DIRECTOR if path[0].interest == InterestKind.DIRECTOR else SubjectRole.OWNER
    return BusinessParty(role, SubjectOrigin.OWNERSHIP, kind, subject, path=path)


@dataclass(frozen=True, slots=True)
class ListedOwners:
    """The IDs of owners with an open hit, who count as listed, and of those that could not be screened."""

    listed: frozenset[str]
    unscreened: frozenset[str]


def find_listed_owners(subjects: Iterable[ScreenedSubject]) -> ListedOwners:
    """The owners among the subjects that count as listed or may be listed. Directors are neither: they own nothing."""
    owners = [(subject.owner_id, subject) for subject in subjects if subject.owner_id is not None]
    return ListedOwners(
        frozenset(owner for owner, subject in owners if subject.open_hits > 0),
        frozenset(owner for owner, subject in owners if subject.status is ScreeningStatus.NOT_SCREENED),
    )


def assess_ownership(screening: Screening, joined: JoinedStatements, day: date) -> Screening:
    """The screening with the ownership by listed parties, by the open hits of its subjects. CPU-bound.

    If a list could not be screened, an owner without a hit counts as not screened.
    """
    missing = [item.source for item in screening.lists_not_screened]
    subjects = [withdraw_clearance(subject, missing) for subject in screening.subjects]
    found = find_listed_owners(subjects)
    deemed = assess_deemed_ownership(joined.to_claims(), found.listed, day, found.unscreened)
    names = {party.id: party.name for party in joined.parties}
    ownership = OwnershipScreening(
        status=deemed.status,
        share=deemed.share,
        description=_DESCRIPTIONS[deemed.status].fill(share=describe_share(deemed.share)),
        paths=tuple(
            ListedOwnerChain(
                party=path.parties[0],
                name=names[path.parties[0]],
                steps=describe_chain(joined.to_claims(), names, day, path.parties),
            )
            for path in deemed.paths
        ),
        reason=describe_unscreened(found),
        as_of=day,
    )
    return screening.model_copy(update={"ownership": ownership})


def describe_unscreened(found: ListedOwners) -> Message | None:
    """How many owners could not be screened; None if all were."""
    count = len(found.unscreened)
    if count == 0:
        return None
    return plural_message(
        "{n} owner could not be screened and may be listed.", "{n} owners could not be screened and may be listed.", count
    )
