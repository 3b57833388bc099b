"""How similar two parts of people's names are: misspelt, an initial, a nickname, another spelling of the same sounds.

The effect of a differing part on a name is decided in `person_name_comparison`.
"""

from functools import lru_cache, partial

from rapidfuzz.distance import Levenshtein

from bonafide.matching.people.person_name_parsing import ABDUL_PREFIX, PEOPLE_TABLE, TITLES
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.alignment import WordComparator
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance, compare_misspelt
from bonafide.matching.scoring.word_similarity import EQUAL, INITIAL, WordSimilarity
from bonafide.matching.text.phonetics import build_consonant_skeleton, build_sound_key, is_consonantal
from bonafide.model.search.match import WordDifference

_PARTICLES = frozenset[str](PEOPLE_TABLE["particles"].split())
GIVEN_NAME_FORMS: dict[str, frozenset[str]] = {}
"""The other forms of each form of a given name."""
for _row in PEOPLE_TABLE["forms"]:
    for _form in _row:
        GIVEN_NAME_FORMS[_form] = GIVEN_NAME_FORMS.get(_form, frozenset()) | (frozenset(_row) - {_form})
_GIVEN = GIVEN_NAME_FORMS.keys() | PEOPLE_TABLE["given"].split()
_NICKNAME = WordSimilarity(score_parameters.NICKNAME, WordDifference.NICKNAME)
_ARTICLE = WordSimilarity(weights.ARTICLE, WordDifference.JOINED)
_SOUND = WordSimilarity(weights.SOUND, WordDifference.SOUND)
_CONSONANTS = WordSimilarity(weights.CONSONANTS, WordDifference.SOUND)
SHORTEST_SOUND = 4
"""Minimum length of words that are compared by sound."""
_SHORTEST_KEY, _FEWEST_CONSONANTS = 2, 3
"""Minimum numbers of sounds for a match by sound, and for scripts that write consonants only."""
_SHORTEST_BEHIND_ARTICLE = 4
ARTICLES = ("al", "el", "as", "ad", "ar", "an", "at", "az", "ash", "ul")


def is_given_name(part: str) -> bool:
    """Whether it is a common given name."""
    return part in _GIVEN


def weigh_name_part(part: str) -> float:
    """The weight of a part: low for particles such as "de" and "bin" and for initials, 0 for titles."""
    if part in TITLES:
        return 0.0
    if part in _PARTICLES:
        return score_parameters.PARTICLE
    return score_parameters.LONE_INITIAL if len(part) == 1 or part == ABDUL_PREFIX else 1.0


@lru_cache(maxsize=8)
def create_name_part_comparator(tolerance: Tolerance = DEFAULT_TOLERANCE) -> WordComparator:
    """The function that compares two parts within this tolerance."""
    return partial(compare_name_parts, tolerance=tolerance)


@lru_cache(maxsize=2**16)
def compare_name_parts(one: str, other: str, tolerance: Tolerance = DEFAULT_TOLERANCE) -> WordSimilarity | None:
    """How similar two parts of people's names are; None if they are different names."""
    if one == other:
        return EQUAL
    if tolerance.variants:
        if other in GIVEN_NAME_FORMS.get(one, ()):
            return _NICKNAME
        if len(one) == 1 or len(other) == 1:
            return INITIAL if one[0] == other[0] and _PARTICLES.isdisjoint((one, other)) else None
        if _is_behind_article(one, other) or _is_behind_article(other, one):
            return _ARTICLE
    slip = _compare_typos(one, other, tolerance)
    sound = (
        _compare_sounds(one, other, tolerance) if tolerance.variants and not (is_given_name(one) and is_given_name(other)) else None
    )
    if slip is None or sound is None:
        return slip or sound
    return max(slip, sound, key=lambda likeness: likeness.score)


def _compare_typos(one: str, other: str, tolerance: Tolerance) -> WordSimilarity | None:
    # Maria is not a misspelt Marta: two common names are rather two people than a typo.
    if is_given_name(one) and is_given_name(other):
        return None
    return compare_misspelt(one, other, score_parameters.PERSON_TYPO_COST, tolerance.count_allowed_typos(max(len(one), len(other))))


def _is_behind_article(long: str, short: str) -> bool:
    if len(short) < _SHORTEST_BEHIND_ARTICLE or not long.endswith(short):
        return False
    return long.removesuffix(short) in ARTICLES


def _compare_sounds(one: str, other: str, tolerance: Tolerance) -> WordSimilarity | None:
    """The similarity of the parts by sound. If a script has no vowels, only the consonants are compared."""
    if tolerance.foreign and (is_consonantal(one) or is_consonantal(other)):
        key = build_consonant_skeleton(one)
        if len(key) < _FEWEST_CONSONANTS or key != build_consonant_skeleton(other):
            return None
        return _CONSONANTS
    if min(len(one), len(other)) < SHORTEST_SOUND:
        return None
    key = build_sound_key(one)
    if len(key) < _SHORTEST_KEY or key != build_sound_key(other):
        return None
    alike = Levenshtein.normalized_similarity(one, other)
    return _SOUND if alike >= weights.SOUND_SIMILARITY else None
