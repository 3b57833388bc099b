"""The strongest chain of interests from each owner to the business, in words.

Unlike the paths of a roll-up, a chain keeps the nature of each interest and the shares as they are claimed, and directors have one.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from math import log
from typing import NamedTuple

import networkx as nx

from bonafide.i18n.message import Message
from bonafide.matching.ownership.ownership_paths import create_share_range
from bonafide.matching.ownership.roll_up import OwnershipClaims
from bonafide.model.ownership.chain import OwnershipStep, describe_share
from bonafide.model.ownership.roll_up import ShareRange
from bonafide.model.ownership.statement import MEASURED, InterestKind, OwnershipInterest

UNNAMED = Message("an unknown party")
_ORDER = tuple(InterestKind)
"""Of several interests of one party in another, a chain shows the first in this order."""
_OF_SHARES = {
    InterestKind.SHARES: Message("{owner} has {share} of the shares of {owned}"),
    InterestKind.VOTES: Message("{owner} has {share} of the votes of {owned}"),
    InterestKind.BENEFICIARY: Message("{owner} has {share} of the benefits of {owned}"),
}
_WITHOUT_SHARES = {
    InterestKind.SHARES: Message("{owner} has an unknown share of {owned}"),
    InterestKind.VOTES: Message("{owner} has an unknown share of the votes of {owned}"),
    InterestKind.BENEFICIARY: Message("{owner} is a beneficiary of {owned}"),
    InterestKind.CONTROL: Message("{owner} controls {owned}"),
    InterestKind.TRUSTEE: Message("{owner} is a trustee of {owned}"),
    InterestKind.SETTLOR: Message("{owner} is a settlor of {owned}"),
    InterestKind.DIRECTOR: Message("{owner} is a director of {owned}"),
}


class _Link(NamedTuple):
    kind: InterestKind
    share: ShareRange | None
    cost: float


def find_owner_chains(claims: OwnershipClaims, names: Mapping[str, str | None], day: date) -> dict[str, tuple[OwnershipStep, ...]]:
    """The strongest chain of each party that has an interest in the business on a day, directly or not, the strongest first.

    Interests of all claimants count. Directors of the business and of its owners come last.
    """
    links, directors = _find_links(claims, day)
    digraph: nx.DiGraph[str] = nx.DiGraph()
    digraph.add_node(claims.subject)
    digraph.add_weighted_edges_from((owned, owner, link.cost) for (owner, owned), link in links.items())
    # Dijkstra's algorithm finds the parties in the order of their cost.
    chains = {owner: found[::-1] for owner, found in nx.single_source_dijkstra_path(digraph, claims.subject).items()}
    for owned, people in directors.items():
        for person in people:
            if owned in chains and person not in chains:
                links[person, owned] = _Link(InterestKind.DIRECTOR, None, 0.0)
                chains[person] = [person, *chains[owned]]
    del chains[claims.subject]
    return {owner: _describe(chain, links, names) for owner, chain in chains.items()}


def describe_chain(
    claims: OwnershipClaims, names: Mapping[str, str | None], day: date, parties: Sequence[str]
) -> tuple[OwnershipStep, ...]:
    """A path of a roll-up as a chain: `parties` are the IDs from the owner to the business."""
    return _describe(parties, _find_links(claims, day)[0], names)


def _find_links(claims: OwnershipClaims, day: date) -> tuple[dict[tuple[str, str], _Link], dict[str, list[str]]]:
    """What the chains are made of: the interest of each party in another, and the directors of each party."""
    held: dict[tuple[str, str], list[OwnershipInterest]] = defaultdict(list)
    directors: dict[str, list[str]] = defaultdict(list)
    for interest in (one for interests in claims.interests.values() for one in interests):
        if not interest.is_in_force(day) or (interest.share is not None and interest.share.high == 0):
            continue
        if interest.kind is InterestKind.DIRECTOR:
            directors[interest.owned].append(interest.owner)
        else:
            held[interest.owner, interest.owned].append(interest)
    return {ends: _choose_link(interests) for ends, interests in held.items()}, directors


def _choose_link(interests: Sequence[OwnershipInterest]) -> _Link:
    """The interest of one party in another that a chain shows. Control counts as a whole, whatever the shares are."""
    kind = min((interest.kind for interest in interests), key=_ORDER.index)
    shares = [interest.share for interest in interests if interest.kind is kind]
    stated = [share for share in shares if share is not None]
    highest = max(share.high for share in stated) if len(stated) == len(shares) and stated else 1.0
    is_controlled = any(interest.kind not in MEASURED for interest in interests)
    share = create_share_range(min(share.low for share in stated), max(share.high for share in stated)) if stated else None
    return _Link(kind, share, 0.0 if is_controlled else -log(highest))


def _describe(
    chain: Sequence[str], links: Mapping[tuple[str, str], _Link], names: Mapping[str, str | None]
) -> tuple[OwnershipStep, ...]:
    steps = []
    for owner, owned in pairwise(chain):
        link = links[owner, owned]
        described = describe_interest(link.kind, link.share, names.get(owner), names.get(owned))
        steps.append(
            OwnershipStep(party=owner, name=names.get(owner), interest=link.kind.value, share=link.share, description=described)
        )
    last = chain[-1]
    return (*steps, OwnershipStep(party=last, name=names.get(last), interest=None, share=None, description=None))


def describe_interest(kind: InterestKind, share: ShareRange | None, owner: str | None, owned: str | None) -> Message:
    """An interest of one party in another as a sentence without a full stop."""
    ends = {"owner": owner if owner is not None else UNNAMED, "owned": owned if owned is not None else UNNAMED}
    if share is None:
        return _WITHOUT_SHARES[kind].fill(**ends)
    return _OF_SHARES[kind].fill(share=describe_share(share), **ends)
