"""Two names of people with the alignment of their parts, as the features of people's names take them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from bonafide.matching.people.given_names import get_name_share, is_patronymic, is_rather_given_name
from bonafide.matching.people.name_part_similarity import weigh_name_part
from bonafide.matching.people.person_name_parsing import PersonName
from bonafide.matching.scoring.alignment import AlignedNames, WordAlignment, WordPair
from bonafide.matching.text.phonetics import is_consonantal
from bonafide.model.search.match import WordDifference

EXACT = frozenset({WordDifference.EQUAL, WordDifference.JOINED})
SPELLINGS = frozenset({WordDifference.SLIP, WordDifference.SOUND})
_SHORTEST_SKELETON = 3


class NameBearer(Enum):
    """The kind of bearer of the requested name."""

    PERSON = auto()
    ANYBODY = auto()
    """A person or a business."""
    BUSINESS = auto()
    """The name is a business name without its legal form."""


@dataclass(frozen=True, slots=True)
class ComparedPeople(AlignedNames[PersonName]):
    """Two names of people and the alignment of their parts. `foreign`: one of them is from another script.

    `full_pairs` are the pairs of full parts: no particles, titles and initials without a full counterpart. `lone_parts` are the
    full parts without counterpart, without patronymics: "Sergei Lavrov" is complete without "Viktorovich".
    """

    bearer: NameBearer
    foreign: bool
    full_pairs: tuple[WordPair, ...]
    lone_parts: tuple[str, ...]

    def weigh_pair(self, pair: WordPair) -> float:
        """The weight of the heaviest part, because an initial represents a full name."""
        return _weigh_pair(pair)

    def is_skeleton_pair(self, pair: WordPair) -> bool:
        """Whether unequal parts are paired by their consonants alone, because one is from a script without vowels."""
        return (
            self.foreign
            and pair.likeness.difference in SPELLINGS
            and any(len(part) >= _SHORTEST_SKELETON and is_consonantal(part) for part in (*pair.left, *pair.right))
        )

    def is_common_pair(self, pair: WordPair, share: float) -> bool:
        """Whether a side of a pair is a given name, or a name that at least `share` of 100,000 people have.

        Consonants of a script without vowels are those of many names.
        """
        return self.is_skeleton_pair(pair) or any(_is_common_side(side, share) for side in (pair.left, pair.right))


def compare_people(
    query: PersonName, candidate: PersonName, alignment: WordAlignment, bearer: NameBearer, *, foreign: bool
) -> ComparedPeople:
    """The two names with what several features need to know about them."""
    full = tuple([pair for pair in alignment.pairs if _weigh_pair(pair) >= 1])
    lone = tuple([part for part in (*alignment.left_only, *alignment.right_only) if is_identifying_part(part)])
    return ComparedPeople(query, candidate, alignment, weigh_name_part, bearer, foreign, full, lone)


def _weigh_pair(pair: WordPair) -> float:
    if pair.likeness.difference is WordDifference.EQUAL:
        return weigh_name_part(pair.left[0])
    return max(map(weigh_name_part, (*pair.left, *pair.right)))


@lru_cache(maxsize=2**15)
def is_identifying_part(part: str) -> bool:
    """Whether a part is full, and no patronymic."""
    return weigh_name_part(part) >= 1 and not is_patronymic(part)


def _is_common_side(parts: Sequence[str], share: float) -> bool:
    return all(is_rather_given_name(part) or get_name_share(part) >= share for part in parts if weigh_name_part(part) >= 1)
