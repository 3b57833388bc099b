"""How alike two names of people are, and why: in any order, with initials, titles, hyphens and forms of the same given name.

It compares names only. Whether two people are the same also takes a date of birth or an address, which are not looked at here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from bonafide.matching import features
from bonafide.matching.alignment import Alignment, Pair, align
from bonafide.matching.comparison import FeatureResult, NameComparison
from bonafide.matching.folding import fold
from bonafide.matching.likeness import EQUAL, INITIAL, Likeness, Way, slip
from bonafide.matching.name_features import quoted, read_as
from bonafide.matching.tables import read_table

_TABLE = read_table("people")
_HONORIFICS = frozenset[str](_TABLE["honorifics"].split())
_SUFFIXES = frozenset[str](_TABLE["suffixes"].split())
_PARTICLES = frozenset[str](_TABLE["particles"].split())
_GENERATIONS: dict[str, int] = {word: row for row, words in enumerate(_TABLE["generations"]) for word in words}
_FORMS = frozenset((one, other) for row in _TABLE["forms"] for one in row for other in row)
_NICKNAME = Likeness(features.NICKNAME, Way.NICKNAME)
_BREAKS = str.maketrans("-.&()", "     ", "'")


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person's name in its normal form: the parts, given names first where that is known, and the generation ("Jr.")."""

    text: str
    parts: tuple[str, ...]
    generation: int | None


@dataclass(frozen=True, slots=True)
class ComparedPeople:
    """Two names of people and the alignment of their parts: `query` was asked for, `candidate` was found."""

    query: PersonName
    candidate: PersonName
    alignment: Alignment


def person_name(text: str) -> PersonName:
    """The normal form of a person's name, also of "TREMBLAY, Jean-François". Takes any text, never raises."""
    pieces = [_words(piece) for piece in fold(text).split(",")]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) > 1 and not _is_appendix(pieces[1]):
        family, given, *rest = pieces
        pieces = [given, family, *rest]
    words = [word for piece in pieces for word in piece]
    parts, generation = _without_appendix(_without_titles(words))
    return PersonName(text, tuple(parts), generation)


def _words(text: str) -> list[str]:
    return text.translate(_BREAKS).split()


def _is_appendix(words: Iterable[str]) -> bool:
    return all(word in _SUFFIXES or word in _GENERATIONS for word in words)


def _without_titles(words: list[str]) -> list[str]:
    start = 0
    while start < len(words) - 1 and words[start] in _HONORIFICS:
        start += 1
    return words[start:]


def _without_appendix(words: list[str]) -> tuple[list[str], int | None]:
    generation = None
    # Two parts always stay: "Tremblay, Junior" is a name, and so is "Ing, Marie".
    while len(words) > 2 and _is_appendix(words[-1:]):  # noqa: PLR2004
        generation = _GENERATIONS.get(words[-1], generation)
        words = words[:-1]
    return words, generation


def compare_person_names(a: str, b: str) -> NameComparison:
    """Compare the name asked for (`a`) with the name found (`b`). The score is the same both ways; the reason is told from `a`."""
    return compare_people(person_name(a), person_name(b))


def compare_people(a: PersonName, b: PersonName) -> NameComparison:
    """As `compare_person_names`, for names that are in their normal form already."""
    if not a.parts or not b.parts:
        return NameComparison(0.0, (), "no letters or digits to compare")
    compared = ComparedPeople(a, b, align(a.parts, b.parts, person_likeness))
    factors = [result for feature in FACTORS if (result := feature(compared)) is not None]
    caps = [result for feature in CAPS if (result := feature(compared)) is not None]
    if not factors and not caps:
        return NameComparison(1.0, (), "same name")
    reason = "; ".join(result.reason for result in (*caps, *factors))
    return NameComparison(features.combined(factors, caps), (*caps, *factors), reason)


def person_likeness(one: str, other: str) -> Likeness | None:
    """How alike two parts of people's names are; None when one can't be read for the other."""
    if one == other:
        return EQUAL
    if (one, other) in _FORMS:
        return _NICKNAME
    if len(one) == 1 or len(other) == 1:
        return INITIAL if one[0] == other[0] else None
    return slip(one, other, features.PERSON_SLIP)


def person_parts(compared: ComparedPeople) -> FeatureResult | None:
    """The parts that both names have against those that only one has.

    A part that is missing, such as a middle name, costs little; another part in its place costs much. Misspelt parts, initials and
    forms of the same given name count in part, little words such as "de" and "bin" hardly.
    """
    found = compared.alignment
    unequal = [pair for pair in found.pairs if pair.likeness.way is not Way.EQUAL]
    if found.complete and not unequal:
        return None
    agreed = fsum(pair.likeness.score * _pair_weight(pair) for pair in found.pairs)
    missing, added = fsum(map(_weight, found.left_only)), fsum(map(_weight, found.right_only))
    against = features.PERSON_ONE_SIDED * (missing + added) + features.PERSON_CONFLICT * min(missing, added)
    notes = [read_as(pair) for pair in unequal]
    notes += [f"{quoted(found.left_only)} missing"] if found.left_only else []
    notes += [f"{quoted(found.right_only)} added"] if found.right_only else []
    score = agreed / (fsum(map(_pair_weight, found.pairs)) + against)
    return _result("person_parts", score, compared, "; ".join(notes))


def person_order(compared: ComparedPeople) -> FeatureResult | None:
    """The same parts in another order are nearly the same name: which one is the family name is often not known."""
    if compared.alignment.in_order:
        return None
    return _result("person_order", features.PERSON_ORDER, compared, "parts in another order")


def generation(compared: ComparedPeople) -> FeatureResult | None:
    """Father and son bear one name: Jr. and Sr. are two people, and one of them left out is a likely variant."""
    asked, found = compared.query.generation, compared.candidate.generation
    if asked == found:
        return None
    if asked is None or found is None:
        return _result("generation", features.GENERATION_MISSING_CAP, compared, "only one of the names says which generation")
    return _result("generation", features.GENERATIONS_DIFFER_CAP, compared, "another generation")


def one_part_only(compared: ComparedPeople) -> FeatureResult | None:
    """One given or family name alone never identifies a person who has more, and neither do initials."""
    found = compared.alignment
    full = [pair for pair in found.pairs if pair.likeness.way is not Way.INITIAL and _pair_weight(pair) >= 1]
    fewest = min(sum(_weight(part) >= 1 for part in name.parts) for name in (compared.query, compared.candidate))
    if full and (fewest > 1 or found.complete):
        return None
    if len(full) > 1:
        return None
    return _result("one_part_only", features.ONE_PART_CAP, compared, "only one part to go by")


def _weight(part: str) -> float:
    if part in _PARTICLES:
        return features.PARTICLE
    return features.LONE_INITIAL if len(part) == 1 else 1.0


def _pair_weight(pair: Pair) -> float:
    return max(map(_weight, (*pair.left, *pair.right)))


def _result(feature: str, score: float, compared: ComparedPeople, reason: str) -> FeatureResult:
    return FeatureResult(feature, score, " ".join(compared.query.parts), " ".join(compared.candidate.parts), reason)


FACTORS = (person_parts, person_order)
"""Multiplied with each other."""
CAPS = (generation, one_part_only)
"""Limits of the product."""
