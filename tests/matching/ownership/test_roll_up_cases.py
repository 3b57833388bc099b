"""Roll-ups of known structures: what a compliance analyst would work out by hand."""

import random
from collections.abc import Collection
from datetime import date
from itertools import permutations

import pytest
from pydantic import ValidationError

from bonafide.matching.ownership.roll_up import OwnershipClaims, roll_up
from bonafide.model.ownership.roll_up import DeemedStatus, OwnershipBasis, OwnershipRollUp
from bonafide.model.ownership.statement import (
    Claimant,
    InterestKind,
    OwnershipInterest,
    OwnershipParty,
    OwnershipStatement,
    PartyKind,
    ShareBand,
    find_excess,
)

DAY = date(2026, 11, 1)
KINDS = {"p": PartyKind.PERSON, "b": PartyKind.BUSINESS, "t": PartyKind.TRUST, "u": PartyKind.UNKNOWN}
"""By the first letter of an ID."""
Edge = tuple[str, str, object]


def build_interest(number: int, edge: Edge) -> OwnershipInterest:
    owner, owned, what = edge
    if isinstance(what, InterestKind):
        return OwnershipInterest(id=str(number), owner=owner, owned=owned, kind=what)
    if isinstance(what, tuple):
        kind, exact = what
        return OwnershipInterest(id=str(number), owner=owner, owned=owned, kind=kind, share=ShareBand(exact=exact))
    share = what if isinstance(what, ShareBand) else ShareBand.model_validate({"exact": what})
    return OwnershipInterest(id=str(number), owner=owner, owned=owned, kind=InterestKind.SHARES, share=share)


def roll(
    *edges: Edge, listed: Collection[str] = (), unscreened: Collection[str] = (), registry: Collection[Edge] = ()
) -> OwnershipRollUp:
    """The roll-up of `b`, by one claimant or by two."""
    interests = {Claimant.DECLARED: [build_interest(number, edge) for number, edge in enumerate(edges)]}
    if registry:
        interests[Claimant.REGISTRY] = [build_interest(number, edge) for number, edge in enumerate(registry)]
    ids = dict.fromkeys(
        ["b", *(end for each in interests.values() for interest in each for end in (interest.owner, interest.owned))]
    )
    return roll_up(OwnershipClaims({one: KINDS[one[0]] for one in ids}, interests, "b"), listed, DAY, unscreened)


def get_shares(result: OwnershipRollUp) -> dict[str, tuple[float, float]]:
    return {owner.party: (owner.share.min, owner.share.max) for owner in result.beneficial_owners}


def band(low: float, high: float, **ends: bool) -> ShareBand:
    return ShareBand(min=low, max=high, **ends)


def votes(share: float) -> tuple[InterestKind, float]:
    return InterestKind.VOTES, share


def benefits(share: float) -> tuple[InterestKind, float]:
    return InterestKind.BENEFICIARY, share


def test_shares_multiply_along_a_chain_and_add_over_chains() -> None:
    result = roll(("p1", "b1", 0.5), ("b1", "b", 0.6), ("p1", "b2", 0.5), ("b2", "b", 0.4), ("p2", "b1", 0.5), ("p3", "b2", 0.5))
    assert get_shares(result) == {"p1": (0.5, 0.5), "p2": (0.3, 0.3)}
    first = result.beneficial_owners[0]
    assert [path.parties for path in first.paths] == [("p1", "b1", "b"), ("p1", "b2", "b")]
    assert [path.share.max if path.share else None for path in first.paths] == [0.3, 0.2]
    assert (result.unknown_share.min, result.unknown_share.max) == (0, 0)


def test_a_cycle_is_the_limit_of_its_series() -> None:
    """`b1` owns half of `b`, and `b` half of `b1`: of each, the rest is a person's."""
    result = roll(("b1", "b", 0.5), ("p1", "b", 0.5), ("b", "b1", 0.5), ("p2", "b1", 0.5))
    assert get_shares(result) == {"p1": (0.666667, 0.666667), "p2": (0.333333, 0.333333)}


def test_a_closed_cycle_has_no_owner_and_is_not_clean() -> None:
    result = roll(("b1", "b", 1.0), ("b", "b1", 1.0))
    assert result.beneficial_owners == ()
    assert (result.unknown_share.min, result.unknown_share.max) == (1, 1)
    assert result.deemed_sanctioned.status is DeemedStatus.UNDETERMINED


def test_treasury_shares_belong_to_the_other_owners() -> None:
    assert get_shares(roll(("b", "b", 0.2), ("p1", "b", 0.8))) == {"p1": (1, 1)}


def test_a_band_that_straddles_the_threshold_is_possible_and_not_certain() -> None:
    (owner,) = roll(("p1", "b", band(0.2, 0.3)), ("p2", "b", 0.1)).beneficial_owners
    assert (owner.party, owner.share.min, owner.share.max, owner.is_certain) == ("p1", 0.2, 0.3, False)


def test_an_open_end_does_not_reach_the_threshold() -> None:
    assert get_shares(roll(("p1", "b", band(0.1, 0.25, exclusive_max=True)))) == {}
    assert get_shares(roll(("p1", "b", band(0.1, 0.25)))) == {"p1": (0.1, 0.25)}


def test_the_whole_limits_a_band() -> None:
    """The others hold 70 %, so that a share between 25 and 50 % is at most 30 %."""
    result = roll(("p1", "b", band(0.25, 0.5)), ("p2", "b", 0.7))
    assert get_shares(result) == {"p2": (0.7, 0.7), "p1": (0.25, 0.3)}


def test_a_share_that_is_not_stated_is_not_invented() -> None:
    interest = OwnershipInterest(id="1", owner="p1", owned="b", kind=InterestKind.SHARES)
    claims = OwnershipClaims({"p1": PartyKind.PERSON, "b": PartyKind.BUSINESS}, {Claimant.DECLARED: [interest]}, "b")
    assert get_shares(roll_up(claims, (), DAY)) == {"p1": (0, 1)}


def test_without_any_claim_everything_is_unknown() -> None:
    result = roll_up(OwnershipClaims({"b": PartyKind.BUSINESS}, {}, "b"), (), DAY)
    assert (result.beneficial_owners, result.unknown_share.min, result.unknown_share.max) == ((), 1.0, 1.0)
    assert result.deemed_sanctioned.status is DeemedStatus.UNDETERMINED


def test_unknown_owners_are_counted_and_not_listed_as_owners() -> None:
    result = roll(("p1", "b", 0.4), ("u1", "b", 0.3))
    assert get_shares(result) == {"p1": (0.4, 0.4)}
    assert (result.unknown_share.min, result.unknown_share.max) == (0.6, 0.6)


def test_a_business_without_known_owners_is_an_owner_that_is_not_identified() -> None:
    result = roll(("b1", "b", 1.0))
    assert [(owner.party, owner.is_identified) for owner in result.beneficial_owners] == [("b1", False)]
    assert result.unknown_share.min == 1


def test_control_without_shares_counts_the_holdings_in_full() -> None:
    result = roll(("p1", "t1", InterestKind.TRUSTEE), ("t1", "b", 0.3), ("p2", "b", 0.7))
    owners = {owner.party: owner for owner in result.beneficial_owners}
    assert (owners["p1"].share.max, owners["p1"].controlled.min, owners["p1"].bases) == (0, 0.3, (OwnershipBasis.CONTROL,))
    assert owners["p1"].paths[0].kinds == ("trustee", "shares")
    assert owners["p1"].paths[0].share is None


def test_a_majority_counts_the_holdings_in_full() -> None:
    (owner,) = (each for each in roll(("p1", "b1", 0.6), ("b1", "b", 0.4)).beneficial_owners if each.party == "p1")
    assert (owner.share.max, owner.controlled.min) == (0.24, 0.4)


def test_control_by_a_settlor_is_possible_and_not_certain() -> None:
    (owner,) = (each for each in roll(("p1", "t1", InterestKind.SETTLOR), ("t1", "b", 0.5)).beneficial_owners if each.party == "p1")
    assert (owner.controlled.min, owner.controlled.max, owner.is_certain) == (0, 0.5, False)


def test_ended_interests_do_not_count() -> None:
    interests = [
        OwnershipInterest(id="1", owner="p1", owned="b", kind=InterestKind.SHARES, share=ShareBand(exact=1), to="2026-10"),
        OwnershipInterest(id="2", owner="p2", owned="b", kind=InterestKind.SHARES, share=ShareBand(exact=1), from_="2026-11"),
    ]
    kinds = {"p1": PartyKind.PERSON, "p2": PartyKind.PERSON, "b": PartyKind.BUSINESS}
    assert get_shares(roll_up(OwnershipClaims(kinds, {Claimant.DECLARED: interests}, "b"), (), DAY)) == {"p2": (1, 1)}


def test_votes_are_apart_from_shares() -> None:
    votes = OwnershipInterest(id="9", owner="p2", owned="b", kind=InterestKind.VOTES, share=ShareBand(exact=0.9))
    interests = [build_interest(1, ("p1", "b", 0.9)), votes]
    kinds = {"p1": PartyKind.PERSON, "p2": PartyKind.PERSON, "b": PartyKind.BUSINESS}
    owners = roll_up(OwnershipClaims(kinds, {Claimant.DECLARED: interests}, "b"), (), DAY).beneficial_owners
    assert {owner.party: (owner.share.max, owner.votes.max) for owner in owners} == {"p1": (0.9, 0), "p2": (0, 0.9)}


def test_a_majority_of_the_shares_directs_the_votes() -> None:
    """`p1` has most shares of `b1`, and `b1` most votes of `b`, which is not the business's only owner."""
    result = roll(
        ("p1", "b1", 0.6),
        ("p2", "b1", 0.4),
        ("p2", "b1", votes(1.0)),
        ("p2", "b", 1.0),
        ("b1", "b", votes(0.6)),
        ("p2", "b", votes(0.4)),
    )
    owners = {owner.party: owner for owner in result.beneficial_owners}
    assert (owners["p1"].share.max, owners["p1"].votes.max, owners["p1"].controlled.min) == (0, 0, 0.6)
    (path,) = owners["p1"].paths
    assert (path.parties, path.kinds, path.share and path.share.max) == (("p1", "b1", "b"), ("shares", "votes"), 0.36)


def test_a_small_share_on_each_of_many_levels_is_not_lost() -> None:
    levels = 900
    own = 0.0000999
    edges: list[Edge] = [("p1", "b", 0.2), ("b0", "b", 0.8)]
    for level in range(levels - 1):
        edges += [(f"b{level + 1}", f"b{level}", 1 - own), ("p1", f"b{level}", own)]
    result = roll(*edges, ("p2", f"b{levels - 1}", 1.0))
    assert get_shares(result)["p1"][0] == pytest.approx(0.2 + 0.8 * (1 - (1 - own) ** (levels - 1)), abs=1e-6)


def test_of_many_owners_the_first_ones_have_several_chains() -> None:
    edges: list[Edge] = [(f"b{side}", "b", band(0, 1)) for side in (1, 2)]
    edges += [(f"p{number}", f"b{side}", band(0, 1)) for number in range(12) for side in (1, 2)]
    owners = roll(*edges).beneficial_owners
    assert [len(owner.paths) for owner in owners] == [2] * 10 + [1] * 2


@pytest.mark.parametrize("levels", [1, 5, 200])
def test_equally_strong_chains_do_not_multiply(levels: int) -> None:
    """Two businesses on each level have two owners each: 2 to the power of the levels are the chains."""
    edges: list[Edge] = [(f"b{side}0", "b", 0.5) for side in "12"]
    for level in range(levels):
        edges += [(f"b{one}{level + 1}", f"b{other}{level}", 0.5) for one in "12" for other in "12"]
    edges += [("p1", f"b{side}{levels}", 1.0) for side in "12"]
    (owner,) = roll(*edges).beneficial_owners
    assert (len(owner.paths), {len(path.parties) for path in owner.paths}) == (3, {levels + 3})


@pytest.mark.parametrize(
    "edges",
    [
        [
            *(("b1", "b", band(0, 0.5)), ("b2", "b", 0.5), ("b3", "b", band(0, 0.5)), ("b", "b1", 1e-7), ("b2", "b1", 1 - 1e-7)),
            *(("b1", "b2", 1.0), ("p1", "b3", 1 - 1e-7), ("p2", "b3", 1e-7)),
        ],
        [
            *(("b1", "b", ShareBand(min=0.5, exclusive_min=True)), ("b2", "b", ShareBand(min=0.5, exclusive_min=True))),
            *(("b", "b1", 1 - 1e-7), ("p1", "b1", 1e-7), ("b", "b2", 1.0)),
        ],
        [("t1", "b", 0.9), ("p1", "b", 0.1), ("t1", "b1", 1.0), ("b", "t1", 1.0), ("b1", "t1", benefits(1.0))],
        [("t1", "b", 1.0), ("b", "t1", 1.0), ("p1", "t1", benefits(1.0))],
    ],
    ids=["nearly closed", "two majorities", "shares and benefits", "closed"],
)
def test_a_nearly_closed_or_contradictory_cycle_has_an_answer(edges: list[Edge]) -> None:
    """Whatever is stored is rolled up: where almost nothing leaves a cycle, anybody with a little of it may have all of it."""
    result = roll(*edges, listed={"p1"})
    assert get_shares(result)["p1"][1] == 1
    assert result.deemed_sanctioned.status is DeemedStatus.POSSIBLE


def test_shares_below_the_smallest_numbers_are_nothing() -> None:
    cycle: list[Edge] = [("b1", "b", 1.0), ("b", "b1", 1.0), ("b2", "b1", 1e-300), ("b1", "b2", 1.0), ("p1", "b2", 1e-300)]
    for edges in permutations(cycle):
        result = roll(*edges, listed={"p1"})
        assert (result.beneficial_owners, result.deemed_sanctioned.status) == ((), DeemedStatus.UNDETERMINED)


# ------------------------------------------------------------------------------------------------------------- listed


@pytest.mark.parametrize(
    ("edges", "status", "share"),
    [
        ([("p1", "b", 0.3), ("p2", "b", 0.25), ("p3", "b", 0.45)], DeemedStatus.DEEMED, (0.55, 0.55)),
        ([("p1", "b", 0.5), ("p3", "b", 0.5)], DeemedStatus.DEEMED, (0.5, 0.5)),
        ([("p1", "b", 0.49), ("p3", "b", 0.51)], DeemedStatus.NOT_DEEMED, (0.49, 0.49)),
        ([("p1", "b", 0.2), ("p3", "b", 0.2)], DeemedStatus.UNDETERMINED, (0.2, 0.2)),
        ([("p1", "b", band(0.4, 0.6)), ("p3", "b", 0.4)], DeemedStatus.POSSIBLE, (0.4, 0.6)),
        ([("p1", "b1", 0.5), ("b1", "b", 0.5), ("p3", "b", 0.5), ("p3", "b1", 0.5)], DeemedStatus.DEEMED, (0.5, 0.5)),
        ([("p1", "b", InterestKind.CONTROL), ("p3", "b", 1.0)], DeemedStatus.DEEMED, (1, 1)),
        ([("p1", "t1", InterestKind.SETTLOR), ("t1", "b", 1.0)], DeemedStatus.POSSIBLE, (0, 1)),
        ([("p1", "b", InterestKind.DIRECTOR), ("p3", "b", 1.0)], DeemedStatus.NOT_DEEMED, (0, 0)),
        ([("p3", "b", 1.0)], DeemedStatus.NOT_DEEMED, (0, 0)),
        ([], DeemedStatus.UNDETERMINED, (0, 0)),
        ([("p3", "b", 1.0), ("p1", "b", band(0, 1))], DeemedStatus.NOT_DEEMED, (0, 0)),
        (
            [
                ("p1", "b1", 0.6),
                ("p3", "b1", 0.4),
                ("p3", "b1", votes(1.0)),
                ("b1", "b", votes(0.6)),
                ("p3", "b", votes(0.4)),
                ("p3", "b", 1.0),
            ],
            DeemedStatus.DEEMED,
            (0.6, 0.6),
        ),
        (
            [
                ("p1", "b1", votes(0.6)),
                ("p3", "b1", votes(0.4)),
                ("p3", "b1", 1.0),
                ("b1", "b", 0.6),
                ("p3", "b", 0.4),
                ("p3", "b", votes(1.0)),
            ],
            DeemedStatus.DEEMED,
            (0.6, 0.6),
        ),
    ],
)
def test_ownership_by_listed_parties(edges: list[Edge], status: DeemedStatus, share: tuple[float, float]) -> None:
    deemed = roll(*edges, listed={"p1", "p2"}).deemed_sanctioned
    assert (deemed.status, (deemed.share.min, deemed.share.max)) == (status, share)


@pytest.mark.parametrize(
    ("edges", "status"),
    [
        ([("p2", "b", 0.5), ("p3", "b", 0.5)], DeemedStatus.UNDETERMINED),
        ([("p2", "b", 0.49), ("p3", "b", 0.51)], DeemedStatus.NOT_DEEMED),
        ([("p1", "b", 0.1), ("p2", "b", 0.4), ("p3", "b", 0.5)], DeemedStatus.UNDETERMINED),
        ([("p1", "b", 0.5), ("p2", "b", 0.5)], DeemedStatus.DEEMED),
        ([("b2", "b", 1.0), ("p3", "b2", 1.0)], DeemedStatus.UNDETERMINED),
        ([("p2", "b", InterestKind.CONTROL), ("p3", "b", 1.0)], DeemedStatus.UNDETERMINED),
        (
            [("p2", "b1", 0.6), ("p3", "b1", 0.4), ("b1", "b", votes(0.6)), ("p3", "b", votes(0.4)), ("p3", "b", 1.0)],
            DeemedStatus.UNDETERMINED,
        ),
    ],
)
def test_a_party_that_was_not_screened_may_be_listed(edges: list[Edge], status: DeemedStatus) -> None:
    assert roll(*edges, listed={"p1"}, unscreened={"p2", "b2"}).deemed_sanctioned.status is status


def test_a_listed_party_is_named_with_its_path() -> None:
    deemed = roll(("p1", "b1", 0.8), ("b1", "b", 0.7), ("p3", "b", 0.3), listed={"p1", "p9"}).deemed_sanctioned
    assert deemed.parties == ("p1",)
    assert [path.parties for path in deemed.paths] == [("p1", "b1", "b")]


def test_a_listed_owner_for_whom_no_share_is_left_is_no_owner() -> None:
    interest = OwnershipInterest(id="1", owner="p1", owned="b", kind=InterestKind.SHARES)
    claims = OwnershipClaims(
        {"p1": PartyKind.PERSON, "p2": PartyKind.PERSON, "b": PartyKind.BUSINESS},
        {Claimant.DECLARED: [build_interest(0, ("p2", "b", 1.0)), interest]},
        "b",
    )
    deemed = roll_up(claims, {"p1"}, DAY).deemed_sanctioned
    assert (deemed.status, deemed.parties, deemed.paths) == (DeemedStatus.NOT_DEEMED, (), ())


# ---------------------------------------------------------------------------------------------------------- claimants


def test_two_claimants_are_never_added_up() -> None:
    """Both claim all shares: for one owner each. Whichever is right, neither owner is certain."""
    result = roll(("p1", "b", 1.0), registry=[("p2", "b", 1.0)])
    assert get_shares(result) == {"p1": (0, 1), "p2": (0, 1)}


def test_claimants_who_agree_are_certain() -> None:
    assert get_shares(roll(("p1", "b", 0.4), registry=[("p1", "b", band(0.25, 0.5))])) == {"p1": (0.25, 0.5)}


def test_a_listed_owner_counts_by_whoever_claims_it() -> None:
    deemed = roll(("p3", "b", 1.0), registry=[("p1", "b", 0.6), ("p3", "b", 0.4)], listed={"p1"}).deemed_sanctioned
    assert (deemed.status, deemed.share.min, deemed.share.max) == (DeemedStatus.DEEMED, 0, 0.6)


# --------------------------------------------------------------------------------------------------------- statements


def build_statement(*edges: Edge, **changes: object) -> OwnershipStatement:
    interests = [build_interest(number, edge) for number, edge in enumerate(edges)]
    ids = sorted({end for interest in interests for end in (interest.owner, interest.owned)})
    parties = [OwnershipParty(id=one, kind=KINDS[one[0]], name=one) for one in ids]
    return OwnershipStatement.model_validate({"asOf": DAY, "parties": parties, "interests": interests} | changes)


@pytest.mark.parametrize(
    "edges",
    [
        [("p1", "b", 0.6), ("p2", "b", 0.5)],
        [("p1", "b", 0.2), ("p1", "b", 0.2)],
        [("b", "p1", 0.2)],
    ],
)
def test_impossible_statements_are_refused(edges: list[Edge]) -> None:
    with pytest.raises(ValidationError):
        build_statement(*edges)


@pytest.mark.parametrize(
    ("edges", "place"),
    [
        ([("p1", "t1", 0.6), ("p2", "t1", benefits(0.5))], 1),
        ([(f"p{number}", "b", ShareBand(min=0.25, exclusive_min=True)) for number in range(4)], 3),
        ([("p1", "b", votes(0.5)), ("p2", "b", 0.5), ("p3", "b", votes(0.6))], 2),
        ([("p1", "t1", 0.6), ("p2", "t1", benefits(0.4))], None),
        ([("p1", "b", 1.0), ("p2", "b", votes(1.0))], None),
        ([(f"p{number}", "b", band(0.25, 1)) for number in range(4)], None),
    ],
)
def test_more_than_everything_is_found_and_stays_readable(edges: list[Edge], place: int | None) -> None:
    """The service refuses new statements of this kind. Stored ones are still parsed, unless the sums of one kind are too large."""
    interests = [build_interest(number, edge) for number, edge in enumerate(edges)]
    statement = OwnershipStatement.model_construct(as_of=DAY, interests=tuple(interests))
    found = find_excess(statement)
    assert (found[0] if found is not None else None) == place


def test_sums_are_those_of_each_day() -> None:
    """Compared with a check of every day on which an interest begins, and of the day of the statement."""
    rng = random.Random(22)  # noqa: S311 - repeatable statements
    refused = 0
    for _ in range(300):
        interests = [draw_dated_interest(rng, number) for number in range(rng.randint(2, 3))]
        days = {DAY, *(date.fromisoformat(f"{one.from_}-01-01"[:10]) for one in interests if one.from_ is not None)}
        in_force = [[one for one in interests if one.is_in_force(day)] for day in days]
        is_wrong = any(
            sum(one.share.low for one in held if one.share) > 1 + 1e-9 or len({one.owner for one in held}) < len(held)
            for held in in_force
        )
        parties = [OwnershipParty(id=one, kind=KINDS[one[0]], name=one) for one in ("p1", "p2", "p3", "b")]
        body = {"asOf": DAY, "parties": parties, "interests": interests}
        if is_wrong:
            refused += 1
            with pytest.raises(ValidationError):
                OwnershipStatement.model_validate(body)
        else:
            OwnershipStatement.model_validate(body)
    assert 50 < refused < 250


def draw_dated_interest(rng: random.Random, number: int) -> OwnershipInterest:
    first, last = sorted(rng.sample(range(2020, 2030), 2))
    return OwnershipInterest(
        id=str(number),
        owner=rng.choice(("p1", "p2", "p3")),
        owned="b",
        kind=InterestKind.SHARES,
        share=ShareBand(exact=rng.choice((0.2, 0.5, 0.7))),
        from_=rng.choice((None, str(first), f"{first}-07-01")),
        to=rng.choice((None, str(last))),
    )


def test_thirds_add_up_to_the_whole() -> None:
    assert len(build_statement(*((f"p{number}", "b", 1 / 3) for number in range(3))).interests) == 3


@pytest.mark.parametrize(
    "share",
    [
        {},
        {"exact": 0.5, "min": 0.2},
        {"min": 0.5, "max": 0.2},
        {"exact": 25},
        {"min": 0.5, "max": 0.5, "exclusiveMax": True},
        {"exclusiveMin": True, "max": 0.5},
    ],
)
def test_impossible_shares_are_refused(share: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ShareBand.model_validate(share)
