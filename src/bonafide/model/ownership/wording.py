"""Ownership in words: kinds of parties and interests, claimants, shares, and chains of interests as sentences."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from bonafide.i18n.message import Message, join_messages
from bonafide.model.ownership.answer import ClaimedInterest, OwnershipAnswer
from bonafide.model.ownership.roll_up import DeemedStatus, OwnershipBasis, OwnershipPath, describe_fraction, describe_range
from bonafide.model.ownership.statement import (
    MEASURED,
    Claimant,
    InterestKind,
    OwnershipParty,
    PartyKind,
    ShareBand,
)

PARTY_KIND = MappingProxyType({
    PartyKind.BUSINESS: Message("Business"),
    PartyKind.PERSON: Message("Person"),
    PartyKind.TRUST: Message("Trust"),
    PartyKind.GOVERNMENT: Message("Government"),
    PartyKind.UNKNOWN: Message("Unknown owner"),
})  # fmt: skip
INTEREST_KIND = MappingProxyType({
    InterestKind.SHARES: Message("Shares"),
    InterestKind.VOTES: Message("Votes"),
    InterestKind.CONTROL: Message("Control"),
    InterestKind.TRUSTEE: Message("Trustee"),
    InterestKind.SETTLOR: Message("Settlor"),
    InterestKind.BENEFICIARY: Message("Beneficiary"),
    InterestKind.DIRECTOR: Message("Director"),
})  # fmt: skip
CLAIMANT = MappingProxyType({
    Claimant.DECLARED: Message("Declared by the business"),
    Claimant.REGISTRY: Message("Register of owners"),
    Claimant.LEI: Message("LEI records"),
    Claimant.DOCUMENT: Message("Document"),
})  # fmt: skip
CLAIMANT_SHORT = MappingProxyType({
    Claimant.DECLARED: Message("declared"),
    Claimant.REGISTRY: Message("register"),
    Claimant.LEI: Message("LEI"),
    Claimant.DOCUMENT: Message("document"),
})  # fmt: skip
"""For places with little room."""
OWNERSHIP_BASIS = MappingProxyType({
    OwnershipBasis.SHARES: Message("Shares"),
    OwnershipBasis.VOTES: Message("Votes"),
    OwnershipBasis.CONTROL: Message("Control"),
})  # fmt: skip
DEEMED_STATUS = MappingProxyType({
    DeemedStatus.DEEMED: Message("Owners with open hits own or control half of the business or more."),
    DeemedStatus.POSSIBLE: Message("Owners with open hits may own or control half of the business or more."),
    DeemedStatus.UNDETERMINED: Message(
        "Owners with open hits, owners who are unknown and owners who could not be screened may together own or control half of "
        "the business or more."
    ),
    DeemedStatus.NOT_DEEMED: Message("Owners with open hits own or control less than half of the business."),
})  # fmt: skip
NOT_SCREENED = Message("The owners were not screened. It isn’t known whether listed parties own or control the business.")
NOT_STATED = Message("Not stated")
_UNSTATED_SHARE = Message("an unstated share")
_BANDS = {
    (False, False): Message("{min} to {max}"),
    (True, False): Message("more than {min} to {max}"),
    (False, True): Message("{min} to less than {max}"),
    (True, True): Message("more than {min} to less than {max}"),
}
_OWNER_CLAUSE: Mapping[InterestKind, Message] = {
    InterestKind.SHARES: Message("{owner} owns {share} of {owned}"),
    InterestKind.VOTES: Message("{owner} has {share} of the votes in {owned}"),
    InterestKind.CONTROL: Message("{owner} controls {owned}"),
    InterestKind.TRUSTEE: Message("{owner} is a trustee of {owned}"),
    InterestKind.SETTLOR: Message("{owner} is a settlor of {owned}"),
    InterestKind.BENEFICIARY: Message("{owner} has {share} of the benefits of {owned}"),
    InterestKind.DIRECTOR: Message("{owner} is a director of {owned}"),
}
_RELATIVE_CLAUSE: Mapping[InterestKind, Message] = {
    InterestKind.SHARES: Message("which owns {share} of {owned}"),
    InterestKind.VOTES: Message("which has {share} of the votes in {owned}"),
    InterestKind.CONTROL: Message("which controls {owned}"),
    InterestKind.TRUSTEE: Message("which is a trustee of {owned}"),
    InterestKind.SETTLOR: Message("which is a settlor of {owned}"),
    InterestKind.BENEFICIARY: Message("which has {share} of the benefits of {owned}"),
    InterestKind.DIRECTOR: Message("which is a director of {owned}"),
}


def get_party_name(party: OwnershipParty) -> str:
    """The party's name, or a message for somebody whom the source doesn't name."""
    return party.name if party.name is not None else PARTY_KIND[PartyKind.UNKNOWN]


def describe_share(share: ShareBand | None) -> Message:
    """The share as the source gives it: exact, or a band with its ends."""
    if share is None:
        return NOT_STATED
    if share.exact is not None:
        return describe_fraction(share.exact)
    if share.min is not None and share.max is not None:
        ends = {"min": describe_fraction(share.min), "max": describe_fraction(share.max)}
        return _BANDS[share.exclusive_min, share.exclusive_max].fill(**ends)
    if share.min is not None:
        template = Message("more than {min}") if share.exclusive_min else Message("{min} or more")
        return template.fill(min=describe_fraction(share.min))
    template = Message("less than {max}") if share.exclusive_max else Message("{max} or less")
    return template.fill(max=describe_fraction(share.high))


def describe_path(answer: OwnershipAnswer, path: OwnershipPath) -> Message:
    """A chain of interests as a sentence: who owns what of whom, and the product."""
    names = {party.id: get_party_name(party) for party in answer.parties}
    between: dict[tuple[str, str], list[ClaimedInterest]] = defaultdict(list)
    for interest in answer.interests:
        between[interest.owner, interest.owned].append(interest)
    clauses = []
    for number, ((owner, owned), code) in enumerate(zip(pairwise(path.parties), path.kinds, strict=True)):
        current = [interest for interest in between[owner, owned] if interest.is_in_force(answer.as_of)]
        kind, claims = _find_claims(current, InterestKind(code))
        clause = (_OWNER_CLAUSE if number == 0 else _RELATIVE_CLAUSE)[kind]
        values = {"owner": names[owner], "owned": names[owned]}
        clauses.append(clause.fill(**values, **({"share": _describe_claims(claims)} if kind in MEASURED else {})))
    chain = join_messages(clauses, ", ")
    if path.share is None:
        return Message("{chain}: control without shares", chain=chain)
    return Message("{chain}: {share}", chain=chain, share=describe_range(path.share)) if len(clauses) > 1 else chain


def _find_claims(between: Sequence[ClaimedInterest], kind: InterestKind) -> tuple[InterestKind, Sequence[ClaimedInterest]]:
    """Of the interests behind a link of a chain those of one kind: votes may follow from shares, and shares from benefits."""
    kinds = (kind, InterestKind.SHARES, InterestKind.BENEFICIARY) if kind in MEASURED else (kind,)
    for each in kinds:
        found = [interest for interest in between if interest.kind is each]
        if found:
            return each, found
    return kind, ()


def _describe_claims(claims: Sequence[ClaimedInterest]) -> Message:
    """The share that the claimants agree on, or that of each."""
    shares = [(describe_share(claim.share) if claim.share is not None else _UNSTATED_SHARE, claim.claimed_by) for claim in claims]
    if len(set(map(str, (share for share, _ in shares)))) == 1:
        return shares[0][0]
    each = [Message("{share} ({claimant})", share=share, claimant=CLAIMANT_SHORT[claimant]) for share, claimant in shares]
    return join_messages(each, " / ") if each else _UNSTATED_SHARE
