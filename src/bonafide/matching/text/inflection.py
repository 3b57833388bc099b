"""Inflected forms of the words of names, in English and French: singular and plural, masculine and feminine.

Only regular endings are known. `word_classes` applies them to the words that its tables list, so that "card" finds the translation
that is listed for "cards".
"""

from functools import lru_cache

_SHORTEST_PLURAL = 5
"""Letters from which a final "s" or "x" marks a plural: "bois", "bus" and "prix" are singular."""
_SINGULAR = ("ss", "us", "is", "eux", "oux")
"""Endings whose last letter is part of the word."""
_FEMININE = (
    ("trice", "teur"),
    ("ienne", "ien"),
    ("elle", "el"),
    ("euse", "eur"),
    ("iere", "ier"),
    ("aine", "ain"),
    ("aise", "ais"),
    ("oise", "ois"),
    ("ante", "ant"),
    ("ente", "ent"),
    ("ale", "al"),
    ("ive", "if"),
    ("ee", "e"),
)
"""Feminine endings and the masculine ones, without accents."""
_SHORTEST_STEM = 3


@lru_cache(maxsize=2**15)
def find_lemma(word: str) -> str:
    """The masculine singular of a folded word by its ending; a word without a known ending as it is.

    It identifies the forms of one word, and may not be a word itself.
    """
    singular = _find_singular(word)
    if singular[-1:] != "e":
        return singular
    if singular.endswith("ie"):
        # "Bakeries" is the plural of "bakery", and "industries" of "industry" and "industrie".
        return singular[:-2] + "y"
    for feminine, masculine in _FEMININE:
        if singular.endswith(feminine) and len(singular) - len(feminine) >= _SHORTEST_STEM:
            return singular[: -len(feminine)] + masculine
    return singular


def _find_singular(word: str) -> str:
    if word[-1:] not in {"s", "x"} or len(word) < _SHORTEST_PLURAL or word.endswith(_SINGULAR):
        return word
    if word.endswith("aux") and not word.endswith("eaux"):
        return word[:-3] + "al"
    return word[:-1]
