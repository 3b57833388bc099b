"""The features document themselves, and every number of the table is used and in range."""

import inspect
from pathlib import Path

import pytest

from bonafide import matching
from bonafide.matching.names import name_features
from bonafide.matching.people import person_name_features
from bonafide.matching.scoring import score_parameters

FEATURES = [*name_features.FACTORS, *name_features.CAPS, *person_name_features.FACTORS, *person_name_features.CAPS]


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.__name__)
def test_a_feature_is_documented(feature: object) -> None:
    text = inspect.getdoc(feature)
    assert text is not None
    assert len(text) > 40
    assert text.splitlines()[0].endswith(".")


def test_features_have_names_of_their_own() -> None:
    names = [feature.__name__ for feature in FEATURES]
    assert len(names) == len(set(names))


def constants() -> dict[str, object]:
    return {name: value for name, value in vars(score_parameters).items() if name.isupper()}


def test_every_number_of_the_table_is_used_by_some_module() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in Path(str(matching.__file__)).parent.glob("*.py"))
    assert [name for name in constants() if source.count(name) < 2] == []


def test_factors_and_caps_lie_between_0_and_1_and_no_unequal_word_is_equal() -> None:
    scores = {name: value for name, value in constants().items() if name.endswith(("_CAP", "_MISSING", "_OTHER"))}
    assert scores
    assert all(isinstance(value, float) and 0 < value < 1 for name, value in scores.items() if name != "ADDRESS_OTHER")
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
    caps = (
        score_parameters.NUMBERS_DIFFER_CAP,
        score_parameters.OPPOSITES_CAP,
        score_parameters.COMMON_WORDS_CAP,
        score_parameters.ONE_PART_CAP,
    )
    assert all(cap + score_parameters.ADDRESS_AGREES < score_parameters.PARTIAL for cap in caps)
