"""Classify and compare single words of the names of organizations and ships on sanctions lists.

The words of lists are in `screening.yml`, in addition to those of business names in `words.yml`.
"""

import re
from functools import lru_cache, partial
from itertools import pairwise

from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.alignment import WordComparator
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, MAX_TYPOS, Tolerance, compare_misspelt
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.scoring.word_similarity import EQUAL, WordSimilarity, are_two_words, compare_words
from bonafide.matching.text.countries import parse_country_code
from bonafide.matching.text.folding import fold
from bonafide.matching.text.phonetics import build_consonant_skeleton, build_sound_key, is_consonantal
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import WordClass, classify_word, is_listed
from bonafide.model.search.match import WordDifference

SCREENING_TABLE = read_table("screening")
ATTACHED_FORMS = tuple[str, ...](SCREENING_TABLE["glued"].split())
_ARTICLES = frozenset[str](SCREENING_TABLE["articles"].split())
_GENERIC = frozenset[str](SCREENING_TABLE["generic"].split())
_PLACES = frozenset[str](SCREENING_TABLE["places"].split())
_DISTINCTIVE = frozenset({WordClass.RARE, WordClass.NUMBER, WordClass.ORDINARY, WordClass.LETTER})
_ATTACHED_FORM = WordSimilarity(weights.GLUED_FORM, WordDifference.JOINED)
_SOUND = WordSimilarity(weights.SOUND, WordDifference.SOUND)
_CONSONANTS = WordSimilarity(weights.CONSONANTS, WordDifference.SOUND)
_EQUIVALENT = WordSimilarity(score_parameters.EQUIVALENT, WordDifference.EQUIVALENT)
_SHORTEST_TYPO = 4
_SHORTEST_DETACHED = 4
_SHORTEST_SOUND, _TWO_TYPOS_FROM = 5, 8
_FEWEST_CONSONANTS = 4
_OTHERS: dict[str, frozenset[str]] = {}
for _row in map(frozenset, SCREENING_TABLE["equivalents"]):
    for _word in _row:
        _OTHERS[_word] = _OTHERS.get(_word, frozenset()) | (_row - {_word})
_COUNTRY_WORDS = frozenset(
    word
    for names in read_table("countries")["countries"].values()
    for name in names
    for word in re.findall(r"\w+", fold(name).replace(".", ""))
)
"""All words of the names of countries."""
_ADJECTIVE = re.compile(r"(.{4,}?)(?:sk|ck)(?:ii|iy|yi|yy|i|y|aya|aia|oe|oye|oie|ogo|oi|oy)")
_VARIANTS = frozenset({WordDifference.EQUIVALENT, WordDifference.TRANSLATED, WordDifference.SHORTENED})


@lru_cache(maxsize=2**16)
def parse_place(word: str) -> str | None:
    """The code of the country that a word names, or the town itself; None for other words."""
    if word in _PLACES:
        return word
    # Few words are a country, and finding that takes long; "IR" may be anything.
    is_plain = word.isascii() and word.isalpha() and word.islower()
    if len(word) <= 2 or (is_plain and word not in _COUNTRY_WORDS):  # noqa: PLR2004
        return None
    return parse_country_code(word)


@lru_cache(maxsize=2**12)
def list_places(words: tuple[str, ...]) -> frozenset[str]:
    """The countries and towns that the words name, of which some have two words ("hong kong")."""
    pairs = (" ".join(pair) for pair in pairwise(words))
    return frozenset(place for word in (*words, *pairs) if (place := parse_place(word)) is not None)


@lru_cache(maxsize=2**16)
def get_listed_weight(word: str) -> float | None:
    """The weight of a word that is common in lists, 0 to 1; None for other words."""
    if word in _ARTICLES:
        return weights.ARTICLE_WEIGHT
    if parse_place(word) is not None:
        return weights.PLACE_WEIGHT
    return weights.GENERIC_WEIGHT if word in _GENERIC else None


def is_business_word(word: str) -> bool:
    """Whether a word indicates the name of a business rather than of a person or a ship."""
    return word in _GENERIC or classify_word(word) in {WordClass.SHAPE, WordClass.TRADE}


def weigh_listed_word(word: str, rarity: WordRarity) -> float:
    """The weight of a word, 0 to 1: the lowest by the table of lists, the word classes and the frequency in the loaded names."""
    own, weight = get_listed_weight(word), rarity.weight(word)
    return weight if own is None else min(own, weight)


def is_distinctive(word: str) -> bool:
    """Whether a word distinguishes organizations."""
    return get_listed_weight(word) is None and classify_word(word) in _DISTINCTIVE


@lru_cache(maxsize=12)  # three numbers of typos, with variants or without them, foreign or not
def create_word_comparator(tolerance: Tolerance = DEFAULT_TOLERANCE) -> WordComparator:
    """The function that compares two words within this tolerance, and keeps the similarities of the last pairs."""
    return lru_cache(maxsize=2**14)(partial(_compare_listed_words, tolerance=tolerance))


def compare_listed_words(one: str, other: str, tolerance: Tolerance = DEFAULT_TOLERANCE) -> WordSimilarity | None:
    """How similar two words are: as words of business names, within the tolerance, and as words of another script."""
    return create_word_comparator(tolerance)(one, other)


def _compare_listed_words(one: str, other: str, tolerance: Tolerance) -> WordSimilarity | None:
    if one == other:
        return EQUAL
    place, other_place = parse_place(one), parse_place(other)
    if place is not None and other_place is not None:
        # Iran is not a misspelt Iraq; Iranian refers to Iran.
        return _EQUIVALENT if place == other_place and tolerance.variants else None
    if strip_attached_form(one) == other or strip_attached_form(other) == one:
        return _ATTACHED_FORM
    # An initial represents a person's name, not a word; a digit may be written as a word.
    if min(len(one), len(other)) == 1 and not (one.isdecimal() or other.isdecimal()):
        return None
    return _compare_readings(one, other, tolerance)


def _compare_readings(one: str, other: str, tolerance: Tolerance) -> WordSimilarity | None:
    """The highest similarity of two words that are neither equal nor places."""
    if tolerance.variants and (other in _OTHERS.get(one, ()) or stem_adjective(one) == stem_adjective(other)):
        return _EQUIVALENT
    reading = compare_words(one, other)
    is_variant = reading is not None and reading.difference in _VARIANTS
    slip = _compare_typos(one, other, tolerance, None if is_variant else reading)
    if is_variant and reading is not None and tolerance.variants and (slip is None or slip.score < reading.score):
        return reading
    # Trades and brands are not spelt phonetically, unless they come from another script.
    return slip if slip is not None or not (tolerance.variants and tolerance.foreign) else _compare_sounds(one, other)


def find_translations(word: str) -> frozenset[str]:
    """The word in the other language and its other spellings; usually none."""
    return _OTHERS.get(word, frozenset())


def stem_adjective(word: str) -> str:
    """A Russian adjective without its ending: "ryazan" of "ryazanskii"; any other word as it is."""
    found = _ADJECTIVE.fullmatch(word)
    return found[1] if found is not None else word


@lru_cache(maxsize=2**16)
def strip_attached_form(word: str) -> str:
    """The word without a legal form that is attached to it: "argument" of "jscargument"."""
    if not word.startswith(ATTACHED_FORMS) and not word.endswith(ATTACHED_FORMS):
        return word
    for form in ATTACHED_FORMS:
        for rest in (word.removeprefix(form), word.removesuffix(form)):
            if len(rest) < len(word) and len(rest) >= _SHORTEST_DETACHED:
                return rest
    return word


def _compare_typos(one: str, other: str, tolerance: Tolerance, reading: WordSimilarity | None) -> WordSimilarity | None:
    if reading is not None and reading.difference not in {WordDifference.SLIP, WordDifference.PLURAL}:
        return reading
    allowed = tolerance.count_allowed_typos(max(len(one), len(other)), _SHORTEST_TYPO)
    if reading is not None and allowed > 0 and max(reading.letters, 1) <= allowed and reading.score > weights.FIRST_OF_FIVE:
        return reading
    if are_two_words(one, other) or not (one.isalpha() and other.isalpha()):
        return None
    return compare_misspelt(one, other, score_parameters.TYPO_COST, allowed)


def _compare_sounds(one: str, other: str) -> WordSimilarity | None:
    """Words with equal consonants if a script has no vowels, and long words that sound alike and differ little."""
    if is_consonantal(one) or is_consonantal(other):
        same = build_consonant_skeleton(one) == build_consonant_skeleton(other) and not is_listed(one) and not is_listed(other)
        return _CONSONANTS if same and len(build_consonant_skeleton(one)) >= _FEWEST_CONSONANTS else None
    if (
        min(len(one), len(other)) < _SHORTEST_SOUND
        or is_listed(one)
        or is_listed(other)
        or build_sound_key(one) != build_sound_key(other)
    ):
        return None
    allowed = MAX_TYPOS if max(len(one), len(other)) >= _TWO_TYPOS_FROM else 1
    return _SOUND if compare_misspelt(one, other, score_parameters.TYPO_COST, allowed) is not None else None
