"""The declaration beside the register: the class of each difference, its reason, and the pairing of individuals."""

from datetime import date
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.i18n.message import JoinedValues, Message
from bonafide.matching.ownership.owner_differences import OwnersBelow, compare_owners, format_band
from bonafide.matching.ownership.owner_pairing import SAME_PERSON, are_different_births, pair_owners
from bonafide.matching.ownership.stated_owners import StatedOwners, list_stated_owners
from bonafide.matching.people.person_name_comparison import compare_person_names
from bonafide.model.ownership.owner_comparison import DifferenceKind, OwnerDifference, StatedOwner
from bonafide.model.ownership.statement import OwnershipStatement, ShareBand

DAY = date(2026, 11, 1)
JEAN, MARIE = "Jean Tremblay", "Marie-Ève Côté"


def state(name: str = JEAN, **fields: Any) -> StatedOwner:
    return StatedOwner.model_validate({"name": name, **fields})


def compare(declared: list[StatedOwner], registry: list[StatedOwner]) -> tuple[OwnerDifference, ...]:
    return compare_owners(declared, registry, DAY).differences


def find_kind(declared: dict[str, Any], registry: dict[str, Any]) -> DifferenceKind | None:
    """The class of the only difference of two statements about one person; None if they agree."""
    differences = compare([state(**declared)], [state(**registry)])
    return differences[0].kind if differences else None


def test_equal_sides_have_no_difference() -> None:
    owners = [state(share={"exact": 0.6}, **{"from": "2021-04-01"}), state(MARIE, kinds=("shares",))]
    result = compare_owners(owners, list(reversed(owners)), DAY)
    assert result.differences == ()
    assert [one.declared.name for one in result.agreed] == [JEAN, MARIE]


def test_each_side_may_name_somebody_whom_the_other_does_not() -> None:
    missing, extra = compare([state()], [state(MARIE)])
    assert (missing.kind, missing.declared, missing.registry) == (DifferenceKind.MISSING_OWNER, state(), None)
    assert (extra.kind, extra.declared, extra.registry) == (DifferenceKind.EXTRA_OWNER, None, state(MARIE))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("TREMBLAY, Jean", None),
        ("Jean Trembley", DifferenceKind.IMMATERIAL),
        ("J. Tremblay", DifferenceKind.IMMATERIAL),
        ("Jean P. Tremblay", DifferenceKind.IMMATERIAL),
        ("Jean Tremblay Jr.", DifferenceKind.CONTRADICTING),
    ],
)
def test_a_slip_or_an_initial_is_immaterial_and_a_generation_is_not(name: str, kind: DifferenceKind | None) -> None:
    assert find_kind({}, {"name": name}) is kind


@pytest.mark.parametrize(
    ("declared", "registry", "kind"),
    [
        ({"share": {"exact": 0.6}}, {"share": {"min": 0.25}}, None),
        ({"share": {"exact": 0.6}}, {}, None),
        ({"share": {"exact": 0.2}}, {"share": {"min": 0.25}}, DifferenceKind.CONTRADICTING),
        ({"share": {"exact": 0.25}}, {"share": {"min": 0.25}}, None),
        ({"share": {"exact": 0.25}}, {"share": {"min": 0.25, "exclusiveMin": True}}, DifferenceKind.CONTRADICTING),
        ({"share": {"exact": 0.6}}, {"votes": {"exact": 0.2}}, None),
        ({"votes": {"exact": 0.6}}, {"votes": {"max": 0.5}}, DifferenceKind.CONTRADICTING),
        ({"kinds": ["shares"]}, {"kinds": ["votes"]}, None),
        ({"kinds": ["shares"]}, {"kinds": []}, None),
        ({"kinds": ["shares", "control"]}, {"kinds": ["control"]}, None),
        ({"kinds": ["shares"]}, {"kinds": ["control"]}, DifferenceKind.CONTRADICTING),
        ({"kinds": ["beneficiary"]}, {"kinds": ["shares"]}, DifferenceKind.CONTRADICTING),
        ({"from": "2021"}, {"from": "2021-04-01"}, None),
        ({"from": "2021-04-01"}, {"from": "2021-04-16"}, DifferenceKind.IMMATERIAL),
        ({"from": "2021-04-01"}, {"from": "2021-04-17"}, DifferenceKind.CONTRADICTING),
        ({"from": "2020"}, {"from": "2021-01-01"}, DifferenceKind.CONTRADICTING),
        ({}, {"to": "2025-12-31"}, DifferenceKind.CONTRADICTING),
        ({"to": "2025-12-31"}, {}, DifferenceKind.CONTRADICTING),
        ({}, {"to": "2027-12-31"}, None),
        ({"to": "2025-12-31"}, {"to": "2020-01-01"}, None),
        ({"address": "100 King St W, Toronto ON M5X 1A9"}, {"address": "100 King Street West, Toronto, Ontario M5X1A9"}, "form"),
        ({"address": "100 King St W, Toronto ON M5X 1A9"}, {"address": "PO Box 4, Guelph ON N1H 6J6"}, "other"),
        ({"address": "100 King St W, Toronto ON M5X 1A9"}, {}, None),
    ],
)
def test_only_what_both_sides_state_can_contradict(
    declared: dict[str, Any], registry: dict[str, Any], kind: DifferenceKind | str | None
) -> None:
    expected = DifferenceKind.IMMATERIAL if kind in {"form", "other"} else kind
    assert find_kind(declared, registry) is expected


def test_a_contradiction_makes_a_slip_material_and_both_are_reasons() -> None:
    (difference,) = compare([state(share={"exact": 0.1})], [state("Jean Trembley", share={"min": 0.25})])
    assert difference.kind is DifferenceKind.CONTRADICTING
    joined = difference.reason.values["parts"]
    assert isinstance(joined, JoinedValues)
    assert [part.template for part in joined.parts if isinstance(part, Message)] == [
        "{what}: declared {declared}, in the register {registry}",
        "name: {reason}",
    ]


def test_people_with_different_births_are_two_people() -> None:
    kinds = [one.kind for one in compare([state(dateOfBirth="1975-06-20")], [state(dateOfBirth="1948")])]
    assert kinds == [DifferenceKind.MISSING_OWNER, DifferenceKind.EXTRA_OWNER]


def test_a_former_individual_is_needed_by_neither_side() -> None:
    assert compare([], [state(to="2020")]) == ()
    assert compare([state(to="2020")], []) == ()


def test_each_individual_is_paired_once() -> None:
    """Father and son have one name; the register names one of them."""
    (missing,) = compare([state(share={"exact": 0.5}), state(share={"exact": 0.3})], [state(share={"min": 0.25})])
    assert missing.kind is DifferenceKind.MISSING_OWNER


def test_the_pairing_has_the_highest_sum() -> None:
    """The most similar pair would leave two individuals alone: the name of one has an A, and that of the other a B."""
    declared, registry = [state(), state("Jean A. Tremblay")], [state(), state("Jean B. Tremblay")]
    pairs = {(pair.declared_at, pair.registry_at) for pair in pair_owners(declared, registry, DAY)}
    assert pairs == {(0, 1), (1, 0)}


NAMES = ("Jean Tremblay", "J. Tremblay", "Jean Trembley", "Jean P. Tremblay", "Marie Côté", "M. Côté", "Wei Chen", "Jean Roy")


@given(st.lists(st.sampled_from(NAMES), max_size=4), st.lists(st.sampled_from(NAMES), max_size=4))
def test_the_pairing_is_as_good_as_the_best_of_all_pairings(declared: list[str], registry: list[str]) -> None:
    pairs = pair_owners([state(name) for name in declared], [state(name) for name in registry], DAY)
    assert len({pair.declared_at for pair in pairs}) == len({pair.registry_at for pair in pairs}) == len(pairs)
    found = sum(_weigh(declared[pair.declared_at], registry[pair.registry_at]) for pair in pairs)
    short, long = sorted((declared, registry), key=len)
    best = max(
        sum(_weigh(one, other) for one, other in zip(short, chosen, strict=True)) for chosen in permutations(long, len(short))
    )
    assert found == pytest.approx(best)


def _weigh(one: str, other: str) -> float:
    """Without dates and addresses, every pair has the agreement that neither has ended."""
    score = compare_person_names(one, other).score
    return score + 0.05 if score >= SAME_PERSON else 0.0


OWNERS = st.builds(
    lambda name, born, since, end, share: state(name, dateOfBirth=born, to=end, share=share, **{"from": since}),
    st.sampled_from(NAMES),
    st.sampled_from((None, "1975", "1975-06-20", "1948")),
    st.sampled_from((None, "2019", "2019-05-01", "2019-05-10")),
    st.sampled_from((None, "2020", "2025-06-30", "2030")),
    st.sampled_from((None, {"exact": 0.3}, {"min": 0.25}, {"max": 0.25})),
)


@given(st.lists(OWNERS, max_size=4), st.lists(OWNERS, max_size=4))
def test_no_current_owner_is_lost(declared: list[StatedOwner], registry: list[StatedOwner]) -> None:
    """Each side's current individuals are in exactly one difference or agreement."""
    result = compare_owners(declared, registry, DAY)
    for side, owners in (("declared", declared), ("registry", registry)):
        listed = [getattr(one, side) for one in (*result.differences, *result.agreed)]
        current = [one for one in owners if not one.has_ended(DAY)]
        assert sorted(one.name for one in listed if one is not None and not one.has_ended(DAY)) == sorted(
            one.name for one in current
        )
    for difference in result.differences:
        if difference.declared is not None and difference.registry is not None:
            assert not are_different_births(difference.declared, difference.registry)


@given(st.lists(OWNERS, max_size=3))
def test_a_declaration_agrees_with_itself(owners: list[StatedOwner]) -> None:
    assert compare(owners, owners) == ()


def test_the_owners_of_a_statement_are_those_of_its_roll_up() -> None:
    statement = OwnershipStatement.model_validate({
        "asOf": "2026-11-01",
        "parties": [
            {"id": "b", "kind": "business", "name": "Bakery Inc."},
            {"id": "h", "kind": "business", "name": "Holding Ltd."},
            {"id": "f", "kind": "business", "name": "Fund LP"},
            {"id": "jane", "kind": "person", "name": "Jane Doe"},
            {"id": "jean", "kind": "person", "name": JEAN, "dateOfBirth": "1975"},
            {"id": "old", "kind": "person", "name": MARIE},
            {"id": "small", "kind": "person", "name": "Wei Chen"},
        ],
        "interests": [
            {"id": "1", "owner": "h", "owned": "b", "kind": "shares", "share": {"exact": 0.5}},
            {"id": "2", "owner": "jane", "owned": "h", "kind": "shares", "share": {"exact": 1}},
            {"id": "3", "owner": "jean", "owned": "b", "kind": "shares", "share": {"exact": 0.1}, "from": "2021"},
            {"id": "4", "owner": "jean", "owned": "b", "kind": "control", "from": "2020-02"},
            {"id": "5", "owner": "f", "owned": "b", "kind": "shares", "share": {"exact": 0.3}},
            {"id": "6", "owner": "small", "owned": "b", "kind": "shares", "share": {"exact": 0.05}},
            {"id": "7", "owner": "old", "owned": "b", "kind": "shares", "share": {"exact": 0.9}, "to": "2019-12-31"},
            {"id": "8", "owner": "small", "owned": "b", "kind": "director"},
        ],
    })  # fmt: skip
    stated = list_stated_owners(statement, "b", DAY)
    owners = {owner.party: owner for owner in stated.owners}
    assert owners.keys() == {"jane", "jean", "old"}
    assert (owners["jane"].from_, owners["jane"].share) == (None, ShareBand(exact=0.5))
    assert (owners["jean"].from_, owners["jean"].kinds, owners["jean"].date_of_birth) == ("2020-02", ("shares", "control"), "1975")
    assert (owners["old"].to, owners["old"].has_ended(DAY)) == ("2019-12-31", True)
    assert [(one.name, one.kind) for one in stated.uncompared] == [("Fund LP", "business")]


def test_shares_are_written_as_they_are_stated() -> None:
    bands = [
        {"exact": 0.333},
        {"min": 0.25},
        {"min": 0.25, "exclusiveMin": True},
        {"max": 0.5},
        {"min": 0.25, "max": 0.5},
        {"min": 0.7, "max": 0.7},
    ]
    assert [format_band(ShareBand.model_validate(band)) for band in bands] == [
        "33.3%",
        "25% or more",
        "more than 25%",
        "50% or less",
        "25% to 50%",
        "70%",
    ]


def state_owners(*interests: dict[str, Any]) -> StatedOwners:
    """The owners of the business `b` by these interests of people in it, in a holding and in a trust."""
    people = {"jean": JEAN, "marie": MARIE, "wei": "Wei Chen"}
    statement = OwnershipStatement.model_validate({
        "asOf": "2026-11-01",
        "parties": [
            {"id": "b", "kind": "business", "name": "Bakery Inc."},
            {"id": "h", "kind": "business", "name": "Holding Ltd."},
            {"id": "t", "kind": "trust", "name": "Family Trust"},
            *({"id": one, "kind": "person", "name": name} for one, name in people.items()),
        ],
        "interests": [{"id": str(number), "owned": "b", **interest} for number, interest in enumerate(interests)],
    })  # fmt: skip
    return list_stated_owners(statement, "b", DAY)


def test_votes_alone_state_no_share_of_the_shares() -> None:
    (owner,) = state_owners({"owner": "jean", "kind": "votes", "share": {"exact": 0.6}}).owners
    assert (owner.kinds, owner.share, owner.votes) == (("votes",), None, ShareBand(exact=0.6))
    assert compare([owner], [state(share={"min": 0.75})]) == ()


def test_votes_of_a_holding_state_no_share_of_the_shares() -> None:
    (owner,) = state_owners(
        {"owner": "jean", "owned": "h", "kind": "shares", "share": {"exact": 1}},
        {"owner": "h", "kind": "votes", "share": {"exact": 0.6}},
    ).owners
    assert (owner.kinds, owner.share) == (("shares",), None)


def test_the_kinds_of_an_owner_are_those_of_its_own_interests() -> None:
    """The trust has the shares; the trustee has none, and the beneficiary's part of them follows from the benefits."""
    owners = {
        owner.party: owner
        for owner in state_owners(
            {"owner": "t", "kind": "shares", "share": {"exact": 0.6}},
            {"owner": "jean", "owned": "t", "kind": "trustee"},
            {"owner": "marie", "owned": "t", "kind": "beneficiary", "share": {"exact": 1}},
        ).owners
    }
    assert (owners["jean"].kinds, owners["jean"].share) == (("trustee",), None)
    assert (owners["marie"].kinds, owners["marie"].share) == (("beneficiary",), ShareBand(exact=0.6))


def test_a_declared_owner_of_less_than_a_quarter_contradicts_the_register() -> None:
    declared = state_owners(
        {"owner": "jean", "kind": "shares", "share": {"exact": 0.1}, "from": "2021-04-01"},
        {"owner": "h", "kind": "shares", "share": {"exact": 0.2}},
        {"owner": "marie", "owned": "h", "kind": "shares", "share": {"exact": 0.5}},
        {"owner": "wei", "kind": "director"},
    )
    assert declared.owners == ()
    assert {one.party: one.share for one in declared.below} == {
        "jean": ShareBand(exact=0.1),
        "marie": ShareBand(max=0.25, exclusive_max=True),
    }
    registry = [state(share={"min": 0.25}), state(MARIE, control="Control in fact"), state("Wei Chen")]
    jean, marie, wei = sorted(
        compare_owners(declared.owners, registry, DAY, OwnersBelow(declared=declared.below)).differences,
        key=lambda one: one.registry.name if one.registry is not None else "",
    )
    assert [one.kind for one in (jean, marie, wei)] == [
        DifferenceKind.CONTRADICTING,
        DifferenceKind.CONTRADICTING,
        DifferenceKind.EXTRA_OWNER,
    ]
    assert jean.declared is not None
    assert jean.declared.share == ShareBand(exact=0.1)
    assert jean.reason == "share of the shares: declared 10%, in the register 25% or more"
    assert marie.reason == "declared with less than 25%, and named in the register"


def test_an_individual_of_less_than_a_quarter_in_the_register_contradicts_the_declaration() -> None:
    registry = state_owners({"owner": "jean", "kind": "shares", "share": {"exact": 0.1}})
    declared = [state("Jean Trembley", share={"exact": 0.3}), state(MARIE)]
    missing, contradicting = compare_owners(declared, registry.owners, DAY, OwnersBelow(registry=registry.below)).differences
    assert (missing.kind, missing.declared) == (DifferenceKind.MISSING_OWNER, declared[1])
    assert (contradicting.kind, contradicting.declared, contradicting.registry) == (
        DifferenceKind.CONTRADICTING,
        declared[0],
        registry.below[0],
    )


def test_owners_of_less_than_a_quarter_are_needed_by_neither_side() -> None:
    below = OwnersBelow(declared=[state()], registry=[state(MARIE)])
    assert compare_owners([], [], DAY, below).differences == ()
    assert compare_owners([state("Wei Chen")], [state("Wei Chen")], DAY, below).differences == ()
