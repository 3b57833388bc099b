"""Ownership in words: shares as the source gives them, and chains as sentences."""

from typing import Any

import pytest

from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.model.ownership.roll_up import OwnershipPath, ShareRange, describe_fraction, describe_range
from bonafide.model.ownership.statement import Claimant, InterestKind, PartyKind, ShareBand
from bonafide.model.ownership.wording import (
    CLAIMANT,
    CLAIMANT_SHORT,
    INTEREST_KIND,
    PARTY_KIND,
    describe_path,
    describe_share,
)
from tests.support.ownership.answers import build_answer, build_statement

PARTIES = {"Bakery": "business", "Holding": "business", "Jane": "person", "Trust": "trust"}


@pytest.mark.parametrize(
    ("fraction", "words"),
    [
        (0.25, "25%"),
        (0.6, "60%"),
        (1 / 3, "33.33%"),
        (0.249999, "24.9999%"),
        (0.2499, "24.99%"),
        (1.0, "100%"),
        (0.0, "0%"),
        (0.125, "12.5%"),
    ],
)
def test_a_fraction_is_not_rounded_to_a_threshold(fraction: float, words: str) -> None:
    assert describe_fraction(fraction) == words


@pytest.mark.parametrize(
    ("share", "words"),
    [
        ({"exact": 0.4}, "40%"),
        ({"min": 0.25, "max": 0.5}, "25% to 50%"),
        ({"min": 0.25, "max": 0.5, "exclusiveMin": True}, "more than 25% to 50%"),
        ({"min": 0.25, "max": 0.5, "exclusiveMax": True}, "25% to less than 50%"),
        ({"min": 0.25, "max": 0.5, "exclusiveMin": True, "exclusiveMax": True}, "more than 25% to less than 50%"),
        ({"min": 0.25}, "25% or more"),
        ({"min": 0.25, "exclusiveMin": True}, "more than 25%"),
        ({"max": 0.25}, "25% or less"),
        ({"max": 0.25, "exclusiveMax": True}, "less than 25%"),
    ],
)
def test_a_band_keeps_its_ends(share: dict[str, Any], words: str) -> None:
    assert describe_share(ShareBand.model_validate(share)) == words


def test_a_share_that_is_not_stated_is_no_figure() -> None:
    assert describe_share(None) == "Not stated"


def test_a_range_of_one_value_is_one_figure() -> None:
    assert describe_range(ShareRange(min=0.3, max=0.3)) == "30%"
    assert describe_range(ShareRange(min=0.3, max=0.45)) == "30% to 45%"


def test_every_kind_and_claimant_has_a_label() -> None:
    assert set(PARTY_KIND) == set(PartyKind)
    assert set(INTEREST_KIND) == set(InterestKind)
    assert set(CLAIMANT) == set(CLAIMANT_SHORT) == set(Claimant)


def test_a_chain_is_a_sentence_with_its_product() -> None:
    answer = build_answer(build_statement(PARTIES, [("Jane", "Holding", "shares", 0.6), ("Holding", "Bakery", "shares", 0.5)]))
    (owner,) = answer.beneficial_owners
    assert describe_path(answer, owner.paths[0]) == "Jane owns 60% of Holding, which owns 50% of Bakery: 30%"


def test_a_direct_interest_is_not_said_twice() -> None:
    answer = build_answer(build_statement(PARTIES, [("Jane", "Bakery", "shares", 0.6)]))
    assert describe_path(answer, answer.beneficial_owners[0].paths[0]) == "Jane owns 60% of Bakery"


def test_control_has_no_product() -> None:
    answer = build_answer(build_statement(PARTIES, [("Jane", "Trust", "trustee", None), ("Trust", "Bakery", "shares", 0.5)]))
    paths = [path for owner in answer.beneficial_owners if owner.party == "Jane" for path in owner.paths]
    assert describe_path(answer, paths[0]) == "Jane is a trustee of Trust, which owns 50% of Bakery: control without shares"


def test_votes_that_follow_shares_are_said_as_shares() -> None:
    answer = build_answer(build_statement(PARTIES, [("Jane", "Bakery", "shares", 0.6)]))
    path = OwnershipPath(parties=("Jane", "Bakery"), kinds=("votes",), share=ShareRange(min=0.6, max=0.6))
    assert describe_path(answer, path) == "Jane owns 60% of Bakery"


def test_claimants_who_differ_are_both_quoted() -> None:
    declared = build_statement(PARTIES, [("Jane", "Bakery", "shares", 0.6)])
    register = build_statement(PARTIES, [("Jane", "Bakery", "shares", {"min": 0.25, "max": 0.5})], Claimant.REGISTRY)
    answer = build_answer(declared, register)
    words = describe_path(answer, answer.beneficial_owners[0].paths[0])
    assert words == "Jane owns 60% (declared) / 25% to 50% (register) of Bakery"
    assert build_answer(declared, declared.model_copy(update={"claimed_by": Claimant.REGISTRY})).beneficial_owners[0].paths


def test_an_unstated_share_is_said_to_be_so() -> None:
    answer = build_answer(build_statement(PARTIES, [("Jane", "Bakery", "shares", None)]))
    assert describe_path(answer, answer.beneficial_owners[0].paths[0]) == "Jane owns an unstated share of Bakery"


def test_a_figure_has_the_decimals_of_the_language() -> None:
    assert "12,5" in translate(describe_fraction(0.125), Language.FRENCH)
