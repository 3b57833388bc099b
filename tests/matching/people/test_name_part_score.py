"""Rating parts without their alignment gives the score of the alignment, or none."""

from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.people.compared_people import NameBearer, compare_people
from bonafide.matching.people.name_part_score import rate_parts
from bonafide.matching.people.name_part_similarity import create_name_part_comparator
from bonafide.matching.people.person_name_alignment import align_person_names
from bonafide.matching.people.person_name_comparison import (
    PERSON_NAME_FEATURES,
    PersonNameComparator,
    compare_parsed_person_names,
)
from bonafide.matching.people.person_name_parsing import PersonName, parse_listed_person_name
from bonafide.matching.scoring.tolerance import Tolerance

NUMBERS = PERSON_NAME_FEATURES.get_numbers("person_parts")
PARTS = (
    *("jean", "jeanne", "jan", "j", "m", "marie", "mary", "tremblay", "trembley", "tremb", "lay", "ivanov", "ivanova"),
    *("ali", "alli", "abdul", "rahman", "al", "bin", "hussein", "husayn", "zawahiri", "alzawahiri", "btl"),
    *("de", "dr", "major", "general", "lee", "li", "kim"),
)
parts = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map(tuple)
tolerances = st.builds(Tolerance, st.integers(0, 2), st.booleans(), st.booleans())


def create_name(own: tuple[str, ...]) -> PersonName:
    return PersonName(" ".join(own), own, None, None)


@given(parts, parts, tolerances)
def test_the_score_is_that_of_the_alignment(left: tuple[str, ...], right: tuple[str, ...], tolerance: Tolerance) -> None:
    found = rate_parts(left, right, create_name_part_comparator(tolerance), **NUMBERS)
    if found is not None:
        alignment = align_person_names(left, right, tolerance)
        names = compare_people(create_name(left), create_name(right), alignment, NameBearer.PERSON, foreign=tolerance.foreign)
        assert found == names.rate_words(**NUMBERS)


def test_most_names_need_no_alignment() -> None:
    compare = create_name_part_comparator(Tolerance())
    assert rate_parts(("jean", "tremblay"), ("jean", "ivanov"), compare, **NUMBERS) is not None
    assert rate_parts(("jean", "tremblay"), ("jean", "trembley"), compare, **NUMBERS) is not None
    assert rate_parts(("jean", "tremblay"), ("marie", "jean", "tremblay"), compare, **NUMBERS) is not None
    assert rate_parts(("jean", "tremb", "lay"), ("jean", "tremblay"), compare, **NUMBERS) is None


@given(st.lists(parts, min_size=1, max_size=8), parts, tolerances, st.sampled_from([0.6, 0.7, 0.85]))
def test_a_comparator_finds_what_single_comparisons_find(
    listed: list[tuple[str, ...]], requested: tuple[str, ...], tolerance: Tolerance, floor: float
) -> None:
    name = parse_listed_person_name(" ".join(requested))
    comparator = PersonNameComparator(name, NameBearer.ANYBODY)
    for other in map(parse_listed_person_name, (" ".join(own) for own in [*listed, *listed])):
        alone = compare_parsed_person_names(name, other, tolerance, NameBearer.ANYBODY)
        found = comparator.compare_above(other, floor, tolerance)
        assert (found.score if found is not None and found.score >= floor else None) == (
            alone.score if alone.score >= floor else None
        )
