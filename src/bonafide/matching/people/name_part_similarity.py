"""How similar two parts of people's names are: misspelt, an initial, a nickname, another spelling of the same sounds.

The effect of a differing part on a name is decided in `person_name_comparison`.
"""

from functools import lru_cache, partial

from rapidfuzz.distance import Levenshtein

from bonafide.matching.people.given_names import GIVEN_NAME_FORMS, are_forms, get_name_share, is_known_given_name, is_patronymic
from bonafide.matching.people.person_name_parsing import ABDUL_PREFIX, PEOPLE_TABLE, TITLES
from bonafide.matching.people.syllabic_names import are_syllable_forms, list_syllable_forms
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.alignment import WordComparator
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance, compare_misspelt
from bonafide.matching.scoring.word_similarity import EQUAL, INITIAL, SHORTEST_SCANNED, WordSimilarity, fold_scanned
from bonafide.matching.text.phonetics import build_consonant_skeleton, build_sound_key, is_consonantal
from bonafide.matching.text.word_classes import is_frequent
from bonafide.model.search.match import WordDifference

_PARTICLES = frozenset[str](PEOPLE_TABLE["particles"].split())
_NICKNAME = WordSimilarity(score_parameters.NICKNAME, WordDifference.NICKNAME)
_SYLLABLE = WordSimilarity(score_parameters.NICKNAME, WordDifference.EQUIVALENT)
_ARTICLE = WordSimilarity(weights.ARTICLE, WordDifference.JOINED)
_SOUND = WordSimilarity(weights.SOUND, WordDifference.SOUND)
_CONSONANTS = WordSimilarity(weights.CONSONANTS, WordDifference.SOUND)
_SCANNED = WordSimilarity(score_parameters.SCANNED, WordDifference.SLIP, 1)
SHORTEST_SOUND = 4
"""Minimum length of words that are compared by sound."""
_SHORTEST_KEY, _FEWEST_CONSONANTS = 2, 3
"""Minimum numbers of sounds for a match by sound, and for scripts that write consonants only."""
_SHORTEST_BEHIND_ARTICLE = 4
ARTICLES = ("al", "el", "as", "ad", "ar", "an", "at", "az", "ash", "ul")


@lru_cache(maxsize=2**16)
def weigh_name_part(part: str) -> float:
    """The weight of a part: low for particles such as "de" and "bin" and for initials, 0 for titles."""
    if part in TITLES:
        return 0.0
    if part in _PARTICLES:
        return score_parameters.PARTICLE
    return score_parameters.LONE_INITIAL if len(part) == 1 or part == ABDUL_PREFIX else 1.0


@lru_cache(maxsize=12)  # three numbers of typos, with variants or without them, foreign or not
def create_name_part_comparator(tolerance: Tolerance = DEFAULT_TOLERANCE) -> WordComparator:
    """The function that compares two parts within this tolerance, and keeps the similarities of the last pairs."""
    return lru_cache(maxsize=2**14)(partial(_compare_name_parts, tolerance=tolerance))


def compare_name_parts(one: str, other: str, tolerance: Tolerance = DEFAULT_TOLERANCE) -> WordSimilarity | None:
    """How similar two parts of people's names are; None if they are different names."""
    return create_name_part_comparator(tolerance)(one, other)


def _compare_name_parts(one: str, other: str, tolerance: Tolerance) -> WordSimilarity | None:
    if one == other:
        return EQUAL
    if tolerance.variants:
        variant = _compare_variants(one, other)
        if variant is not None:
            return variant
        if len(one) == 1 or len(other) == 1:
            return None
    slip = _SCANNED if tolerance.typos > 0 and _is_misread(one, other) else _compare_typos(one, other, tolerance)
    sound = _compare_sounds(one, other, tolerance) if tolerance.variants else None
    if slip is None or sound is None:
        return slip or sound
    return max(slip, sound, key=lambda likeness: likeness.score)


def _compare_variants(one: str, other: str) -> WordSimilarity | None:
    if are_forms(one, other):
        return _NICKNAME
    if are_syllable_forms(one, other):
        return _SYLLABLE
    if len(one) == 1 or len(other) == 1:
        return INITIAL if one[0] == other[0] and _PARTICLES.isdisjoint((one, other)) else None
    if not one.endswith(other) and not other.endswith(one):
        return None
    return _ARTICLE if _is_behind_article(one, other) or _is_behind_article(other, one) else None


def _compare_typos(one: str, other: str, tolerance: Tolerance) -> WordSimilarity | None:
    allowed = tolerance.count_allowed_typos(max(len(one), len(other)))
    slip = compare_misspelt(one, other, score_parameters.PERSON_TYPO_COST, allowed) if allowed > 0 else None
    if slip is None or _are_two_names(one, other):
        return None
    # A consonant skeleton is already what is left of several names: one letter more makes another name of it.
    return None if tolerance.foreign and is_consonantal(one) and is_consonantal(other) else slip


def _is_misread(one: str, other: str) -> bool:
    """Whether two parts differ only in characters that optical character recognition confuses: "mohamecl" and "mohamed".

    A digit is enough in short parts too, because no name has one: "al1" and "ali". Two known names are two names (Maria and Marla),
    and so are a name and a frequent word (Clark and Dark).
    """
    if fold_scanned(one) != fold_scanned(other) or _are_two_names(one, other):
        return False
    if one.isalpha() != other.isalpha():
        return True
    return min(len(one), len(other)) >= SHORTEST_SCANNED and not is_frequent(one) and not is_frequent(other)


def list_part_variants(part: str) -> list[str]:
    """Forms of a given name or syllable, the initial, and the part with or without an article."""
    found = [*GIVEN_NAME_FORMS.get(part, ()), *list_syllable_forms(part), part[0], *[article + part for article in ARTICLES]]
    if part.startswith(ARTICLES):
        found += [part.removeprefix(article) for article in ARTICLES]
    return found


def _are_two_given_names(one: str, other: str) -> bool:
    """Maria is not a misspelt Marta: two known given names that are not forms of one another are two people."""
    return is_known_given_name(one) and is_known_given_name(other)


def _are_two_names(one: str, other: str) -> bool:
    """Whether both are known names: Fernandez is not a misspelt Hernandez either. Patronymics are romanised in many ways."""
    if _are_two_given_names(one, other):
        return True
    if is_patronymic(one) and is_patronymic(other):
        return False
    common = min(get_name_share(one), get_name_share(other)) >= weights.COMMON_FAMILY_NAME
    return common and build_sound_key(one) != build_sound_key(other)


def _is_behind_article(long: str, short: str) -> bool:
    if len(short) < _SHORTEST_BEHIND_ARTICLE or not long.endswith(short) or _are_two_given_names(long, short):
        return False
    return long.removesuffix(short) in ARTICLES


def _compare_sounds(one: str, other: str, tolerance: Tolerance) -> WordSimilarity | None:
    """The similarity of the parts by sound. If a script has no vowels, only the consonants are compared."""
    if tolerance.foreign and (is_consonantal(one) or is_consonantal(other)):
        key = build_consonant_skeleton(one)
        is_same = len(key) >= _FEWEST_CONSONANTS and key == build_consonant_skeleton(other)
        return _CONSONANTS if is_same and not _are_two_given_names(one, other) else None
    if min(len(one), len(other)) < SHORTEST_SOUND:
        return None
    key = build_sound_key(one)
    if len(key) < _SHORTEST_KEY or key != build_sound_key(other) or _are_two_given_names(one, other):
        return None
    alike = Levenshtein.normalized_similarity(one, other)
    return _SOUND if alike >= weights.SOUND_SIMILARITY else None
