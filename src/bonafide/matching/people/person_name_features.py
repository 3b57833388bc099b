"""How alike two names of people are, and why: in any order, with initials, titles, hyphens and forms of the same given name.

It compares names only. Whether two people are the same also takes a date of birth or an address, which are not looked at here.
"""

from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from math import fsum

from bonafide.matching.names.listed_words import describe_listed_difference, is_business_word
from bonafide.matching.names.name_features import quote_words
from bonafide.matching.people.name_part_similarity import create_name_part_comparator, is_given_name, weigh_name_part
from bonafide.matching.people.person_name_parsing import PersonName, parse_listed_person_name
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.alignment import WordAlignment, WordPair, align_words
from bonafide.matching.scoring.name_comparison import FeatureResult, NameComparison, to_reason
from bonafide.matching.scoring.score_breakdown import NO_WORDS, BreakdownWeights, FeatureResults, build_name_breakdown
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.text.phonetics import is_consonantal
from bonafide.matching.text.transliteration import is_non_latin
from bonafide.model.search.match import NameBreakdown
from bonafide.model.search.match import WordDifference as Way


class NameBearer(Enum):
    """What is known of whoever bears the name that is asked for."""

    PERSON = auto()
    ANYBODY = auto()
    """A person or a business."""
    BUSINESS = auto()
    """The name is what is left of a business's name without its legal form."""


@dataclass(frozen=True, slots=True)
class ComparedPeople:
    """Two names of people and the alignment of their parts: `query` was asked for, `candidate` was found."""

    query: PersonName
    candidate: PersonName
    alignment: WordAlignment
    bearer: NameBearer = NameBearer.PERSON


def compare_person_names(a: str, b: str) -> NameComparison:
    """Compare the name asked for (`a`) with the name found (`b`). The score is the same both ways; the reason is told from `a`."""
    return compare_parsed_person_names(
        parse_listed_person_name(a), parse_listed_person_name(b), Tolerance(foreign=is_non_latin(a) or is_non_latin(b))
    )


def compare_parsed_person_names(
    a: PersonName, b: PersonName, leeway: Tolerance = DEFAULT_TOLERANCE, bearer: NameBearer = NameBearer.PERSON
) -> NameComparison:
    """As `compare_person_names`, for names that are in their normal form already."""
    if not a.parts or not b.parts:
        return NameComparison(0.0, (), (), "no letters or digits to compare", partial(_build_breakdown, NO_WORDS))
    apart = _compare(a, b, leeway, bearer)
    if apart.score == 1 or (a.joined is None and b.joined is None):
        return apart
    together = _compare(a.joined or a, b.joined or b, leeway, bearer)
    return together if together.score > apart.score else apart


def _compare(a: PersonName, b: PersonName, leeway: Tolerance, bearer: NameBearer) -> NameComparison:
    compared = ComparedPeople(a, b, align_words(a.parts, b.parts, create_name_part_comparator(leeway)), bearer)
    factors = tuple([result for feature in FACTORS if (result := feature(compared)) is not None])
    caps = tuple([result for feature in CAPS if (result := feature(compared)) is not None])
    verdict = "" if factors or caps else "same name"
    breakdown = partial(_build_breakdown, compared.alignment, factors, caps)
    return NameComparison(score_parameters.combine_scores(factors, caps), factors, caps, verdict, breakdown)


def _build_breakdown(found: WordAlignment, factors: FeatureResults = (), caps: FeatureResults = ()) -> NameBreakdown:
    return build_name_breakdown(
        found, BreakdownWeights(weigh_name_part, _weigh_pair, lambda pair: pair.likeness.score), factors, caps
    )


def person_parts(compared: ComparedPeople) -> FeatureResult | None:
    """The parts that both names have against those that only one has.

    A part that is missing, such as a middle name, costs little; another part in its place costs much. Misspelt parts, initials and
    forms of the same given name count in part, little words such as "de" and "bin" hardly.
    """
    found = compared.alignment
    if found.complete and all(pair.likeness.way is Way.EQUAL for pair in found.pairs):
        return None
    if not any(weigh_name_part(part) for part in (*compared.query.parts, *compared.candidate.parts)):
        return FeatureResult("person_parts", 0.0, to_reason("titles only"))
    agreed = fsum(pair.likeness.score * _weigh_pair(pair) for pair in found.pairs)
    missing, added = fsum(map(weigh_name_part, found.left_only)), fsum(map(weigh_name_part, found.right_only))
    one_sided = weights.EXTRA_PART if min(missing, added) == 0 else score_parameters.PERSON_ONE_SIDED
    against = one_sided * (missing + added) + score_parameters.PERSON_CONFLICT * min(missing, added)
    score = agreed / (fsum(map(_weigh_pair, found.pairs)) + against)
    if score == 1:
        return None
    return FeatureResult("person_parts", score, partial(_explain_parts, found))


def _explain_parts(found: WordAlignment) -> str:
    notes = [describe_listed_difference(pair) for pair in found.pairs if pair.likeness.way is not Way.EQUAL]
    notes += [f"{quote_words(found.left_only)} missing"] if found.left_only else []
    notes += [f"{quote_words(found.right_only)} added"] if found.right_only else []
    return "; ".join(notes)


def person_order(compared: ComparedPeople) -> FeatureResult | None:
    """The same parts in another order are nearly the same name: which one is the family name is often not known."""
    if compared.alignment.in_order:
        return None
    return FeatureResult("person_order", score_parameters.PERSON_ORDER, lambda: "parts in another order")


def generation(compared: ComparedPeople) -> FeatureResult | None:
    """Father and son bear one name: Jr. and Sr. are two people, and one of them left out is a likely variant."""
    asked, found = compared.query.generation, compared.candidate.generation
    if asked == found:
        return None
    if asked is None or found is None:
        return FeatureResult(
            "generation", score_parameters.GENERATION_MISSING_CAP, lambda: "only one of the names says which generation"
        )
    return FeatureResult("generation", score_parameters.GENERATIONS_DIFFER_CAP, lambda: "another generation")


def family_name(compared: ComparedPeople) -> FeatureResult | None:
    """Where a name says which part is the family name ("TREMBLAY, Jean"), something in the other name must stand for it."""
    pairs = compared.alignment.pairs
    asked = _find_unpaired_family_name(compared.query, {pair.left_at + place for pair in pairs for place in range(len(pair.left))})
    found = _find_unpaired_family_name(
        compared.candidate, {pair.right_at + place for pair in pairs for place in range(len(pair.right))}
    )
    if not asked and not found:
        return None
    return FeatureResult(
        "family_name",
        score_parameters.FAMILY_NAME_CAP,
        lambda: f"family name {quote_words(asked)} missing" if asked else f"family name is {quote_words(found)}",
    )


def _find_unpaired_family_name(name: PersonName, paired: set[int]) -> tuple[str, ...]:
    """The family name when no full part of it has a counterpart; else empty."""
    places = range(len(name.parts) if name.family_at is None else name.family_at, len(name.parts))
    full = [place for place in places if weigh_name_part(name.parts[place]) >= 1]
    return tuple(name.parts[place] for place in full) if paired.isdisjoint(full) else ()


def one_part_only(compared: ComparedPeople) -> FeatureResult | None:
    """One given or family name alone never identifies a person who has more, and neither do initials."""
    found = compared.alignment
    if compared.query.parts == compared.candidate.parts and compared.bearer is not NameBearer.BUSINESS:
        return None
    full = [pair for pair in found.pairs if pair.likeness.way is not Way.INITIAL and _weigh_pair(pair) >= 1]
    if len(full) > 1 or (full and (_is_complete(compared, full[0]) or _are_initials_sufficient(found))):
        return None
    return FeatureResult("one_part_only", score_parameters.ONE_PART_CAP, lambda: "only one part to go by")


def _is_complete(compared: ComparedPeople, only: WordPair) -> bool:
    """Whether the one part is all that either name has: as it is listed, or long enough to be recognised when it is misspelt."""
    if any(weigh_name_part(part) > 0 for part in (*compared.alignment.left_only, *compared.alignment.right_only)):
        return False
    if len(compared.alignment.pairs) > 1:
        return True
    if compared.bearer is NameBearer.BUSINESS:
        return False
    if only.likeness.way is Way.SLIP:
        return len("".join(only.left)) >= weights.SINGLE_LETTERS
    return only.likeness.way is not Way.SOUND


def given_names_only(compared: ComparedPeople) -> FeatureResult | None:
    """Given names that many people bear, such as Mohammed Ali, don't tell who is meant where the other name has more."""
    found = compared.alignment
    pairs = [pair for pair in found.pairs if _weigh_pair(pair) >= 1]
    alone = [part for part in (*found.left_only, *found.right_only) if weigh_name_part(part) >= 1]
    if not alone or not pairs or not all(is_given_name(part) for pair in pairs for part in pair.left):
        return None
    return FeatureResult("given_names_only", weights.GIVEN_NAMES_CAP, to_reason("only common given names agree"))


def no_part_exact(compared: ComparedPeople) -> FeatureResult | None:
    """Where all that agrees is misspelt, or only sounds alike, it may be another name: it is worth a look at most.

    So it is where one of two parts is, the other is a common given name, and one of the names has more.
    """
    found = compared.alignment
    full = [pair for pair in found.pairs if _weigh_pair(pair) >= 1]
    exact = [pair for pair in full if pair.likeness.way not in {Way.SLIP, Way.SOUND}]
    if not found.complete:
        exact = [pair for pair in exact if not all(map(is_given_name, pair.left))]
    if len(full) != weights.FEW_PARTS or exact:
        return None
    if any(map(is_consonantal, (word for pair in full for word in (*pair.left, *pair.right)))):
        return None
    return FeatureResult("no_part_exact", weights.NO_PART_EXACT_CAP, to_reason("no part of the name agrees exactly"))


def business_of_name(compared: ComparedPeople) -> FeatureResult | None:
    """A business that bears a person's name is the person's when nothing else is in it; with other words it is worth a look."""
    found = compared.alignment
    if compared.bearer is NameBearer.PERSON:
        return None
    initials = [pair.left[0] for pair in found.pairs if pair.likeness.way is Way.INITIAL]
    is_business = compared.bearer is NameBearer.BUSINESS or any(map(is_business_word, (*found.left_only, *initials)))
    if not is_business or (found.complete and all(pair.likeness.way is Way.EQUAL for pair in found.pairs)):
        return None
    whole = not any(weigh_name_part(part) >= 1 for part in found.right_only)
    exact = all(pair.likeness.way in {Way.EQUAL, Way.JOINED} for pair in found.pairs)
    cap = weights.BUSINESS_OF_NAME_CAP if whole and exact else weights.BUSINESS_LIKE_NAME_CAP
    return FeatureResult("business_of_name", cap, to_reason("the name of a business, and not quite the person's"))


def _are_initials_sufficient(found: WordAlignment) -> bool:
    """Whether initials stand for parts of the other name: not in "Vladimir P. Kononov" for "Vladimir Petrov"."""
    initials = [pair for pair in found.pairs if pair.likeness.way is Way.INITIAL]
    full = [pair for pair in found.pairs if pair.likeness.way is not Way.INITIAL]
    if any(pair.likeness.way in {Way.SLIP, Way.SOUND} or len("".join(pair.left)) < weights.TELLING_PART for pair in full):
        return False
    rests = [found.left_only if len(pair.left[0]) == 1 else found.right_only for pair in initials]
    if not initials or any(weigh_name_part(part) >= 1 for rest in rests for part in rest):
        return False
    return sum(weigh_name_part(part) >= 1 for part in (*found.left_only, *found.right_only)) <= 1


def _weigh_pair(pair: WordPair) -> float:
    return max(map(weigh_name_part, (*pair.left, *pair.right)))


FACTORS = (person_parts, person_order)
"""Multiplied with each other."""
CAPS = (generation, family_name, given_names_only, one_part_only, no_part_exact, business_of_name)
"""Limits of the product."""
