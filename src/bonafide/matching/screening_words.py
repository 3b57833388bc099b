"""What single words mean in the names of organizations and ships on sanctions lists, and how alike two of them are.

It knows the words of lists (`screening.yml`) beside those of the registers (`words`). Nothing here looks at a whole name.
"""

import re
from functools import lru_cache, partial

from bonafide.matching import features
from bonafide.matching import screening_weights as weights
from bonafide.matching.alignment import Likener, Pair
from bonafide.matching.countries import country_code
from bonafide.matching.likeness import EQUAL, Likeness, word_likeness
from bonafide.matching.name_features import read_as as read_business_word
from bonafide.matching.phonetics import is_consonantal, skeleton, sound_key
from bonafide.matching.rarity import Rarity
from bonafide.matching.screening_leeway import MOST_SLIPS, USUAL, Leeway, misspelt
from bonafide.matching.tables import read_table
from bonafide.matching.words import WordClass, is_listed, word_class
from bonafide.model.match import WordDifference as Way

TABLE = read_table("screening")
GLUED = tuple[str, ...](TABLE["glued"].split())
_ARTICLES = frozenset[str](TABLE["articles"].split())
_GENERIC = frozenset[str](TABLE["generic"].split())
_PLACES = frozenset[str](TABLE["places"].split())
_DISTINCTIVE = frozenset({WordClass.RARE, WordClass.NUMBER, WordClass.ORDINARY, WordClass.LETTER})
_GLUED_FORM = Likeness(weights.GLUED_FORM, Way.JOINED)
_SOUND = Likeness(weights.SOUND, Way.SOUND)
_CONSONANTS = Likeness(weights.CONSONANTS, Way.SOUND)
_EQUIVALENT = Likeness(features.EQUIVALENT, Way.EQUIVALENT)
_SHORTEST_SLIP = 4
_SHORTEST_UNGLUED = 4
_SHORTEST_SOUND, _TWO_SLIPS_FROM = 5, 8
_FEWEST_CONSONANTS = 4
_OTHERS: dict[str, frozenset[str]] = {}
for _row in map(frozenset, TABLE["equivalents"]):
    for _word in _row:
        _OTHERS[_word] = _OTHERS.get(_word, frozenset()) | (_row - {_word})
_ADJECTIVE = re.compile(r"(.{4,}?)(?:sk|ck)(?:ii|iy|yi|yy|i|y|aya|aia|oe|oye|oie|ogo|oi|oy)")
_VARIANTS = frozenset({Way.EQUIVALENT, Way.TRANSLATED, Way.SHORTENED})


@lru_cache(maxsize=2**16)
def place_of(word: str) -> str | None:
    """The code of the country that a word names, or the town itself; None for what is no place."""
    return word if word in _PLACES else country_code(word) if len(word) > 2 else None  # noqa: PLR2004  # "IR" may be anything


@lru_cache(maxsize=2**16)
def own_weight(word: str) -> float | None:
    """What a word that lists are full of counts, 0 to 1; None where it is for the registers to say."""
    if word in _ARTICLES:
        return weights.ARTICLE_WEIGHT
    if place_of(word) is not None:
        return weights.PLACE_WEIGHT
    return weights.GENERIC_WEIGHT if word in _GENERIC else None


def is_business_word(word: str) -> bool:
    """Whether a word says that a name is a business's rather than a person's or a ship's."""
    return word in _GENERIC or word_class(word) in {WordClass.SHAPE, WordClass.TRADE}


def word_weight(word: str, rarity: Rarity) -> float:
    """What a word counts, 0 to 1: the least that the table of lists, the classes or the counts of the registers say."""
    own, weight = own_weight(word), rarity.weight(word)
    return weight if own is None else min(own, weight)


def is_distinctive(word: str) -> bool:
    """Whether a word tells one organization from another."""
    return own_weight(word) is None and word_class(word) in _DISTINCTIVE


@lru_cache(maxsize=8)
def business_likener(leeway: Leeway = USUAL) -> Likener:
    """The function that compares two words within this leeway."""
    return partial(listed_likeness, leeway=leeway)


@lru_cache(maxsize=2**16)
def listed_likeness(one: str, other: str, leeway: Leeway = USUAL) -> Likeness | None:
    """How alike two words are: as the words of businesses, within the leeway, and as words from another script."""
    if one == other:
        return EQUAL
    place, other_place = place_of(one), place_of(other)
    if place is not None and other_place is not None:
        # Iran is no misspelt Iraq; Iranian is Iran's.
        return _EQUIVALENT if place == other_place and leeway.variants else None
    if unglued(one) == other or unglued(other) == one:
        return _GLUED_FORM
    # An initial stands for a person's name, not for a word.
    return _read(one, other, leeway) if min(len(one), len(other)) > 1 else None


def _read(one: str, other: str, leeway: Leeway) -> Likeness | None:
    """The best of the readings of two words that are neither equal nor places."""
    if leeway.variants and (other in _OTHERS.get(one, ()) or stem(one) == stem(other)):
        return _EQUIVALENT
    reading = word_likeness(one, other)
    is_variant = reading is not None and reading.way in _VARIANTS
    slip = _slip(one, other, leeway, None if is_variant else reading)
    if is_variant and reading is not None and leeway.variants and (slip is None or slip.score < reading.score):
        return reading
    # Trades and brands have no spelling by ear, unless they come from another script.
    return slip if slip is not None or not (leeway.variants and leeway.foreign) else _sound(one, other)


def translations(word: str) -> frozenset[str]:
    """The word in the other language, or in other spellings of it; mostly none."""
    return _OTHERS.get(word, frozenset())


def stem(word: str) -> str:
    """A Russian adjective without its ending: "ryazan" of "ryazanskii"; any other word as it is."""
    found = _ADJECTIVE.fullmatch(word)
    return found[1] if found is not None else word


@lru_cache(maxsize=2**16)
def unglued(word: str) -> str:
    """The word without a legal form that is glued to it: "argument" of "jscargument"."""
    if not word.startswith(GLUED) and not word.endswith(GLUED):
        return word
    for form in GLUED:
        for rest in (word.removeprefix(form), word.removesuffix(form)):
            if len(rest) < len(word) and len(rest) >= _SHORTEST_UNGLUED:
                return rest
    return word


def _slip(one: str, other: str, leeway: Leeway, reading: Likeness | None) -> Likeness | None:
    if reading is not None and reading.way not in {Way.SLIP, Way.PLURAL}:
        return reading
    allowed = leeway.slips(max(len(one), len(other)), _SHORTEST_SLIP)
    if reading is not None and allowed > 0 and max(reading.letters, 1) <= allowed and reading.score > weights.FIRST_OF_FIVE:
        return reading
    if (is_listed(one) and is_listed(other)) or not (one.isalpha() and other.isalpha()):
        return None
    return misspelt(one, other, features.SLIP, allowed)


def _sound(one: str, other: str) -> Likeness | None:
    """Words that have the same consonants, where a script writes no others, and long ones that sound alike and differ little."""
    if is_consonantal(one) or is_consonantal(other):
        same = skeleton(one) == skeleton(other) and not is_listed(one) and not is_listed(other)
        return _CONSONANTS if same and len(skeleton(one)) >= _FEWEST_CONSONANTS else None
    if min(len(one), len(other)) < _SHORTEST_SOUND or is_listed(one) or is_listed(other) or sound_key(one) != sound_key(other):
        return None
    allowed = MOST_SLIPS if max(len(one), len(other)) >= _TWO_SLIPS_FROM else 1
    return _SOUND if misspelt(one, other, features.SLIP, allowed) is not None else None


def read_as(pair: Pair) -> str:
    """How a pair of unequal words was read, for a sentence."""
    if pair.likeness.way is not Way.SOUND:
        return read_business_word(pair)
    return f"'{' '.join(pair.left)}' read as '{' '.join(pair.right)}' (sounds alike)"
