"""How alike two names of people are, and why: in any order, with initials, titles, hyphens and forms of the same given name.

It compares names only. Whether two people are the same also takes a date of birth or an address, which are not looked at here.
"""

from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from math import fsum

from bonafide.matching import features
from bonafide.matching import screening_weights as weights
from bonafide.matching.alignment import Alignment, Pair, align
from bonafide.matching.breakdown import NO_WORDS, Results, Scale, name_breakdown
from bonafide.matching.comparison import FeatureResult, NameComparison, said
from bonafide.matching.name_features import quoted
from bonafide.matching.people import PersonName, read_person
from bonafide.matching.person_words import is_given, part_weight, person_likener
from bonafide.matching.phonetics import is_consonantal
from bonafide.matching.screening_leeway import USUAL, Leeway
from bonafide.matching.screening_words import is_business_word, read_as
from bonafide.matching.transliteration import is_foreign
from bonafide.model.match import NameBreakdown
from bonafide.model.match import WordDifference as Way


class Bearer(Enum):
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
    alignment: Alignment
    bearer: Bearer = Bearer.PERSON


def compare_person_names(a: str, b: str) -> NameComparison:
    """Compare the name asked for (`a`) with the name found (`b`). The score is the same both ways; the reason is told from `a`."""
    return compare_people(read_person(a), read_person(b), Leeway(foreign=is_foreign(a) or is_foreign(b)))


def compare_people(a: PersonName, b: PersonName, leeway: Leeway = USUAL, bearer: Bearer = Bearer.PERSON) -> NameComparison:
    """As `compare_person_names`, for names that are in their normal form already."""
    if not a.parts or not b.parts:
        return NameComparison(0.0, (), (), "no letters or digits to compare", partial(_breakdown, NO_WORDS))
    apart = _compared(a, b, leeway, bearer)
    if apart.score == 1 or (a.joined is None and b.joined is None):
        return apart
    together = _compared(a.joined or a, b.joined or b, leeway, bearer)
    return together if together.score > apart.score else apart


def _compared(a: PersonName, b: PersonName, leeway: Leeway, bearer: Bearer) -> NameComparison:
    compared = ComparedPeople(a, b, align(a.parts, b.parts, person_likener(leeway)), bearer)
    factors = tuple([result for feature in FACTORS if (result := feature(compared)) is not None])
    caps = tuple([result for feature in CAPS if (result := feature(compared)) is not None])
    verdict = "" if factors or caps else "same name"
    breakdown = partial(_breakdown, compared.alignment, factors, caps)
    return NameComparison(features.combined(factors, caps), factors, caps, verdict, breakdown)


def _breakdown(found: Alignment, factors: Results = (), caps: Results = ()) -> NameBreakdown:
    return name_breakdown(found, Scale(part_weight, _pair_weight, lambda pair: pair.likeness.score), factors, caps)


def person_parts(compared: ComparedPeople) -> FeatureResult | None:
    """The parts that both names have against those that only one has.

    A part that is missing, such as a middle name, costs little; another part in its place costs much. Misspelt parts, initials and
    forms of the same given name count in part, little words such as "de" and "bin" hardly.
    """
    found = compared.alignment
    if found.complete and all(pair.likeness.way is Way.EQUAL for pair in found.pairs):
        return None
    if not any(part_weight(part) for part in (*compared.query.parts, *compared.candidate.parts)):
        return FeatureResult("person_parts", 0.0, said("titles only"))
    agreed = fsum(pair.likeness.score * _pair_weight(pair) for pair in found.pairs)
    missing, added = fsum(map(part_weight, found.left_only)), fsum(map(part_weight, found.right_only))
    one_sided = weights.EXTRA_PART if min(missing, added) == 0 else features.PERSON_ONE_SIDED
    against = one_sided * (missing + added) + features.PERSON_CONFLICT * min(missing, added)
    score = agreed / (fsum(map(_pair_weight, found.pairs)) + against)
    if score == 1:
        return None
    return FeatureResult("person_parts", score, partial(_tell_parts, found))


def _tell_parts(found: Alignment) -> str:
    notes = [read_as(pair) for pair in found.pairs if pair.likeness.way is not Way.EQUAL]
    notes += [f"{quoted(found.left_only)} missing"] if found.left_only else []
    notes += [f"{quoted(found.right_only)} added"] if found.right_only else []
    return "; ".join(notes)


def person_order(compared: ComparedPeople) -> FeatureResult | None:
    """The same parts in another order are nearly the same name: which one is the family name is often not known."""
    if compared.alignment.in_order:
        return None
    return FeatureResult("person_order", features.PERSON_ORDER, lambda: "parts in another order")


def generation(compared: ComparedPeople) -> FeatureResult | None:
    """Father and son bear one name: Jr. and Sr. are two people, and one of them left out is a likely variant."""
    asked, found = compared.query.generation, compared.candidate.generation
    if asked == found:
        return None
    if asked is None or found is None:
        return FeatureResult("generation", features.GENERATION_MISSING_CAP, lambda: "only one of the names says which generation")
    return FeatureResult("generation", features.GENERATIONS_DIFFER_CAP, lambda: "another generation")


def family_name(compared: ComparedPeople) -> FeatureResult | None:
    """Where a name says which part is the family name ("TREMBLAY, Jean"), something in the other name must stand for it."""
    pairs = compared.alignment.pairs
    asked = _family_alone(compared.query, {pair.left_at + place for pair in pairs for place in range(len(pair.left))})
    found = _family_alone(compared.candidate, {pair.right_at + place for pair in pairs for place in range(len(pair.right))})
    if not asked and not found:
        return None
    return FeatureResult(
        "family_name",
        features.FAMILY_NAME_CAP,
        lambda: f"family name {quoted(asked)} missing" if asked else f"family name is {quoted(found)}",
    )


def _family_alone(name: PersonName, paired: set[int]) -> tuple[str, ...]:
    """The family name when no full part of it has a counterpart; else empty."""
    places = range(len(name.parts) if name.family_at is None else name.family_at, len(name.parts))
    full = [place for place in places if part_weight(name.parts[place]) >= 1]
    return tuple(name.parts[place] for place in full) if paired.isdisjoint(full) else ()


def one_part_only(compared: ComparedPeople) -> FeatureResult | None:
    """One given or family name alone never identifies a person who has more, and neither do initials."""
    found = compared.alignment
    if compared.query.parts == compared.candidate.parts and compared.bearer is not Bearer.BUSINESS:
        return None
    full = [pair for pair in found.pairs if pair.likeness.way is not Way.INITIAL and _pair_weight(pair) >= 1]
    if len(full) > 1 or (full and (_complete(compared, full[0]) or _initials_suffice(found))):
        return None
    return FeatureResult("one_part_only", features.ONE_PART_CAP, lambda: "only one part to go by")


def _complete(compared: ComparedPeople, only: Pair) -> bool:
    """Whether the one part is all that either name has: as it is listed, or long enough to be recognised when it is misspelt."""
    if any(part_weight(part) > 0 for part in (*compared.alignment.left_only, *compared.alignment.right_only)):
        return False
    if len(compared.alignment.pairs) > 1:
        return True
    if compared.bearer is Bearer.BUSINESS:
        return False
    if only.likeness.way is Way.SLIP:
        return len("".join(only.left)) >= weights.SINGLE_LETTERS
    return only.likeness.way is not Way.SOUND


def given_names_only(compared: ComparedPeople) -> FeatureResult | None:
    """Given names that many people bear, such as Mohammed Ali, don't tell who is meant where the other name has more."""
    found = compared.alignment
    pairs = [pair for pair in found.pairs if _pair_weight(pair) >= 1]
    alone = [part for part in (*found.left_only, *found.right_only) if part_weight(part) >= 1]
    if not alone or not pairs or not all(is_given(part) for pair in pairs for part in pair.left):
        return None
    return FeatureResult("given_names_only", weights.GIVEN_NAMES_CAP, said("only common given names agree"))


def no_part_exact(compared: ComparedPeople) -> FeatureResult | None:
    """Where all that agrees is misspelt, or only sounds alike, it may be another name: it is worth a look at most.

    So it is where one of two parts is, the other is a common given name, and one of the names has more.
    """
    found = compared.alignment
    full = [pair for pair in found.pairs if _pair_weight(pair) >= 1]
    exact = [pair for pair in full if pair.likeness.way not in {Way.SLIP, Way.SOUND}]
    if not found.complete:
        exact = [pair for pair in exact if not all(map(is_given, pair.left))]
    if len(full) != weights.FEW_PARTS or exact:
        return None
    if any(map(is_consonantal, (word for pair in full for word in (*pair.left, *pair.right)))):
        return None
    return FeatureResult("no_part_exact", weights.NO_PART_EXACT_CAP, said("no part of the name agrees exactly"))


def business_of_name(compared: ComparedPeople) -> FeatureResult | None:
    """A business that bears a person's name is the person's when nothing else is in it; with other words it is worth a look."""
    found = compared.alignment
    if compared.bearer is Bearer.PERSON:
        return None
    initials = [pair.left[0] for pair in found.pairs if pair.likeness.way is Way.INITIAL]
    is_business = compared.bearer is Bearer.BUSINESS or any(map(is_business_word, (*found.left_only, *initials)))
    if not is_business or (found.complete and all(pair.likeness.way is Way.EQUAL for pair in found.pairs)):
        return None
    whole = not any(part_weight(part) >= 1 for part in found.right_only)
    exact = all(pair.likeness.way in {Way.EQUAL, Way.JOINED} for pair in found.pairs)
    cap = weights.BUSINESS_OF_NAME_CAP if whole and exact else weights.BUSINESS_LIKE_NAME_CAP
    return FeatureResult("business_of_name", cap, said("the name of a business, and not quite the person's"))


def _initials_suffice(found: Alignment) -> bool:
    """Whether initials stand for parts of the other name: not in "Vladimir P. Kononov" for "Vladimir Petrov"."""
    initials = [pair for pair in found.pairs if pair.likeness.way is Way.INITIAL]
    full = [pair for pair in found.pairs if pair.likeness.way is not Way.INITIAL]
    if any(pair.likeness.way in {Way.SLIP, Way.SOUND} or len("".join(pair.left)) < weights.TELLING_PART for pair in full):
        return False
    rests = [found.left_only if len(pair.left[0]) == 1 else found.right_only for pair in initials]
    if not initials or any(part_weight(part) >= 1 for rest in rests for part in rest):
        return False
    return sum(part_weight(part) >= 1 for part in (*found.left_only, *found.right_only)) <= 1


def _pair_weight(pair: Pair) -> float:
    return max(map(part_weight, (*pair.left, *pair.right)))


FACTORS = (person_parts, person_order)
"""Multiplied with each other."""
CAPS = (generation, family_name, given_names_only, one_part_only, no_part_exact, business_of_name)
"""Limits of the product."""
