"""Pairs from public registers: former names, bilingual names, variants of company names, and near names of different firms."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import unescape
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from rapidfuzz.fuzz import token_sort_ratio

from bonafide_bench.datasets.corruptions import CorruptionKind, corrupt_name
from bonafide_bench.real_names.listed_pairs import plain
from bonafide_bench.real_names.name_pairs import NamePair, sample_pairs

_MOST_PAIRS = 1_500
_NEAR, _SAME = 70, 97
"""`token_sort_ratio` of near names: from the first, below the second, above which two names may be spellings of one."""
_BILINGUAL = re.compile(r" */ *")
_FRENCH = re.compile(r"\b(?:les?|la|des?|du|et|aux?|services?|gestion|societe|compagnie|groupe|ltee|financement|alimentation)\b")
_ENGLISH = re.compile(r"\b(?:the|and|of|services?|management|company|group|ltd|limited|financing|foods?|for)\b")
_VARIANTS = sorted(
    set(CorruptionKind) - {CorruptionKind.EXACT, CorruptionKind.DROPPED, CorruptionKind.COMBINED, CorruptionKind.DIGIT}
)
"""Kinds of variants that leave the name recognisable: a dropped word may be the only one that names the firm."""
_RARE, _SHORTEST = 20, 3
"""The most names with a rare word, and the letters that a rare word has more than."""
_LINES = tuple(f"Company Name Line {number}" for number in (1, 2, 3, 4))


class YukonRow(NamedTuple):
    """An entity of the register: its name, its former name (possibly empty), and the register that its name comes from."""

    name: str
    former: str
    home: str


@lru_cache(maxsize=4)
def _read_whole_yukon(data: Path) -> tuple[YukonRow, ...]:
    with (data / "registries/YT/corporate_entities_2023-01.csv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        return tuple(YukonRow(_clean(row["name"]), _clean(row["former_name"]), row["jurisdiction"].strip().upper()) for row in rows)


def _clean(text: str) -> str:
    """The text without surrounding spaces and HTML entities."""
    return unescape(text).strip()


def read_yukon(data: Path, *homes: str) -> list[YukonRow]:
    """The entities of the register of Yukon whose home is one of these, in capitals; all others if `homes` begins with "-".

    A company from elsewhere has the name that the register of its home accepted, so that homes are sources of names.
    """
    rows = _read_whole_yukon(data)
    if homes[0] == "-":
        return [row for row in rows if row.home not in homes]
    return [row for row in rows if row.home in homes]


@lru_cache(maxsize=4)
def read_ontario(data: Path) -> tuple[str, ...]:
    """The names in the samples of the register of Ontario; its four lines of a name are joined."""
    names = []
    for file in ("OntarioTOB_LegalCorpSample.csv", "OntarioTOB_BNLPSample.csv"):
        with (data / "registries/ON" / file).open(encoding="utf-8", newline="") as lines:
            names += [" ".join(" ".join(row[line] or "" for line in _LINES).split()) for row in csv.DictReader(lines)]
    return tuple(dict.fromkeys(filter(None, names)))


def read_federal(data: Path) -> tuple[str, ...]:
    """The names of federal corporations."""
    with (data / "registries/FED/federal_corporations_27.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(dict.fromkeys(row["name"].strip() for row in csv.DictReader(lines)))


def pair_former_names(data: Path, *homes: str) -> list[NamePair]:
    """The former and the present name of a firm, where the two share a rare word.

    A firm that took an entirely new name is left out: its names do not show that it is one firm.
    """
    frequencies = _count_words(data)
    found = (
        NamePair(row.former, (row.name,), same=True)
        for row in read_yukon(data, *homes)
        if row.former and plain(row.former) != plain(row.name)
        if any(frequencies.get(word, 0) <= _RARE for word in _list_long_words(row.former) & _list_long_words(row.name))
    )
    return sample_pairs(found, _MOST_PAIRS, "former names")


def _list_long_words(name: str) -> set[str]:
    return {word for word in plain(name).split() if len(word) > _SHORTEST}


@lru_cache(maxsize=2)
def _count_words(data: Path) -> dict[str, int]:
    return Counter(word for row in _read_whole_yukon(data) for word in _list_long_words(row.name))


def pair_bilingual_names(data: Path, *homes: str) -> list[NamePair]:
    """The English and the French name of a firm that registered both, in either direction."""
    found = []
    for row in read_yukon(data, *homes):
        parts = _BILINGUAL.split(row.name)
        if len(parts) == 2 and all(len(part.split()) > 1 for part in parts):  # noqa: PLR2004  # one name in each language
            folded = [plain(part) for part in parts]
            french = [len(_FRENCH.findall(part)) > len(_ENGLISH.findall(part)) for part in folded]
            if any(french) and not all(french):
                found += [NamePair(parts[0], (parts[1],), same=True), NamePair(parts[1], (parts[0],), same=True)]
    return sample_pairs(found, _MOST_PAIRS, "bilingual names")


def pair_variants(names: Iterable[str], seed: str, most: int = _MOST_PAIRS) -> list[NamePair]:
    """Registered names as people write them (`datasets.corruptions`), and near names of two firms."""
    distinct = list(dict.fromkeys(names))
    chance = Random(seed)  # noqa: S311 - a sample, not a secret
    variants = []
    for name in chance.sample(distinct, min(len(distinct), most)):
        changed = _corrupt(name, chance)
        if changed is not None:
            variants.append(NamePair(changed, (name,), same=True))
    return variants + pair_near_names(distinct, seed, most)


def _corrupt(name: str, chance: Random) -> str | None:
    for kind in chance.sample(_VARIANTS, len(_VARIANTS)):
        changed = corrupt_name(name, kind, chance)
        if changed is not None and changed.text != name:
            return changed.text
    return None


def pair_near_names(names: Iterable[str], seed: str, most: int = _MOST_PAIRS) -> list[NamePair]:
    """Two registered names that are near, and not spellings of one name: neighbours when sorted by first or by longest word.

    A pair where one name has all words of the other is left out, because it may be one firm. So are names that begin with a digit.
    """
    worded = [name for name in dict.fromkeys(names) if name[:1].isalpha()]
    return sample_pairs(_find_neighbours(worded), most, f"near {seed}")


def _find_neighbours(names: list[str]) -> Iterator[NamePair]:
    folded = sorted((plain(name), name) for name in names)
    by_words = sorted((" ".join(sorted(words.split(), key=len, reverse=True)), name) for words, name in folded)
    for order in (folded, by_words):
        for (one, name), (other, near) in pairwise(order):
            words, others = {*one.split()}, {*other.split()}
            if not (words <= others or others <= words) and _NEAR <= token_sort_ratio(one, other) < _SAME:
                yield NamePair(name, (near,), same=False)
