"""How similar two names of people are, and why: in any order, with initials, titles, hyphens and forms of the same given name.

It compares names only. Whether two people are the same also takes a date of birth or an address.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from bonafide.matching.names.listed_words import describe_listed_difference, is_business_word
from bonafide.matching.names.name_features import quote_words
from bonafide.matching.people.name_part_similarity import create_name_part_comparator, is_given_name, weigh_name_part
from bonafide.matching.people.person_name_parsing import PersonName, parse_listed_person_name
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import AlignedNames, WordAlignment, WordPair, align_names
from bonafide.matching.scoring.feature_table import Cap, Factor, FeatureFinding, FeatureTable
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, NameComparison
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.text.phonetics import is_consonantal
from bonafide.matching.text.transliteration import is_non_latin
from bonafide.model.entity import Person
from bonafide.model.search.match import WordDifference


class NameBearer(Enum):
    """What is known of the bearer of the requested name."""

    PERSON = auto()
    ANYBODY = auto()
    """A person or a business."""
    BUSINESS = auto()
    """The name is what is left of a business's name without its legal form."""


@dataclass(frozen=True, slots=True)
class ComparedPeople(AlignedNames[PersonName]):
    """Two names of people and the alignment of their parts."""

    bearer: NameBearer = NameBearer.PERSON

    def weigh_pair(self, pair: WordPair) -> float:
        """The weight of the heaviest part, because an initial stands for a full name."""
        return max(map(weigh_name_part, (*pair.left, *pair.right)))


_SPELLINGS = frozenset({WordDifference.SLIP, WordDifference.SOUND})


def person_parts(names: ComparedPeople, *, one_sided: float, conflict: float, extra: float) -> FeatureFinding | None:
    """The parts that both names have against those that only one has.

    A part that is missing, such as a middle name, costs little; another part in its place costs much. Misspelt parts, initials and
    forms of the same given name count in part, little words such as "de" and "bin" hardly.
    """
    if names.alignment.identical:
        return None
    if not any(weigh_name_part(part) for part in (*names.query.parts, *names.candidate.parts)):
        return FeatureFinding(0.0, "titles only")
    score = names.rate_words(one_sided, conflict, extra)
    return None if score == 1 else FeatureFinding(score, partial(_explain_parts, names.alignment))


def _explain_parts(found: WordAlignment) -> str:
    notes = [describe_listed_difference(pair) for pair in found.pairs if pair.likeness.difference is not WordDifference.EQUAL]
    notes += [f"{quote_words(found.left_only)} missing"] if found.left_only else []
    notes += [f"{quote_words(found.right_only)} added"] if found.right_only else []
    return "; ".join(notes)


def person_order(names: ComparedPeople, *, score: float) -> FeatureFinding | None:
    """The same parts in another order are nearly the same name: which one is the family name is often not known."""
    return None if names.alignment.in_order else FeatureFinding(score, "parts in another order")


def generation(names: ComparedPeople, *, limit: float, missing: float) -> FeatureFinding | None:
    """Father and son bear one name: Jr. and Sr. are two people, and one of them left out is a likely variant."""
    asked, found = names.query.generation, names.candidate.generation
    if asked == found:
        return None
    if asked is None or found is None:
        return FeatureFinding(missing, "only one of the names says which generation")
    return FeatureFinding(limit, "another generation")


def family_name(names: ComparedPeople, *, limit: float) -> FeatureFinding | None:
    """Where a name says which part is the family name ("TREMBLAY, Jean"), something in the other name must stand for it."""
    pairs = names.alignment.pairs
    asked = _find_unpaired_family_name(names.query, {pair.left_at + place for pair in pairs for place in range(len(pair.left))})
    found = _find_unpaired_family_name(
        names.candidate, {pair.right_at + place for pair in pairs for place in range(len(pair.right))}
    )
    if not asked and not found:
        return None
    return FeatureFinding(limit, f"family name {quote_words(asked)} missing" if asked else f"family name is {quote_words(found)}")


def _find_unpaired_family_name(name: PersonName, paired: set[int]) -> tuple[str, ...]:
    """The family name when no full part of it has a counterpart; else empty."""
    places = range(len(name.parts) if name.family_at is None else name.family_at, len(name.parts))
    full = [place for place in places if weigh_name_part(name.parts[place]) >= 1]
    return tuple(name.parts[place] for place in full) if paired.isdisjoint(full) else ()


def given_names_only(names: ComparedPeople, *, limit: float) -> FeatureFinding | None:
    """Given names that many people bear, such as Mohammed Ali, don't tell who is meant where the other name has more."""
    found = names.alignment
    pairs = [pair for pair in found.pairs if names.weigh_pair(pair) >= 1]
    alone = [part for part in (*found.left_only, *found.right_only) if weigh_name_part(part) >= 1]
    if not alone or not pairs or not all(is_given_name(part) for pair in pairs for part in pair.left):
        return None
    return FeatureFinding(limit, "only common given names agree")


def one_part_only(
    names: ComparedPeople, *, limit: float, letters_beside_initials: float, letters_misspelt: float
) -> FeatureFinding | None:
    """One given or family name alone never identifies a person who has more, and neither do initials."""
    found = names.alignment
    if names.query.parts == names.candidate.parts and names.bearer is not NameBearer.BUSINESS:
        return None
    full = [pair for pair in found.pairs if pair.likeness.difference is not WordDifference.INITIAL and names.weigh_pair(pair) >= 1]
    if len(full) > 1 or (
        full and (_is_complete(names, full[0], letters_misspelt) or _are_initials_sufficient(found, letters_beside_initials))
    ):
        return None
    return FeatureFinding(limit, "only one part to go by")


def _is_complete(names: ComparedPeople, only: WordPair, letters_misspelt: float) -> bool:
    """Whether the one part is all that either name has: as it is listed, or long enough to be recognised when it is misspelt."""
    if any(weigh_name_part(part) > 0 for part in (*names.alignment.left_only, *names.alignment.right_only)):
        return False
    if len(names.alignment.pairs) > 1:
        return True
    if names.bearer is NameBearer.BUSINESS:
        return False
    if only.likeness.difference is WordDifference.SLIP:
        return len("".join(only.left)) >= letters_misspelt
    return only.likeness.difference is not WordDifference.SOUND


def _are_initials_sufficient(found: WordAlignment, letters_beside: float) -> bool:
    """Whether initials stand for parts of the other name: not in "Vladimir P. Kononov" for "Vladimir Petrov"."""
    initials = [pair for pair in found.pairs if pair.likeness.difference is WordDifference.INITIAL]
    full = [pair for pair in found.pairs if pair.likeness.difference is not WordDifference.INITIAL]
    if any(pair.likeness.difference in _SPELLINGS or len("".join(pair.left)) < letters_beside for pair in full):
        return False
    rests = [found.left_only if len(pair.left[0]) == 1 else found.right_only for pair in initials]
    if not initials or any(weigh_name_part(part) >= 1 for rest in rests for part in rest):
        return False
    return sum(weigh_name_part(part) >= 1 for part in (*found.left_only, *found.right_only)) <= 1


def no_part_exact(names: ComparedPeople, *, limit: float, parts: float) -> FeatureFinding | None:
    """Where all that agrees is misspelt, or only sounds alike, it may be another name: it is worth a look at most.

    So it is where one of two parts is, the other is a common given name, and one of the names has more.
    """
    found = names.alignment
    full = [pair for pair in found.pairs if names.weigh_pair(pair) >= 1]
    exact = [pair for pair in full if pair.likeness.difference not in _SPELLINGS]
    if not found.complete:
        exact = [pair for pair in exact if not all(map(is_given_name, pair.left))]
    if len(full) != parts or exact:
        return None
    if any(map(is_consonantal, (word for pair in full for word in (*pair.left, *pair.right)))):
        return None
    return FeatureFinding(limit, "no part of the name agrees exactly")


def business_of_name(names: ComparedPeople, *, limit: float, similar: float) -> FeatureFinding | None:
    """A business that bears a person's name is the person's when nothing else is in it; with other words it is worth a look."""
    found = names.alignment
    if names.bearer is NameBearer.PERSON:
        return None
    initials = [pair.left[0] for pair in found.pairs if pair.likeness.difference is WordDifference.INITIAL]
    is_business = names.bearer is NameBearer.BUSINESS or any(map(is_business_word, (*found.left_only, *initials)))
    if not is_business or found.identical:
        return None
    whole = not any(weigh_name_part(part) >= 1 for part in found.right_only)
    exact = all(pair.likeness.difference in {WordDifference.EQUAL, WordDifference.JOINED} for pair in found.pairs)
    return FeatureFinding(limit if whole and exact else similar, "the name of a business, and not quite the person's")


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


def is_named(name: str, people: Iterable[Person]) -> bool:
    """Whether one of these people has a name that matches."""
    return any(compare_person_names(name, person.name).score >= score_parameters.MATCHED for person in people)


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
