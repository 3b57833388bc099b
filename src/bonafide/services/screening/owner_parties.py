"""The owners of a business as parties of a screening, and what their results say about ownership by listed parties.

Owners are the parties of the ownership statements that have an interest in the business, directly or through others. One with an
open hit counts as listed until every hit is dismissed; one that could not be screened may be listed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.i18n.message import Message, join_sentences, plural_message
from bonafide.matching.ownership.owner_chains import OwnerChains
from bonafide.matching.ownership.roll_up import OwnershipClaims, assess_deemed_ownership
from bonafide.model.entity import Address
from bonafide.model.entry import EntityKind
from bonafide.model.ownership.answer import ClaimedParty
from bonafide.model.ownership.chain import ListedOwnerChain, OwnershipScreening
from bonafide.model.ownership.roll_up import DeemedStatus, describe_range
from bonafide.model.ownership.statement import PartyKind
from bonafide.model.query import ScreeningSubject
from bonafide.model.search.match import ScreenedSubject, Screening, ScreeningStatus, SubjectOrigin, SubjectRole
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.screening.party_set import BusinessParty, OwnerReference, list_foreign_countries, withdraw_clearance

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


def build_owner_chains(joined: JoinedStatements, claims: OwnershipClaims, day: date) -> OwnerChains:
    """The chains to the business on a day; `claims` are those of the statements. CPU-bound."""
    return OwnerChains(claims, {party.id: party.name for party in joined.parties}, day)


def list_owner_parties(joined: JoinedStatements, day: date) -> list[BusinessParty]:
    """The named parties that have an interest in the business on a day, the strongest chain first. CPU-bound."""
    parties, chains = {party.id: party for party in joined.parties}, build_owner_chains(joined, joined.to_claims(), day)
    return [_to_party(parties[owner], name, chains) for owner in chains.owners if (name := parties[owner].name) is not None]


def _to_party(party: ClaimedParty, name: str, chains: OwnerChains) -> BusinessParty:
    kind = _KINDS.get(party.kind)
    subject = ScreeningSubject(
        name,
        entity_type=kind,
        countries=list_foreign_countries([Address(country=country) for country in party.countries]),
        date_of_birth=party.date_of_birth,
    )
    role = SubjectRole.DIRECTOR if chains.is_director(party.id) else SubjectRole.OWNER
    return BusinessParty(role, SubjectOrigin.OWNERSHIP, kind, subject, owner=OwnerReference(party.id, chains))


@dataclass(frozen=True, slots=True)
class ListedOwners:
    """The IDs of owners with an open hit, who count as listed, and of those that could not be screened."""

    listed: frozenset[str]
    unscreened: frozenset[str]


def find_listed_owners(subjects: Iterable[ScreenedSubject], chains: OwnerChains) -> ListedOwners:
    """The named owners that count as listed or may be listed. Directors are neither: they own nothing.

    An owner that is not among the subjects was beyond the limit of a screening, and may be listed.
    """
    owners = {owner for owner in chains.owners if chains.names[owner] is not None and not chains.is_director(owner)}
    screened = {subject.owner_id: subject for subject in subjects}
    listed = {owner for owner in owners if owner in screened and screened[owner].open_hits > 0}
    clear = {owner for owner in owners if owner in screened and screened[owner].status is ScreeningStatus.SCREENED}
    return ListedOwners(frozenset(listed), frozenset(owners - listed - clear))


def assess_ownership(screening: Screening, joined: JoinedStatements, day: date, missing: Sequence[str]) -> Screening:
    """The screening with the ownership by listed parties, by the open hits of its subjects. CPU-bound.

    `missing` are the keys of official lists that were not screened. If there is one, an owner without an open hit counts as not
    screened.
    """
    subjects = [withdraw_clearance(subject, missing) for subject in screening.subjects]
    claims = joined.to_claims()
    chains = build_owner_chains(joined, claims, day)
    found = find_listed_owners(subjects, chains)
    deemed = assess_deemed_ownership(claims, found.listed, day, found.unscreened)
    status = determine_deemed_status(deemed.status, joined)
    ownership = OwnershipScreening(
        status=status,
        share=deemed.share,
        description=_DESCRIPTIONS[status].fill(share=describe_range(deemed.share)),
        paths=tuple(
            ListedOwnerChain(party=path.parties[0], name=chains.names[path.parties[0]], steps=chains.describe(path.parties))
            for path in deemed.paths
        ),
        reason=describe_incompleteness(found, joined),
        as_of=day,
    )
    return screening.model_copy(update={"ownership": ownership})


def determine_deemed_status(status: DeemedStatus, joined: JoinedStatements) -> DeemedStatus:
    """The status, which is never clear if a claimant’s statement could not be read."""
    is_clear = status is DeemedStatus.NOT_DEEMED
    return DeemedStatus.UNDETERMINED if is_clear and joined.unreadable is not None else status


def describe_incompleteness(found: ListedOwners, joined: JoinedStatements) -> Message | None:
    """How many owners could not be screened, and what could not be read; None if nothing is missing."""
    count = len(found.unscreened)
    if not count:
        return joined.unreadable
    unscreened = plural_message(
        "{n} owner could not be screened and may be listed.", "{n} owners could not be screened and may be listed.", count
    )
    return join_sentences(unscreened, joined.unreadable) if joined.unreadable is not None else unscreened
