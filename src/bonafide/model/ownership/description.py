"""The ownership of a business in words, for pages and printed documents: owners with the reasons, and a row for each interest."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.ownership.answer import ClaimedInterest, ClaimedParty, OwnershipAnswer
from bonafide.model.ownership.roll_up import DEEMED_OWNERSHIP, BeneficialOwner, DeemedStatus, describe_range
from bonafide.model.ownership.statement import MEASURED
from bonafide.model.ownership.wording import (
    CLAIMANT,
    DEEMED_STATUS,
    INTEREST_KIND,
    NOT_SCREENED,
    OWNERSHIP_BASIS,
    PARTY_KIND,
    describe_path,
    describe_share,
    get_party_name,
)


class InterestRow(Document):
    """A row of the table beside a diagram: a party, and one of its interests; without an interest the rest is empty."""

    party: Message
    kind: Message
    details: tuple[str, ...]
    """Jurisdiction, number, date of birth and countries, as stated."""
    is_listed: bool
    """Whether the party has an open hit, and so counts as listed. False too if the parties were not screened."""
    owned: Message | None = None
    interest: Message | None = None
    share: Message | None = None
    since: str | None = None
    until: str | None = None
    is_in_force: bool = True
    claimants: tuple[Message, ...]
    """Who claims the interest, or names the party."""
    evidence: str | None = None


class DescribedOwner(Document):
    """An ultimate owner, what it has, and why."""

    name: Message
    kind: Message
    standing: Message
    """The thresholds that it reaches or may reach."""
    is_certain: bool
    is_identified: bool
    is_listed: bool
    share: Message
    votes: Message
    controlled: Message
    bases: tuple[Message, ...]
    paths: tuple[Message, ...]
    """Each chain of interests as a sentence, the strongest first."""


class OwnershipDescription(Document):
    """All that is known of the owners of a business."""

    owners: tuple[DescribedOwner, ...]
    rows: tuple[InterestRow, ...]
    unknown_share: Message
    deemed: Message
    """Whether owners with open hits own or control the business, as a sentence."""
    deemed_status: DeemedStatus | None
    """Null if the parties were not screened."""
    deemed_share: Message | None
    deemed_reason: Message | None
    deemed_paths: tuple[Message, ...]


def describe_ownership(answer: OwnershipAnswer) -> OwnershipDescription:
    """The answer in words."""
    deemed = answer.deemed_sanctioned
    parties = {party.id: party for party in answer.parties}
    listed = frozenset(deemed.parties) if deemed is not None else frozenset()
    return OwnershipDescription(
        owners=tuple(
            _describe_owner(answer, owner, parties[owner.party], is_listed=owner.party in listed)
            for owner in answer.beneficial_owners
        ),
        rows=tuple(_list_rows(answer, listed)),
        unknown_share=describe_range(answer.unknown_share),
        deemed=DEEMED_STATUS[deemed.status] if deemed is not None else NOT_SCREENED,
        deemed_status=deemed.status if deemed is not None else None,
        deemed_share=describe_range(deemed.share) if deemed is not None else None,
        deemed_reason=answer.deemed_sanctioned_reason,
        deemed_paths=tuple(describe_path(answer, path) for path in deemed.paths) if deemed is not None else (),
    )


def _describe_owner(answer: OwnershipAnswer, owner: BeneficialOwner, party: ClaimedParty, *, is_listed: bool) -> DescribedOwner:
    return DescribedOwner(
        name=_to_message(get_party_name(party)),
        kind=PARTY_KIND[party.kind],
        standing=_describe_standing(owner),
        is_certain=owner.is_certain,
        is_identified=owner.is_identified,
        is_listed=is_listed,
        share=describe_range(owner.share),
        votes=describe_range(owner.votes),
        controlled=describe_range(owner.controlled),
        bases=tuple(OWNERSHIP_BASIS[basis] for basis in owner.bases),
        paths=tuple(describe_path(answer, path) for path in owner.paths),
    )


def _describe_standing(owner: BeneficialOwner) -> Message:
    may_have_half = owner.threshold >= DEEMED_OWNERSHIP
    if max(owner.share.min, owner.votes.min, owner.controlled.min) >= DEEMED_OWNERSHIP:
        return Message("50% or more")
    if owner.is_certain:
        return Message("25% or more, possibly 50%") if may_have_half else Message("25% or more")
    return Message("Possibly 50% or more") if may_have_half else Message("Possibly 25% or more")


def _list_rows(answer: OwnershipAnswer, listed: frozenset[str]) -> Iterator[InterestRow]:
    """The parties in the order in which they are named, each with its interests."""
    names = {party.id: _to_message(get_party_name(party)) for party in answer.parties}
    held: dict[str, list[ClaimedInterest]] = defaultdict(list)
    for claimed in answer.interests:
        held[claimed.owner].append(claimed)
    for party in answer.parties:
        # A party that holds nothing is in the table too.
        rows: Sequence[ClaimedInterest | None] = held[party.id] or [None]
        for interest in rows:
            yield _describe_row(answer, party, interest, names, is_listed=party.id in listed)


def _describe_row(
    answer: OwnershipAnswer,
    party: ClaimedParty,
    interest: ClaimedInterest | None,
    names: dict[str, Message],
    *,
    is_listed: bool,
) -> InterestRow:
    named = {
        "party": names[party.id],
        "kind": PARTY_KIND[party.kind],
        "details": tuple(_list_details(party)),
        "is_listed": is_listed,
    }
    if interest is None:
        return InterestRow(**named, claimants=tuple(CLAIMANT[one] for one in party.claimed_by))
    return InterestRow(
        **named,
        owned=names[interest.owned],
        interest=INTEREST_KIND[interest.kind],
        share=describe_share(interest.share) if interest.kind in MEASURED else None,
        since=interest.from_,
        until=interest.to,
        is_in_force=interest.is_in_force(answer.as_of),
        claimants=(CLAIMANT[interest.claimed_by],),
        evidence=interest.evidence,
    )


def _list_details(party: ClaimedParty) -> Iterator[str]:
    registered = [part for part in (party.jurisdiction, party.registration_number) if part is not None]
    if registered:
        yield " ".join(registered)
    if party.date_of_birth is not None:
        yield party.date_of_birth
    if party.countries:
        yield ", ".join(party.countries)


def _to_message(name: str) -> Message:
    return Message.untranslated(name)
