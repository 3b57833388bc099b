"""How similar two names of people are, and why: in any order, with initials, titles, hyphens and forms of the same given name.

Equal names do not identify a person: that also requires a date of birth or an address.
"""

from collections.abc import Iterable
from functools import partial
from math import inf

from bonafide.i18n.message import Message, join_messages
from bonafide.matching.names.listed_words import is_business_word
from bonafide.matching.names.name_features import describe_difference, describe_unpaired_words, quote_words
from bonafide.matching.people.compared_people import SPELLINGS, ComparedPeople, NameBearer, compare_people
from bonafide.matching.people.given_names import is_rather_given_name
from bonafide.matching.people.name_part_score import rate_parts
from bonafide.matching.people.name_part_similarity import create_name_part_comparator, weigh_name_part
from bonafide.matching.people.person_name_alignment import align_person_names
from bonafide.matching.people.person_name_parsing import PersonName, parse_listed_person_name
from bonafide.matching.people.weak_match_features import (
    common_names_only,
    consonants_only,
    first_part_missing,
    given_names_only,
    no_part_exact,
    other_given_name,
    own_characters,
    syllables,
)
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import WordAlignment, WordPair, Words
from bonafide.matching.scoring.feature_table import Cap, Factor, FeatureFinding, FeatureTable
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, NameComparison
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.text.transliteration import is_non_latin
from bonafide.model.entity import Person
from bonafide.model.search.match import WordDifference

_TITLES_ONLY = Message("titles only")
_OTHER_ORDER = Message("name parts in a different order")
_GENERATION_MISSING = Message("only one of the names has a generation suffix (such as Jr.)")
_OTHER_GENERATION = Message("different generation suffixes (such as Jr. and Sr.)")
_FAMILY_NAME_MISSING, _FAMILY_NAME = Message("family name {name} missing"), Message("the family name is {name}")
_ONE_PART_ONLY = Message("only one full part of the name matches")
_NO_PART, _INITIALS_ONLY = Message("no part of the name matches"), Message("only initials match")
_PARTICLES_ONLY = Message("only initials and particles match")
_BUSINESS_NAME = Message("a business name that is similar to the person’s name")


def person_parts(names: ComparedPeople, *, one_sided: float, conflict: float, extra: float) -> FeatureFinding | None:
    """The parts that both names have, compared with all parts.

    A missing part, such as a middle name, costs little; a replaced part costs much. Misspelt parts, initials and forms of the same
    given name count in part, and particles such as "de" and "bin" hardly at all.
    """
    if names.alignment.identical:
        return None
    if not any(weigh_name_part(part) for part in (*names.query.parts, *names.candidate.parts)):
        return FeatureFinding(0.0, _TITLES_ONLY)
    score = names.rate_words(one_sided, conflict, extra)
    return None if score == 1 else FeatureFinding(score, partial(_explain_parts, names.alignment))


def _explain_parts(found: WordAlignment) -> Message:
    notes = [describe_difference(pair) for pair in found.pairs if pair.likeness.difference is not WordDifference.EQUAL]
    return join_messages(notes + describe_unpaired_words(found.left_only, found.right_only))


def person_order(names: ComparedPeople, *, score: float) -> FeatureFinding | None:
    """The same parts in another order are nearly the same name, because the family name is often not marked."""
    return None if names.alignment.in_order else FeatureFinding(score, _OTHER_ORDER)


def generation(names: ComparedPeople, *, limit: float, missing: float) -> FeatureFinding | None:
    """Parents and children may have the same name: Jr. and Sr. are two people. A name without the suffix is a likely variant."""
    requested, found = names.query.generation, names.candidate.generation
    if requested == found:
        return None
    if requested is None or found is None:
        return FeatureFinding(missing, _GENERATION_MISSING)
    return FeatureFinding(limit, _OTHER_GENERATION)


def family_name(names: ComparedPeople, *, limit: float) -> FeatureFinding | None:
    """If a name marks its family name ("TREMBLAY, Jean"), the other name must have a corresponding part."""
    pairs = names.alignment.pairs
    requested = _find_unpaired_family_name(names.query, {pair.left_at + place for pair in pairs for place in range(len(pair.left))})
    found = _find_unpaired_family_name(
        names.candidate, {pair.right_at + place for pair in pairs for place in range(len(pair.right))}
    )
    if not requested and not found:
        return None
    return FeatureFinding(
        limit, partial((_FAMILY_NAME_MISSING if requested else _FAMILY_NAME).fill, name=quote_words(requested or found))
    )


def _find_unpaired_family_name(name: PersonName, paired: set[int]) -> tuple[str, ...]:
    """The family name if no full part of it is paired; otherwise empty."""
    places = range(len(name.parts) if name.family_at is None else name.family_at, len(name.parts))
    full = [place for place in places if weigh_name_part(name.parts[place]) >= 1]
    return tuple(name.parts[place] for place in full) if paired.isdisjoint(full) else ()


def one_part_only(
    names: ComparedPeople, *, limit: float, letters_beside_initials: float, letters_misspelt: float
) -> FeatureFinding | None:
    """A single given or family name never identifies a person with a longer name, and neither do initials."""
    found = names.alignment
    if names.query.parts == names.candidate.parts and names.bearer is not NameBearer.BUSINESS:
        return None
    full = [pair for pair in found.pairs if pair.likeness.difference is not WordDifference.INITIAL and names.weigh_pair(pair) >= 1]
    if len(full) > 1 or (
        full and (_is_complete(names, full[0], letters_misspelt) or _are_initials_sufficient(found, letters_beside_initials))
    ):
        return None
    return FeatureFinding(limit, _ONE_PART_ONLY if full else partial(_explain_no_full_part, names))


def _explain_no_full_part(names: ComparedPeople) -> Message:
    differences = {pair.likeness.difference for pair in names.alignment.pairs if names.weigh_pair(pair) > 0}
    if not differences:
        return _NO_PART
    return _INITIALS_ONLY if differences == {WordDifference.INITIAL} else _PARTICLES_ONLY


def _is_complete(names: ComparedPeople, only: WordPair, letters_misspelt: float) -> bool:
    """Whether both names have only this part: spelt as listed, or long enough to be recognised if misspelt."""
    if any(weigh_name_part(part) > 0 for part in (*names.alignment.left_only, *names.alignment.right_only)):
        return False
    if len(names.alignment.pairs) > 1:
        # "Ivan P." may be anybody's; in "M. Ali" the given name is the family name.
        return only.left_at > 0 or only.right_at > 0 or not all(map(is_rather_given_name, (*only.left, *only.right)))
    if names.bearer is NameBearer.BUSINESS:
        return False
    if only.likeness.difference is WordDifference.SLIP:
        return len("".join(only.left)) >= letters_misspelt
    return only.likeness.difference is not WordDifference.SOUND


def _are_initials_sufficient(found: WordAlignment, letters_beside: float) -> bool:
    """Whether initials represent parts of the other name: not in "Vladimir P. Kononov" for "Vladimir Petrov", nor in "Ivan P."."""
    initials = [pair for pair in found.pairs if pair.likeness.difference is WordDifference.INITIAL]
    full = [pair for pair in found.pairs if pair.likeness.difference is not WordDifference.INITIAL]
    if all(map(is_rather_given_name, (part for pair in full for part in (*pair.left, *pair.right)))):
        return False
    if any(pair.likeness.difference in SPELLINGS or len("".join(pair.left)) < letters_beside for pair in full):
        return False
    rests = [found.left_only if len(pair.left[0]) == 1 else found.right_only for pair in initials]
    if not initials or any(weigh_name_part(part) >= 1 for rest in rests for part in rest):
        return False
    return sum(weigh_name_part(part) >= 1 for part in (*found.left_only, *found.right_only)) <= 1


def business_of_name(names: ComparedPeople, *, limit: float, similar: float) -> FeatureFinding | None:
    """A business name that is exactly a person's name is attributed to the person; with other words the score is limited."""
    found = names.alignment
    if names.bearer is NameBearer.PERSON:
        return None
    initials = [pair.left[0] for pair in found.pairs if pair.likeness.difference is WordDifference.INITIAL]
    is_business = names.bearer is NameBearer.BUSINESS or any(map(is_business_word, (*found.left_only, *initials)))
    if not is_business or found.identical:
        return None
    whole = not any(weigh_name_part(part) >= 1 for part in found.right_only)
    exact = all(pair.likeness.difference in {WordDifference.EQUAL, WordDifference.JOINED} for pair in found.pairs)
    return FeatureFinding(limit if whole and exact else similar, _BUSINESS_NAME)


PERSON_NAME_FEATURES = FeatureTable[ComparedPeople](
    # An unpaired part counts with 0.22 of its weight, or 0.13 if the other name has no unpaired part: a middle name.
    Factor(person_parts, one_sided=0.22, conflict=1.5, extra=0.13),
    Factor(person_order, 0.99),
    Cap(generation, 0.65, missing=0.94),
    Cap(family_name, 0.8),
    Cap(given_names_only, 0.69, few=2, limit_of_many=0.8),
    Cap(common_names_only, 0.69, share=50, few=2),
    Cap(first_part_missing, 0.69, share=50, few=2),
    Cap(one_part_only, 0.65, letters_beside_initials=4, letters_misspelt=6),  # letters from which one part identifies a name
    Cap(no_part_exact, 0.84, parts=2, limit_with_more=0.69, share=50),
    Cap(consonants_only, 0.79),
    Cap(other_given_name, 0.79),
    Cap(syllables, 0.69, misspelt=0.78, parts_with_slip=3),
    Cap(own_characters, 0.69),
    Cap(business_of_name, 0.79, similar=0.69),  # a name that contains the whole name of a person; a similar one
)
_PART_NUMBERS = PERSON_NAME_FEATURES.get_numbers("person_parts")


def compare_person_names(a: str, b: str) -> NameComparison:
    """Compare the requested name (`a`) with the found one (`b`). Both orders give the same score; the reason describes `b`."""
    return compare_parsed_person_names(
        parse_listed_person_name(a), parse_listed_person_name(b), Tolerance(foreign=is_non_latin(a) or is_non_latin(b))
    )


def is_named(name: str, people: Iterable[Person]) -> bool:
    """Whether one of these people has a name that matches."""
    return any(compare_person_names(name, person.name).score >= score_parameters.MATCHED for person in people)


def compare_parsed_person_names(
    a: PersonName, b: PersonName, tolerance: Tolerance = DEFAULT_TOLERANCE, bearer: NameBearer = NameBearer.PERSON
) -> NameComparison:
    """As `compare_person_names`, for names in normal form."""
    comparison = PersonNameComparator(a, bearer).compare_above(b, 0.0, tolerance)
    return comparison if comparison is not None else NOTHING_TO_COMPARE


class PersonNameComparator:
    """Compares one name with many, those with equal parts in less time: parties have several names with the same parts.

    All comparisons must have equal numbers of typos and variants allowed; only `Tolerance.foreign` may differ.
    """

    def __init__(self, name: PersonName, bearer: NameBearer) -> None:
        self._name, self._bearer = name, bearer
        self._alignments: dict[tuple[Words, Words, bool], WordAlignment] = {}
        # The lowest floor that the first factor was found to be below.
        self._below: dict[tuple[Words, Words, bool], float] = {}

    def compare_above(self, other: PersonName, floor: float, tolerance: Tolerance) -> NameComparison | None:
        """The comparison; None if there is nothing to compare, or if the first factor alone is below `floor`."""
        name = self._name
        if not name.parts or not other.parts:
            return None
        apart = self._compare(name, other, floor, tolerance)
        if (apart is not None and apart.score == 1) or (name.joined is None and other.joined is None):
            return apart
        together = self._compare(name.joined or name, other.joined or other, floor, tolerance)
        compared = (comparison for comparison in (apart, together) if comparison is not None)
        return max(compared, key=lambda comparison: comparison.score, default=None)

    def _compare(self, a: PersonName, b: PersonName, floor: float, tolerance: Tolerance) -> NameComparison | None:
        key = (a.parts, b.parts, tolerance.foreign)
        # The first factor depends on the parts alone.
        if self._below.get(key, inf) <= floor:
            return None
        alignment = self._alignments.get(key)
        if alignment is None:
            score = rate_parts(a.parts, b.parts, create_name_part_comparator(tolerance), **_PART_NUMBERS) if floor > 0 else None
            if score is not None and score < floor:
                self._below[key] = floor
                return None
            alignment = self._alignments[key] = align_person_names(a.parts, b.parts, tolerance)
        names = compare_people(a, b, alignment, self._bearer, foreign=tolerance.foreign)
        found = PERSON_NAME_FEATURES.compare_above(names, floor)
        if found is None:
            self._below[key] = floor
        return found
