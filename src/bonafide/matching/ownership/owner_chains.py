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

from bonafide.i18n.message import Message, plural_message
from bonafide.matching.ownership.ownership_paths import create_share_range
from bonafide.matching.ownership.roll_up import OwnershipClaims
from bonafide.model.ownership.chain import OwnershipStep
from bonafide.model.ownership.roll_up import ShareRange, describe_range
from bonafide.model.ownership.statement import MEASURED, InterestKind, OwnershipInterest

UNNAMED = Message("an unknown party")
MAX_STEPS = 12
"""The most parties of a chain that are shown. Of a longer one, the parties in the middle are left out."""
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


class OwnerChains:
    """The strongest chain of each party that has an interest in the business on a day, directly or not.

    Interests of all claimants count. Only the next party of each chain is kept, because the chains of a structure of a thousand
    parties can have half a million steps; `describe` writes the steps of one chain.
    """

    def __init__(self, claims: OwnershipClaims, names: Mapping[str, str | None], day: date) -> None:
        self._subject, self.names = claims.subject, names
        self._links, directors = _find_links(claims, day)
        self._next = _find_next_parties(claims.subject, self._links)
        for owned, people in directors.items():
            for person in people:
                if (owned in self._next or owned == claims.subject) and person not in self._next and person != claims.subject:
                    self._links[person, owned] = _Link(InterestKind.DIRECTOR, None, 0.0)
                    self._next[person] = owned

    @property
    def owners(self) -> tuple[str, ...]:
        """IDs of the parties, that with the strongest chain first. Directors of the business and of its owners come last."""
        return tuple(self._next)

    def is_director(self, owner: str) -> bool:
        """Whether the chain begins with a directorship: the party owns nothing."""
        return self._links[owner, self._next[owner]].kind is InterestKind.DIRECTOR

    def find_chain(self, owner: str) -> list[str]:
        """IDs of the parties of the chain, the owner first and the business last."""
        chain = [owner]
        while chain[-1] != self._subject:
            chain.append(self._next[chain[-1]])
        return chain

    def describe(self, chain: Sequence[str]) -> tuple[OwnershipStep, ...]:
        """A chain or a path of a roll-up in words, with at most `MAX_STEPS` parties."""
        left_out = max(len(chain) - MAX_STEPS, 0)
        first = MAX_STEPS // 2
        steps = [
            self._describe_step(owner, owned, left_out if left_out and number == first - 1 else 0)
            for number, (owner, owned) in enumerate(pairwise(chain))
            if number < first or number >= first + left_out
        ]
        last = chain[-1]
        return (*steps, OwnershipStep(party=last, name=self.names.get(last), interest=None, share=None, description=None))

    def _describe_step(self, owner: str, owned: str, left_out: int) -> OwnershipStep:
        link, name = self._links[owner, owned], self.names.get(owner)
        words = describe_interest(link.kind, link.share, name, self.names.get(owned))
        if left_out:
            words = plural_message(
                "{interest}; the next party of the chain isn’t shown",
                "{interest}; the next {n} parties of the chain aren’t shown",
                left_out,
                interest=words,
            )
        return OwnershipStep(
            party=owner, name=name, interest=link.kind.value, share=link.share, left_out=left_out, description=words
        )


def _find_next_parties(subject: str, links: Mapping[tuple[str, str], _Link]) -> dict[str, str]:
    """The next party of the strongest chain of each party, in the order of strength."""
    digraph: nx.DiGraph[str] = nx.DiGraph()
    digraph.add_node(subject)
    digraph.add_weighted_edges_from((owned, owner, link.cost) for (owner, owned), link in links.items())
    # Dijkstra's algorithm finds the parties in the order of their distances.
    before, distances = nx.dijkstra_predecessor_and_distance(digraph, subject)
    return {owner: before[owner][0] for owner in distances if owner != subject}


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


def describe_interest(kind: InterestKind, share: ShareRange | None, owner: str | None, owned: str | None) -> Message:
    """An interest of one party in another as a sentence without a full stop."""
    ends = {"owner": owner if owner is not None else UNNAMED, "owned": owned if owned is not None else UNNAMED}
    if share is None:
        return _WITHOUT_SHARES[kind].fill(**ends)
    return _OF_SHARES[kind].fill(share=describe_range(share), **ends)
