"""Queries designed to be expensive, by category.

They have no expected results; only their latency is measured. The output is deterministic for a given input.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, product
from random import Random

from bonafide_bench.datasets.typos import make_typo

QUERIES_PER_CATEGORY = 8
FREQUENT = 40
SAMPLE = 200_000
"""The number of names from which word frequencies are computed."""
LONG = 2_000
PREFIX_LENGTHS = range(2, 13)
LAST_WORD_LENGTHS = range(1, 5)
_CONSONANTS, _VOWELS = "bcdfghlmnprstv", "aeiou"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def find_frequent_words(rows: Iterable[str]) -> list[str]:
    """The most frequent words of the first names, most frequent first, without numbers."""
    counts = Counter(word for text in islice(rows, SAMPLE) for word in text.split() if word.isalpha() and len(word) > 1)
    return [word for word, _ in counts.most_common(FREQUENT)]


def create_hostile_queries(frequent: Sequence[str], names: Sequence[str], chance: Random) -> dict[str, list[str]]:
    """Queries by category, built from these frequent words and names."""
    made: Mapping[str, Callable[[], str]] = {
        "eight frequent words": lambda: _some(frequent, 8, chance),
        "three frequent words, mistyped": lambda: " ".join(make_typo(word, chance) for word in _some(frequent, 3, chance).split()),
        "a dozen frequent words, mistyped": lambda: " ".join(
            make_typo(word, chance) for word in _some(frequent, 12, chance).split()
        ),
        "frequent words cut short": lambda: " ".join(word[:3] for word in _some(frequent, 4, chance).split()),
        "frequent words joined": lambda: _some(frequent, 3, chance).replace(" ", ""),
        "one frequent word": lambda: chance.choice(frequent),
        "a frequent word with a letter": lambda: f"{chance.choice(frequent)} {chance.choice(_LETTERS)}",
        "a frequent word many times": lambda: " ".join([chance.choice(frequent)] * 30),
        "short non-words": lambda: " ".join(_non_word(chance) for _ in range(3)),
        "a dozen random words": lambda: " ".join("".join(chance.choices(_LETTERS, k=8)) for _ in range(12)),
        "2,000 characters of words": lambda: " ".join(_some(names, min(len(names), 100), chance).split())[:LONG],
        "2,000 characters in one word": lambda: "".join(chance.choices(_LETTERS, k=LONG)),
        "one-letter words": lambda: " ".join(chance.sample(_LETTERS, 8)),
        "two letters": lambda: "".join(chance.choices(_LETTERS, k=2)),
        "digits": lambda: " ".join(str(chance.randrange(10 ** chance.randint(1, 9))) for _ in range(chance.randint(1, 6))),
        "signs and other scripts": lambda: "".join(chance.choices("株式会社Жщ…!?#%/\\\0🙂'\"é", k=12)),
        "a profession and its form": lambda: f"Dr. {_non_word(chance).title()} Medicine Professional Corporation",
    }
    return {category: [make() for _ in range(QUERIES_PER_CATEGORY)] for category, make in made.items()}


def _some(words: Sequence[str], count: int, chance: Random) -> str:
    return " ".join(chance.sample(words, min(count, len(words))))


def _non_word(chance: Random) -> str:
    return "".join(chance.choice(_CONSONANTS if at % 2 == 0 else _VOWELS) for at in range(5))


def create_prefixes(names: Sequence[str], frequent: Sequence[str], chance: Random) -> dict[str, list[str]]:
    """Typeahead prefixes by category: beginnings of names, and whole words followed by the beginning of another."""
    typed = [name.casefold() for name in names]
    whole = {f"{length} characters": [name[:length] for name in typed if len(name) >= length] for length in PREFIX_LENGTHS}
    several = [words for name in typed if len(words := name.split()) > 1]
    last = {f"last word, {length}": [_last_word(words, length, chance) for words in several] for length in LAST_WORD_LENGTHS}
    any_two = ["".join(pair) for pair in product(_LETTERS, repeat=2)]
    common = [f"{word} {letter}" for word in frequent[:10] for letter in _LETTERS]
    kinds = {**whole, **last, "any two letters": any_two, "frequent word and a letter": common}
    return {kind: list(dict.fromkeys(texts)) for kind, texts in kinds.items() if texts}


def _last_word(words: Sequence[str], length: int, chance: Random) -> str:
    """One word of a name followed by the beginning of another word of it."""
    one, other = chance.sample(words, 2)
    return f"{one} {other[:length]}"
