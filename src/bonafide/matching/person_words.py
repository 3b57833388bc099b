"""How alike two parts of people's names are: misspelt, an initial, a nickname, another spelling of the same sounds.

It compares single parts; what a part that differs means for a name is decided in `person_names`.
"""

from functools import lru_cache, partial

from rapidfuzz.distance import Levenshtein

from bonafide.matching import features
from bonafide.matching import screening_weights as weights
from bonafide.matching.alignment import Likener
from bonafide.matching.likeness import EQUAL, INITIAL, Likeness
from bonafide.matching.people import PEOPLE_TABLE, SERVANT, TITLES
from bonafide.matching.phonetics import is_consonantal, skeleton, sound_key
from bonafide.matching.screening_leeway import USUAL, Leeway, misspelt
from bonafide.model.match import WordDifference as Way

_PARTICLES = frozenset[str](PEOPLE_TABLE["particles"].split())
FORMS: dict[str, frozenset[str]] = {}
"""To each form of a given name the others."""
for _row in PEOPLE_TABLE["forms"]:
    for _form in _row:
        FORMS[_form] = FORMS.get(_form, frozenset()) | (frozenset(_row) - {_form})
_GIVEN = FORMS.keys() | PEOPLE_TABLE["given"].split()
_NICKNAME = Likeness(features.NICKNAME, Way.NICKNAME)
_ARTICLE = Likeness(weights.ARTICLE, Way.JOINED)
_SOUND = Likeness(weights.SOUND, Way.SOUND)
_CONSONANTS = Likeness(weights.CONSONANTS, Way.SOUND)
SHORTEST_SOUND = 4
"""Letters of words of which it matters that they sound alike."""
_SHORTEST_KEY, _FEWEST_CONSONANTS = 2, 3
"""Sounds that words must have to be alike by them; where they are all that is written, one more."""
_SHORTEST_BEHIND_ARTICLE = 4
ARTICLES = ("al", "el", "as", "ad", "ar", "an", "at", "az", "ash", "ul")


def is_given(part: str) -> bool:
    """Whether it is a given name that many people bear."""
    return part in _GIVEN


def part_weight(part: str) -> float:
    """How much a part tells of who is meant: words such as "de" and "bin" hardly anything, an initial little, a title nothing."""
    if part in TITLES:
        return 0.0
    if part in _PARTICLES:
        return features.PARTICLE
    return features.LONE_INITIAL if len(part) == 1 or part == SERVANT else 1.0


@lru_cache(maxsize=8)
def person_likener(leeway: Leeway = USUAL) -> Likener:
    """The function that compares two parts within this leeway."""
    return partial(person_likeness, leeway=leeway)


@lru_cache(maxsize=2**16)
def person_likeness(one: str, other: str, leeway: Leeway = USUAL) -> Likeness | None:
    """How alike two parts of people's names are; None when one can't be read for the other."""
    if one == other:
        return EQUAL
    if leeway.variants:
        if other in FORMS.get(one, ()):
            return _NICKNAME
        if len(one) == 1 or len(other) == 1:
            return INITIAL if one[0] == other[0] and _PARTICLES.isdisjoint((one, other)) else None
        if _behind_article(one, other) or _behind_article(other, one):
            return _ARTICLE
    slip = _slip(one, other, leeway)
    sound = _sound(one, other, leeway) if leeway.variants and not (is_given(one) and is_given(other)) else None
    if slip is None or sound is None:
        return slip or sound
    return max(slip, sound, key=lambda likeness: likeness.score)


def _slip(one: str, other: str, leeway: Leeway) -> Likeness | None:
    # Maria is not a misspelt Marta: between two names that many bear a slip is less likely than another person.
    if is_given(one) and is_given(other):
        return None
    return misspelt(one, other, features.PERSON_SLIP, leeway.slips(max(len(one), len(other))))


def _behind_article(long: str, short: str) -> bool:
    if len(short) < _SHORTEST_BEHIND_ARTICLE or not long.endswith(short):
        return False
    return long.removesuffix(short) in ARTICLES


def _sound(one: str, other: str, leeway: Leeway) -> Likeness | None:
    """The parts as spellings of one sound. Where a script writes no vowels, the consonants are all that there is to compare."""
    if leeway.foreign and (is_consonantal(one) or is_consonantal(other)):
        key = skeleton(one)
        if len(key) < _FEWEST_CONSONANTS or key != skeleton(other):
            return None
        return _CONSONANTS
    if min(len(one), len(other)) < SHORTEST_SOUND:
        return None
    key = sound_key(one)
    if len(key) < _SHORTEST_KEY or key != sound_key(other):
        return None
    alike = Levenshtein.normalized_similarity(one, other)
    return _SOUND if alike >= weights.SOUND_SIMILARITY else None
