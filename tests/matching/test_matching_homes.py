"""Where a business from elsewhere was formed, in the words that registers have for it."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from bonafide.matching.entries.register_codes import is_same_home, parse_home_jurisdiction
from bonafide.model.jurisdiction import Jurisdiction


@pytest.mark.parametrize(
    ("text", "home"),
    [
        ("Ontario", "ON"),
        ("ONTARIO", "ON"),
        (" ontario ", "ON"),
        ("Québec", "QC"),
        ("PQ", "QC"),
        ("BR COLUMBIA", "BC"),
        ("British Colombia", "BC"),
        ("PR EDWARD IS", "PE"),
        ("CANADA", "FED"),
        ("Federal", "FED"),
        ("CC", "FED"),
        ("CA-AB", "AB"),
        ("Newfoundland & Labrador", "NL"),
        ("Northwest Territories", "NT"),
        ("GT BRITAIN", "GT BRITAIN"),
        ("  New   York", "New York"),
        ("Georgia", "Georgia"),
        ("Yukon", None),
        ("YUKON TERRITORY", None),
        ("Unknown", None),
        ("(Any)", None),
        ("", None),
        (None, None),
    ],
)
def test_the_words_of_registers_are_folded_to_codes_and_other_places_keep_theirs(text: str | None, home: str | None) -> None:
    assert parse_home_jurisdiction(text, Jurisdiction.YT) == home


def test_other_places_are_compared_without_case() -> None:
    assert is_same_home("New York", "NEW YORK")
    assert not is_same_home("New York", "NEW JERSEY")


@pytest.mark.realdata
def test_every_canadian_home_in_the_yukon_register_is_known(shared_data: Path) -> None:
    with (shared_data / "registries/YT/corporate_entities_2023-01.csv").open(encoding="utf-8-sig", newline="") as text:
        homes = Counter(parse_home_jurisdiction(row["jurisdiction"], Jurisdiction.YT) for row in csv.DictReader(text))
    assert (homes["FED"], homes["ON"], homes["BC"], homes["NS"]) == (3_066, 2_152, 2_203, 617)
    assert homes.keys() >= {"AB", "MB", "NB", "NL", "NT", "PE", "QC", "SK", "Delaware"} | {None}
