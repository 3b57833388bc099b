"""The chain from each owner to the business, in words."""

from datetime import date
from typing import Any

import pytest

from bonafide.matching.ownership.owner_chains import MAX_STEPS, OwnerChains, describe_interest
from bonafide.matching.ownership.roll_up import OwnershipClaims
from bonafide.model.ownership.roll_up import ShareRange
from bonafide.model.ownership.statement import Claimant, InterestKind, OwnershipInterest, PartyKind

DAY = date(2026, 11, 1)


def interest(owner: str, owned: str, kind: str = "shares", share: dict[str, float] | None = None, **said: Any) -> OwnershipInterest:
    known = {"id": f"{owner}-{owned}-{kind}", "owner": owner, "owned": owned, "kind": kind, "share": share}
    return OwnershipInterest.model_validate(known | said)


def build(*declared: OwnershipInterest, registry: tuple[OwnershipInterest, ...] = ()) -> OwnerChains:
    """The chains to `b`."""
    interests = {Claimant.DECLARED: declared, Claimant.REGISTRY: registry}
    ids = {end for one in (*declared, *registry) for end in (one.owner, one.owned)} | {"b"}
    claims = OwnershipClaims(dict.fromkeys(ids, PartyKind.BUSINESS), interests, "b")
    return OwnerChains(claims, {party: party.upper() for party in ids}, DAY)


def find(*declared: OwnershipInterest, registry: tuple[OwnershipInterest, ...] = ()) -> dict[str, list[str]]:
    """The parties of each chain to `b`."""
    chains = build(*declared, registry=registry)
    return {owner: chains.find_chain(owner) for owner in chains.owners}


def test_the_strongest_chain_comes_first() -> None:
    chains = find(
        interest("p", "h1", share={"exact": 0.9}),
        interest("h1", "b", share={"exact": 0.2}),
        interest("p", "h2", share={"exact": 0.5}),
        interest("h2", "b", share={"exact": 0.8}),
    )
    assert list(chains) == ["h2", "p", "h1"]
    assert chains["p"] == ["p", "h2", "b"]


def test_only_interests_in_force_lead_to_the_business() -> None:
    chains = find(
        interest("past", "b", share={"exact": 0.5}, to="2025"),
        interest("none", "b", share={"exact": 0}),
        interest("b", "subsidiary", share={"exact": 1}),
        interest("now", "b", share={"exact": 0.5}),
    )
    assert list(chains) == ["now"]


def test_a_cycle_has_finite_chains() -> None:
    assert find(interest("h", "b"), interest("b", "h"), interest("p", "h")) == {"h": ["h", "b"], "p": ["p", "h", "b"]}


def test_directors_come_last_and_what_they_direct_owns_nothing() -> None:
    chains = find(
        interest("d", "b", "director"),
        interest("owner of a director", "d", share={"exact": 1}),
        interest("p", "b", "director"),
        interest("p", "b", "control"),
    )
    assert chains == {"p": ["p", "b"], "d": ["d", "b"]}


def test_the_middle_of_a_long_chain_is_left_out_and_counted() -> None:
    count = 1000
    chains = build(interest("p1", "b"), *(interest(f"p{number + 1}", f"p{number}") for number in range(1, count)))
    assert len(chains.owners) == count
    steps = chains.describe(chains.find_chain(f"p{count}"))
    assert len(steps) == MAX_STEPS
    assert (steps[0].party, steps[-2].party, steps[-1].party) == (f"p{count}", "p1", "b")
    left_out = {place: step.left_out for place, step in enumerate(steps) if step.left_out}
    assert left_out == {MAX_STEPS // 2 - 1: count + 1 - MAX_STEPS}
    description = steps[MAX_STEPS // 2 - 1].description
    assert description == "P995 has an unknown share of P994; the next 989 parties of the chain aren’t shown"


@pytest.mark.parametrize("parties", [2, MAX_STEPS, MAX_STEPS + 1])
def test_a_chain_is_complete_unless_it_is_long(parties: int) -> None:
    chains = build(interest("p1", "b"), *(interest(f"p{number + 1}", f"p{number}") for number in range(1, parties - 1)))
    steps = chains.describe(chains.find_chain(f"p{parties - 1}"))
    assert len(steps) + sum(step.left_out for step in steps) == parties
    assert len(steps) <= MAX_STEPS


def test_claims_of_every_claimant_lead_to_the_business() -> None:
    assert set(find(interest("p", "b"), registry=(interest("q", "b"),))) == {"p", "q"}


@pytest.mark.parametrize(
    ("kind", "share", "sentence"),
    [
        ("shares", (0.6, 0.6), "Ann has 60% of the shares of Inc"),
        ("votes", (1 / 3, 0.5), "Ann has 33.33% to 50% of the votes of Inc"),
        ("beneficiary", None, "Ann is a beneficiary of Inc"),
        ("trustee", None, "Ann is a trustee of Inc"),
    ],
)
def test_an_interest_is_described_in_words(kind: str, share: tuple[float, float] | None, sentence: str) -> None:
    held = ShareRange(min=share[0], max=share[1]) if share is not None else None
    assert describe_interest(InterestKind(kind), held, "Ann", "Inc") == sentence


def test_a_party_without_a_name_is_called_unknown() -> None:
    assert describe_interest(InterestKind.CONTROL, None, None, "Inc") == "an unknown party controls Inc"
