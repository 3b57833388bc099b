"""All names that stand in one list, for judging whether a reader with nothing but the list could still tell who is meant.

It compares letters and words only, on purpose: the product's own scores must not decide which queries the product is tested with.
What counts as an equal name is the normaliser's to say, because names that are equal by it can't be told apart by anyone's search.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from bonafide.matching.names.normalization import normalise
from bonafide.matching.people.person_name_parsing import parse_person_name

Core = tuple[str, ...]
GENERIC_SHARE = 0.004
"""A word is generic that stands in so large a share of all different names of businesses."""
DISTINCTIVE_SHARE = 0.0005
"""A word is distinctive that stands in no larger a share of them."""


@dataclass(frozen=True, slots=True)
class ListedName:
    """One name of one entry. `owner` identifies the entry among all in the list."""

    owner: str
    text: str
    is_person: bool = False

    @property
    def core(self) -> Core:
        """The words that distinguish the name."""
        return core_of(self.text, is_person=self.is_person)


def core_of(text: str, *, is_person: bool) -> Core:
    """The words that distinguish a name: its parts when it is a person's, else all but legal forms and articles."""
    return parse_person_name(text).parts if is_person else normalise(text).core


def plain_words(text: str) -> list[str]:
    """The words of a text in small letters without accents, apostrophes and full stops."""
    unmarked = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return re.findall(r"\w+", re.sub(r"['’.]", "", unmarked).casefold())


class CommonWords:
    """How common each word is in the names of businesses of all lists, which a reader knows without knowing the lists."""

    def __init__(self, names: Iterable[ListedName]) -> None:
        cores = {name.core for name in names if not name.is_person}
        self._frequencies = Counter(word for core in cores for word in set(core))
        self._generic_from = GENERIC_SHARE * len(cores)
        self._distinctive_to = DISTINCTIVE_SHARE * len(cores)

    def is_generic(self, word: str) -> bool:
        """Whether so many names hold the word that leaving it out hardly changes a name."""
        return self._frequencies[word] >= self._generic_from

    def is_distinctive(self, word: str) -> bool:
        """Whether a name can be recognised by the word; by initials it can't."""
        return len(word) > 2 and self._frequencies[word] <= self._distinctive_to


class NameList:
    """Every name of the sources that are searched together."""

    def __init__(self, names: Iterable[ListedName], common: CommonWords) -> None:
        self.common = common
        self._owners: dict[Core, set[str]] = defaultdict(set)
        self._words: set[str] = set()
        for name in names:
            self._owners[name.core].add(name.owner)
            self._words.update(plain_words(name.text))
        self._cores_with: dict[str, list[Core]] = defaultdict(list)
        self._same_words: dict[Core, list[Core]] = defaultdict(list)
        self._same_letters: dict[str, list[Core]] = defaultdict(list)
        self._cores = list(self._owners)
        self._letters = [" ".join(core) for core in self._cores]
        for core in self._cores:
            self._same_words[tuple(sorted(core))].append(core)
            self._same_letters["".join(core)].append(core)
            for word in set(core):
                self._cores_with[word].append(core)

    def knows(self, word: str) -> bool:
        """Whether the word stands in any name of the list."""
        return all(plain in self._words for plain in plain_words(word))

    def means_another(self, asked: Core, wanted: Core) -> bool:
        """Whether what is asked is, word for word or letter for letter, the name of another entry."""
        equal = [*self._same_words[tuple(sorted(asked))], *self._same_letters["".join(asked)]]
        return self._owned_by_others(equal, wanted)

    def is_as_near_to_another(self, asked: Core, wanted: Core) -> bool:
        """Whether another entry's name differs from what is asked by no more letters than the wanted one does."""
        text, meant = " ".join(asked), " ".join(wanted)
        distance = OSA.distance(text, meant)
        distances = cdist([text], self._letters, scorer=OSA.distance, score_cutoff=distance)[0]
        return self._owned_by_others((self._cores[place] for place in (distances <= distance).nonzero()[0]), wanted)

    def is_as_full_a_part_of_another(self, asked: Core, wanted: Core) -> bool:
        """Whether another entry's name, no longer than the wanted one, holds all words that are asked."""
        rarest = min(asked, key=lambda word: len(self._cores_with[word]))
        fuller = [core for core in self._cores_with[rarest] if len(core) <= len(wanted) and set(asked) <= set(core)]
        return self._owned_by_others(fuller, wanted)

    def _owned_by_others(self, cores: Iterable[Core], wanted: Core) -> bool:
        right = self._owners[wanted]
        return any(not self._owners[core] <= right for core in cores)
