"""How similar two names of people are, and why: in any order, with initials, titles, hyphens and forms of the same given name.

It compares names only. Whether two people are the same also takes a date of birth or an address.
"""

from bonafide.matching.people.name_part_similarity import create_name_part_comparator, weigh_name_part
from bonafide.matching.people.person_name_features import (
    ComparedPeople,
    NameBearer,
    business_of_name,
    family_name,
    generation,
    given_names_only,
    no_part_exact,
    one_part_only,
    person_order,
    person_parts,
)
from bonafide.matching.people.person_name_parsing import PersonName, parse_listed_person_name
from bonafide.matching.scoring.alignment import align_names
from bonafide.matching.scoring.feature_table import Cap, Factor, FeatureTable
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, NameComparison
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.text.transliteration import is_non_latin

PERSON_NAME_FEATURES = FeatureTable[ComparedPeople](
    # Of a part that only one name has 0.22 of the weight count, 0.13 where the other name has nothing in its place: a middle name.
    Factor(person_parts, one_sided=0.22, conflict=1.5, extra=0.13),
    Factor(person_order, 0.99),
    Cap(generation, 0.65, missing=0.94),
    Cap(family_name, 0.8),
    Cap(given_names_only, 0.8),
    Cap(one_part_only, 0.65, letters_beside_initials=4, letters_misspelt=6),  # letters from which one part identifies a name
    Cap(no_part_exact, 0.84, parts=2),
    Cap(business_of_name, 0.79, similar=0.69),  # a name that holds the whole name of a person; only something like it
)


def compare_person_names(a: str, b: str) -> NameComparison:
    """Compare the requested name (`a`) with the found one (`b`). Both orders give the same score; the reason describes `b`."""
    return compare_parsed_person_names(
        parse_listed_person_name(a), parse_listed_person_name(b), Tolerance(foreign=is_non_latin(a) or is_non_latin(b))
    )


def compare_parsed_person_names(
    a: PersonName, b: PersonName, tolerance: Tolerance = DEFAULT_TOLERANCE, bearer: NameBearer = NameBearer.PERSON
) -> NameComparison:
    """As `compare_person_names`, for names that are in their normal form already."""
    if not a.parts or not b.parts:
        return NOTHING_TO_COMPARE
    apart = _compare(a, b, tolerance, bearer)
    if apart.score == 1 or (a.joined is None and b.joined is None):
        return apart
    together = _compare(a.joined or a, b.joined or b, tolerance, bearer)
    return together if together.score > apart.score else apart


def _compare(a: PersonName, b: PersonName, tolerance: Tolerance, bearer: NameBearer) -> NameComparison:
    alignment = align_names(a.parts, b.parts, create_name_part_comparator(tolerance))
    return PERSON_NAME_FEATURES.compare(ComparedPeople(a, b, alignment, weigh_name_part, bearer))
