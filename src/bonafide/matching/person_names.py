"""How alike two names of people are, and why: in any order, with initials, titles, hyphens and forms of the same given name.

It compares names only. Whether two people are the same also takes a date of birth or an address, which are not looked at here.
"""

from dataclasses import dataclass
from functools import partial
from math import fsum

from bonafide.matching import features
from bonafide.matching.alignment import Alignment, Pair, align
from bonafide.matching.breakdown import NO_WORDS, Results, Scale, name_breakdown
from bonafide.matching.comparison import FeatureResult, NameComparison
from bonafide.matching.likeness import EQUAL, INITIAL, Likeness, slip
from bonafide.matching.name_features import quoted, read_as
from bonafide.matching.people import PEOPLE_TABLE, PersonName, person_name
from bonafide.model.match import NameBreakdown
from bonafide.model.match import WordDifference as Way

_PARTICLES = frozenset[str](PEOPLE_TABLE["particles"].split())
_FORMS = frozenset((one, other) for row in PEOPLE_TABLE["forms"] for one in row for other in row)
_NICKNAME = Likeness(features.NICKNAME, Way.NICKNAME)
_SHORTEST_SLIP = 5
"""Sara and Safa, Lina and Nina are names of their own; their few real variants stand in the table of forms."""


@dataclass(frozen=True, slots=True)
class ComparedPeople:
    """Two names of people and the alignment of their parts: `query` was asked for, `candidate` was found."""

    query: PersonName
    candidate: PersonName
    alignment: Alignment


def compare_person_names(a: str, b: str) -> NameComparison:
    """Compare the name asked for (`a`) with the name found (`b`). The score is the same both ways; the reason is told from `a`."""
    return compare_people(person_name(a), person_name(b))


def compare_people(a: PersonName, b: PersonName) -> NameComparison:
    """As `compare_person_names`, for names that are in their normal form already."""
    if not a.parts or not b.parts:
        return NameComparison(0.0, (), (), "no letters or digits to compare", partial(_breakdown, NO_WORDS))
    compared = ComparedPeople(a, b, align(a.parts, b.parts, person_likeness))
    factors = tuple([result for feature in FACTORS if (result := feature(compared)) is not None])
    caps = tuple([result for feature in CAPS if (result := feature(compared)) is not None])
    verdict = "" if factors or caps else "same name"
    breakdown = partial(_breakdown, compared.alignment, factors, caps)
    return NameComparison(features.combined(factors, caps), factors, caps, verdict, breakdown)


def _breakdown(found: Alignment, factors: Results = (), caps: Results = ()) -> NameBreakdown:
    return name_breakdown(found, Scale(_weight, _pair_weight, lambda pair: pair.likeness.score), factors, caps)


def person_likeness(one: str, other: str) -> Likeness | None:
    """How alike two parts of people's names are; None when one can't be read for the other."""
    if one == other:
        return EQUAL
    if (one, other) in _FORMS:
        return _NICKNAME
    if len(one) == 1 or len(other) == 1:
        return INITIAL if one[0] == other[0] else None
    return slip(one, other, features.PERSON_SLIP) if max(len(one), len(other)) >= _SHORTEST_SLIP else None


def person_parts(compared: ComparedPeople) -> FeatureResult | None:
    """The parts that both names have against those that only one has.

    A part that is missing, such as a middle name, costs little; another part in its place costs much. Misspelt parts, initials and
    forms of the same given name count in part, little words such as "de" and "bin" hardly.
    """
    found = compared.alignment
    if found.complete and all(pair.likeness.way is Way.EQUAL for pair in found.pairs):
        return None
    agreed = fsum(pair.likeness.score * _pair_weight(pair) for pair in found.pairs)
    missing, added = fsum(map(_weight, found.left_only)), fsum(map(_weight, found.right_only))
    against = features.PERSON_ONE_SIDED * (missing + added) + features.PERSON_CONFLICT * min(missing, added)
    score = agreed / (fsum(map(_pair_weight, found.pairs)) + against)
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
    full = [place for place in places if _weight(name.parts[place]) >= 1]
    return tuple(name.parts[place] for place in full) if paired.isdisjoint(full) else ()


def one_part_only(compared: ComparedPeople) -> FeatureResult | None:
    """One given or family name alone never identifies a person who has more, and neither do initials."""
    found = compared.alignment
    full = [pair for pair in found.pairs if pair.likeness.way is not Way.INITIAL and _pair_weight(pair) >= 1]
    if len(full) > 1 or (full and (found.complete or _initials_suffice(found))):
        return None
    return FeatureResult("one_part_only", features.ONE_PART_CAP, lambda: "only one part to go by")


def _initials_suffice(found: Alignment) -> bool:
    """Whether initials stand for parts of the other name: not in "Vladimir P. Kononov" for "Vladimir Petrov"."""
    initials = [pair for pair in found.pairs if pair.likeness.way is Way.INITIAL]
    rests = [found.left_only if len(pair.left[0]) == 1 else found.right_only for pair in initials]
    return bool(initials) and not any(_weight(part) >= 1 for rest in rests for part in rest)


def _weight(part: str) -> float:
    if part in _PARTICLES:
        return features.PARTICLE
    return features.LONE_INITIAL if len(part) == 1 else 1.0


def _pair_weight(pair: Pair) -> float:
    return max(map(_weight, (*pair.left, *pair.right)))


FACTORS = (person_parts, person_order)
"""Multiplied with each other."""
CAPS = (generation, family_name, one_part_only)
"""Limits of the product."""
