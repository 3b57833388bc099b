"""Roll-ups of known structures: what a compliance analyst would work out by hand."""

from collections.abc import Collection
from datetime import date

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
)

DAY = date(2026, 11, 1)
KINDS = {"p": PartyKind.PERSON, "b": PartyKind.BUSINESS, "t": PartyKind.TRUST, "u": PartyKind.UNKNOWN}
"""By the first letter of an ID."""
Edge = tuple[str, str, object]


def build_interest(number: int, edge: Edge) -> OwnershipInterest:
    owner, owned, what = edge
    if isinstance(what, InterestKind):
        return OwnershipInterest(id=str(number), owner=owner, owned=owned, kind=what)
    share = what if isinstance(what, ShareBand) else ShareBand.model_validate({"exact": what})
    return OwnershipInterest(id=str(number), owner=owner, owned=owned, kind=InterestKind.SHARES, share=share)


def roll(
    *edges: Edge, listed: Collection[str] = (), unscreened: Collection[str] = (), registry: Collection[Edge] = ()
) -> OwnershipRollUp:
    """The roll-up of `b`, by one claimant or by two."""
    interests = {Claimant.DECLARED: [build_interest(number, edge) for number, edge in enumerate(edges)]}
    if registry:
        interests[Claimant.REGISTRY] = [build_interest(number, edge) for number, edge in enumerate(registry)]
    ids = {"b", *(end for each in interests.values() for interest in each for end in (interest.owner, interest.owned))}
    return roll_up(OwnershipClaims({one: KINDS[one[0]] for one in ids}, interests, "b"), listed, DAY, unscreened)


def get_shares(result: OwnershipRollUp) -> dict[str, tuple[float, float]]:
    return {owner.party: (owner.share.min, owner.share.max) for owner in result.beneficial_owners}


def band(low: float, high: float, **ends: bool) -> ShareBand:
    return ShareBand(min=low, max=high, **ends)


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
    ],
)
def test_a_party_that_was_not_screened_may_be_listed(edges: list[Edge], status: DeemedStatus) -> None:
    assert roll(*edges, listed={"p1"}, unscreened={"p2", "b2"}).deemed_sanctioned.status is status


def test_a_listed_party_is_named_with_its_path() -> None:
    deemed = roll(("p1", "b1", 0.8), ("b1", "b", 0.7), ("p3", "b", 0.3), listed={"p1", "p9"}).deemed_sanctioned
    assert deemed.parties == ("p1",)
    assert [path.parties for path in deemed.paths] == [("p1", "b1", "b")]


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
