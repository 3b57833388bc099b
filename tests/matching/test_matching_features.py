"""The features document themselves, and every number of the tables is used and in range."""

import inspect
import re
from pathlib import Path

import pytest

from bonafide import matching
from bonafide.matching.names.business_name_comparison import BUSINESS_NAME_FEATURES
from bonafide.matching.names.name_features import ComparedNames, numbers, opposites, word_order
from bonafide.matching.people.person_name_comparison import PERSON_NAME_FEATURES
from bonafide.matching.scoring import score_parameters, screening_parameters
from bonafide.matching.scoring.feature_table import Cap, Factor, FeatureTable
from bonafide.matching.screening.listed_name_comparison import LISTED_NAME_FEATURES

TABLES = (BUSINESS_NAME_FEATURES, PERSON_NAME_FEATURES, LISTED_NAME_FEATURES)
ROWS = [row for table in TABLES for row in table.rows.values()]
PARAMETERS = (score_parameters, screening_parameters)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_feature_is_documented(row: Factor[ComparedNames]) -> None:
    text = inspect.getdoc(row.function)
    assert text is not None
    assert len(text) > 40
    assert text.splitlines()[0].endswith(".")


def test_a_name_of_a_feature_means_one_function() -> None:
    by_name = {row.name: row.function for row in ROWS}
    assert all(row.function is by_name[row.name] for row in ROWS)


def test_a_feature_that_two_tables_list_has_the_same_numbers_in_both() -> None:
    shared = BUSINESS_NAME_FEATURES.rows.keys() & LISTED_NAME_FEATURES.rows.keys()
    assert shared == {"word_order", "legal_form", "other_entity", "initials", "numbers", "opposites"}
    assert all(BUSINESS_NAME_FEATURES.get_numbers(name) == LISTED_NAME_FEATURES.get_numbers(name) for name in shared)
    assert BUSINESS_NAME_FEATURES.get_numbers("words") == LISTED_NAME_FEATURES.get_numbers("listed_words")


def test_a_row_takes_the_numbers_that_its_function_takes() -> None:
    assert FeatureTable(Factor(word_order, 0.98), Cap(opposites, 0.65)).get_numbers("opposites") == {"limit": 0.65}
    with pytest.raises(TypeError):
        Cap(numbers, 0.6, missing=0.85)
    with pytest.raises(TypeError):
        Cap(opposites, 0.65, other=0.5)
    with pytest.raises(TypeError):
        Factor(opposites, 0.65)


@pytest.mark.slow
def test_every_parameter_is_used_by_some_module() -> None:
    folder = Path(str(matching.__file__)).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    names = {name for module in PARAMETERS for name in vars(module) if name.isupper()}
    assert len(names) > 50
    assert [name for name in names if len(re.findall(rf"\b{name}\b", source)) < 2] == []


def test_factors_and_caps_lie_between_0_and_1_and_no_unequal_word_is_equal() -> None:
    scores = [row.numbers[row.main] for row in ROWS if row.main in row.numbers]
    scores += [value for name, value in vars(score_parameters).items() if name.endswith(("_CAP", "_MISSING"))]
    assert len(scores) > len(TABLES)
    assert all(0 < score < 1 for score in scores)
    likenesses = (
        score_parameters.JOINED,
        score_parameters.PLURAL,
        score_parameters.EQUIVALENT,
        score_parameters.SHORTENED,
        score_parameters.TRUNCATED,
        score_parameters.INITIAL,
    )
    assert all(0 < value < 1 for value in likenesses)


def test_every_cap_on_another_name_stays_below_a_match_even_with_an_agreeing_address() -> None:
    caps = [
        BUSINESS_NAME_FEATURES.get_numbers(name)["limit"] for name in ("numbers", "opposites", "other_trade", "common_words_only")
    ]
    caps.append(PERSON_NAME_FEATURES.get_numbers("one_part_only")["limit"])
    assert all(cap + score_parameters.ADDRESS_AGREES < score_parameters.PARTIAL for cap in caps)
