"""Roll-ups of claims equal those of an independent computation: contradicting claimants, votes, control, and nearly closed cycles.

The computation works with fractions, solves the equations exactly, and tries every extreme distribution of every party's bands.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.ownership.owner_candidates import SLACK, bound_shares
from bonafide.matching.ownership.roll_up import OwnershipClaims, roll_up
from bonafide.matching.ownership.share_graph import read_interests
from bonafide.model.ownership.roll_up import DeemedStatus
from bonafide.model.ownership.statement import Claimant, InterestKind, OwnershipInterest, PartyKind, ShareBand
from tests.support.ownership_graphs import DrawnGraph, DrawnStake
from tests.support.sampling import examples

DAY = date(2026, 11, 1)
ERROR = 2e-6
"""Results have six decimals."""
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
UNIT = 10**7
"""Shares are multiples of the distance from an open end."""
Ends = tuple[Fraction, Fraction]
Bands = dict[str, dict[str, Ends]]
"""By owned party and owner."""
Weights = Mapping[str, Mapping[str, Fraction]]
Control = dict[str, list[tuple[str, bool]]]
"""By owned party: the owner, and whether the control is certain."""


class ClaimsGenerator:
    """Draws claims about `b0` by one or two claimants, of two or three businesses and of persons, and keeps them as fractions."""

    def __init__(self, seed: int, *, claimants: int, votes: float, control: float) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - repeatable claims
        self.businesses = [f"b{number}" for number in range(self.rng.randint(2, 3))]
        self.persons = ["p0", "p1", "p2"]
        self.shares: list[Bands] = []
        self.votes: list[Bands] = []
        self.control: Control = defaultdict(list)
        self.interests: dict[Claimant, list[OwnershipInterest]] = {}
        for claimant in list(Claimant)[:claimants]:
            self.interests[claimant] = []
            self.shares.append(self._draw_bands(claimant, InterestKind.SHARES, 1.0 if claimants == 1 else 0.8))
            self.votes.append(self._draw_bands(claimant, InterestKind.VOTES, votes))
        for owned in self.businesses:
            if self.rng.random() < control:
                owner = self.rng.choice([party for party in (*self.businesses, *self.persons) if party != owned])
                kind = self.rng.choice((InterestKind.CONTROL, InterestKind.SETTLOR))
                self.control[owned].append((owner, kind is InterestKind.CONTROL))
                self._add(Claimant.DECLARED, owner, owned, kind, None)

    def _draw_bands(self, claimant: Claimant, kind: InterestKind, likelihood: float) -> Bands:
        bands: Bands = {}
        for owned in self.businesses:
            if self.rng.random() >= likelihood:
                continue
            owners = self.rng.sample([*self.businesses, *self.persons], self.rng.randint(1, 3))
            cuts = sorted(self._draw_share() for _ in owners)
            bands[owned] = {}
            for owner, exact in zip(owners, (b - a for a, b in zip([0, *cuts[:-1]], cuts, strict=True)), strict=True):
                ends = Fraction(self._lower(exact), UNIT), Fraction(self._raise(exact), UNIT)
                bands[owned][owner] = ends
                self._add(claimant, owner, owned, kind, ends)
        return bands

    def _draw_share(self) -> int:
        """Often next to nothing, next to the whole, or a threshold."""
        return self.rng.choice((0, 1, 2, UNIT // 4, UNIT // 2, UNIT - 2, UNIT - 1, UNIT, self.rng.randint(0, UNIT)))

    def _lower(self, share: int) -> int:
        return self.rng.choice((share, share, share, max(0, share - 1), self.rng.randint(0, share), 0))

    def _raise(self, share: int) -> int:
        return self.rng.choice((share, share, share, min(UNIT, share + 1), self.rng.randint(share, UNIT), UNIT))

    def _add(self, claimant: Claimant, owner: str, owned: str, kind: InterestKind, ends: Ends | None) -> None:
        share = None if ends is None else ShareBand(min=float(ends[0]), max=float(ends[1]))
        held = self.interests[claimant]
        held.append(OwnershipInterest(id=str(len(held)), owner=owner, owned=owned, kind=kind, share=share))

    def to_claims(self) -> OwnershipClaims:
        kinds = dict.fromkeys(self.businesses, PartyKind.BUSINESS) | dict.fromkeys(self.persons, PartyKind.PERSON)
        return OwnershipClaims(kinds, self.interests, "b0")


def unite(claims: Sequence[Bands]) -> Bands:
    """Of each owned party the bounds over all claimants that say something about its owners."""
    united: Bands = {}
    for owned in {owned for bands in claims for owned in bands}:
        known = [bands[owned] for bands in claims if owned in bands]
        owners = {owner for bands in known for owner in bands}
        each = {owner: [bands.get(owner, (Fraction(0), Fraction(0))) for bands in known] for owner in owners}
        united[owned] = {owner: (min(low for low, _ in ends), max(high for _, high in ends)) for owner, ends in each.items()}
    return united


def list_extremes(bands: Mapping[str, Ends]) -> list[dict[str, Fraction]]:
    """For every order of the owners: each takes what it can of what the lower ends leave open."""
    found = []
    for count in range(len(bands) + 1):
        for order in permutations(bands, count):
            chosen = {owner: low for owner, (low, _) in bands.items()}
            left = 1 - sum(chosen.values())
            for owner in order:
                more = min(bands[owner][1] - bands[owner][0], left)
                chosen[owner] += more
                left -= more
            if chosen not in found:
                found.append(chosen)
    return found


def solve(weights: Weights, businesses: Sequence[str], owners: set[str]) -> dict[str, Fraction]:
    """What the owners have of each business: the smallest solution, by elimination with fractions."""
    reached, before = set(owners), set[str]()
    while reached != before:
        before = set(reached)
        reached |= {one for one in businesses if any(weight > 0 and owner in before for owner, weight in weights[one].items())}
    unknown = [one for one in businesses if one in reached and one not in owners]
    rows = []
    for one in unknown:
        held = [(owner == one) - weights[one].get(owner, Fraction(0)) for owner in unknown]
        rows.append([*map(Fraction, held), sum((weight for owner, weight in weights[one].items() if owner in owners), Fraction(0))])
    for place in range(len(rows)):
        pivot = next(row for row in range(place, len(rows)) if rows[row][place] != 0)
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [value / rows[place][place] for value in rows[place]]
        for other in range(len(rows)):
            if other != place:
                factor = rows[other][place]
                rows[other] = [value - factor * base for value, base in zip(rows[other], rows[place], strict=True)]
    values = dict.fromkeys(businesses, Fraction(0)) | {one: row[-1] for one, row in zip(unknown, rows, strict=True)}
    return values | {one: Fraction(1) for one in businesses if one in owners}


def attribute(
    views: Sequence[Weights], control: Control, owners: set[str], least: Fraction, *, is_certain: bool, by_more: bool = False
) -> Fraction:
    """The largest share by any view, with the holdings of parties that the owners control or of which they have the limit."""
    counted, before = set(owners), set[str]()
    while counted != before:
        before = set(counted)
        for weights in views:
            values = solve(weights, [*weights], counted - {"b0"})
            counted |= {one for one in weights if one != "b0" and (values[one] > least or (values[one] == least and not by_more))}
        counted |= {
            owned
            for owned, edges in control.items()
            if any(owner in counted - {"b0"} and (certain or not is_certain) for owner, certain in edges)
        }
    if "b0" in counted:
        return Fraction(1)
    return max(solve(weights, [*weights], counted)["b0"] for weights in views)


def list_views(drawn: ClaimsGenerator, claims: Sequence[int]) -> list[Bands]:
    """The bounds by shares, and by votes if any are stated: where no votes of a party are, they follow the shares."""
    shares, votes = unite([drawn.shares[place] for place in claims]), unite([drawn.votes[place] for place in claims])
    return [shares, shares | votes] if any(drawn.votes[place] for place in claims) else [shares]


def get_low_weights(view: Bands, businesses: Sequence[str]) -> Weights:
    return {one: {owner: low for owner, (low, _) in view.get(one, {}).items()} for one in businesses}


def list_distributions(view: Bands, businesses: Sequence[str]) -> Iterator[Weights]:
    for chosen in product(*(list_extremes(view.get(one, {})) for one in businesses)):
        yield dict(zip(businesses, chosen, strict=True))


def compute_low(
    drawn: ClaimsGenerator, claims: Sequence[int], owners: set[str], least: Fraction, *, by_more: bool = False
) -> Fraction:
    views = [get_low_weights(view, drawn.businesses) for view in list_views(drawn, claims)]
    control = drawn.control if claims[0] == 0 else {}
    return attribute(views, control, owners, least, is_certain=True, by_more=by_more)


@given(seed=st.integers(0, 2**32), claimants=st.integers(1, 2))
@examples(300)
def test_shares_equal_those_of_every_distribution(seed: int, claimants: int) -> None:
    """Through claims near 0 and 1: the lowest and the highest share of every owner, also by contradicting claimants."""
    drawn = ClaimsGenerator(seed, claimants=claimants, votes=0, control=0)
    (view,) = list_views(drawn, range(claimants))
    found = {owner.party: owner.share for owner in roll_up(drawn.to_claims(), (), DAY).beneficial_owners}
    for person in drawn.persons:
        low = solve(get_low_weights(view, drawn.businesses), drawn.businesses, {person})["b0"]
        high = max(solve(weights, drawn.businesses, {person})["b0"] for weights in list_distributions(view, drawn.businesses))
        if person in found:
            assert found[person].min == pytest.approx(float(low), abs=ERROR)
            assert found[person].max == pytest.approx(float(high), abs=ERROR)
        else:
            assert high < QUARTER, person


@given(seed=st.integers(0, 2**32), claimants=st.integers(1, 2))
@examples(300)
def test_the_status_equals_that_of_every_distribution(seed: int, claimants: int) -> None:
    """Listed persons who certainly reach half are reported as such, and those who may reach it are never clean."""
    drawn = ClaimsGenerator(seed, claimants=claimants, votes=0.4, control=0.2)
    listed = {"p0", "p1"}
    deemed = roll_up(drawn.to_claims(), listed, DAY).deemed_sanctioned
    low = compute_low(drawn, range(claimants), listed, HALF)
    assert deemed.share.min == pytest.approx(float(low), abs=ERROR)
    alone = [compute_low(drawn, [place], listed, HALF) for place in range(claimants)]
    assert (deemed.status is DeemedStatus.DEEMED) == (max(low, *alone) >= HALF)
    if deemed.status is DeemedStatus.DEEMED:
        return
    views = list_views(drawn, range(claimants))
    combinations = [*product(*([*list_distributions(view, drawn.businesses)] for view in views))]
    for chosen in drawn.rng.sample(combinations, k=min(60, len(combinations))):
        high = attribute(chosen, drawn.control, listed, HALF, is_certain=False)
        assert deemed.share.max >= float(high) - ERROR
        assert high < HALF or deemed.status is DeemedStatus.POSSIBLE


@given(seed=st.integers(0, 2**32), claimants=st.integers(1, 2))
@examples(200)
def test_every_certain_owner_is_found(seed: int, claimants: int) -> None:
    """Owners by shares, votes and majorities across both, with at least a quarter."""
    drawn = ClaimsGenerator(seed, claimants=claimants, votes=0.4, control=0.2)
    found = {owner.party: owner for owner in roll_up(drawn.to_claims(), (), DAY).beneficial_owners}
    for person in drawn.persons:
        low = compute_low(drawn, range(claimants), {person}, HALF + Fraction(1, 10**8), by_more=True)
        if low >= QUARTER:
            assert found[person].is_certain, person
            assert found[person].controlled.min >= float(low) - ERROR


@given(seed=st.integers(0, 2**32))
@examples(25)
def test_every_owner_of_a_quarter_is_a_candidate(seed: int) -> None:
    """In deep structures, where an owner has next to nothing on each level."""
    rng = random.Random(seed)  # noqa: S311 - a repeatable graph
    levels = rng.randint(100, 900)
    persons = [f"p{number}" for number in range(3)]
    graph = DrawnGraph()
    shares = dict.fromkeys(persons, 0.0)
    above = "p9"
    for level in reversed(range(levels)):
        small = [rng.choice((0.00009, 0.00009, 0.00005)) for _ in persons]
        graph.stakes[f"b{level}"] = [
            DrawnStake(above, 1 - sum(small), 1 - sum(small)),
            *(DrawnStake(person, share, share) for person, share in zip(persons, small, strict=True)),
        ]
        shares = {person: share + shares[person] * (1 - sum(small)) for person, share in zip(persons, small, strict=True)}
        above = f"b{level}"
    bounds, numbers = bound_shares(graph.build_table("b0")), graph.number_parties()
    for person, share in shares.items():
        assert bounds.get(numbers[person], 0.0) >= share - SLACK


def test_contradicting_lower_ends_leave_every_stated_share_possible() -> None:
    """A statement of an earlier version: 55 % of the shares of a trust, and 85 % of its benefits."""
    interests = [
        OwnershipInterest(id=str(number), owner=owner, owned="b0", kind=kind, share=ShareBand(exact=share))
        for number, (owner, kind, share) in enumerate(
            [("p0", InterestKind.SHARES, 0.55), ("p1", InterestKind.SHARES, 0.45), ("p1", InterestKind.BENEFICIARY, 0.4)]
        )
    ]
    claimed = read_interests({Claimant.DECLARED: interests}, {"b0": 0, "p0": 1, "p1": 2}, 3, DAY)
    stakes = claimed.build_graphs()[InterestKind.SHARES].stakes
    ends = zip(stakes.owners.tolist(), stakes.low.round(9).tolist(), stakes.high.round(9).tolist(), strict=True)
    assert list(ends) == [(1, 0.15, 0.55), (2, 0.45, 0.85)]
