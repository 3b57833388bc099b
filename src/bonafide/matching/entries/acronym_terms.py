"""The acronyms by which the index finds a name: its initials in several readings, and those of the table of known bodies.

It processes thousands of names at once, because an index contains millions. `matching.names.acronyms` has the table, and the score
of an acronym is that of the comparison of names.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from bonafide.matching.names.acronyms import FEWEST_WORDS, FUNCTION_WORDS, MOST_WORDS, find_known_acronyms, list_initials
from bonafide.matching.names.normalization import NormalName, normalise_all
from bonafide.matching.text.tables import read_table

SHORTEST_SPELLED_FORM = 7
"""Letters from which a legal form is spelled out, and may be part of an acronym: "company", "limited", but not "corp"."""


def list_word_acronyms(words: Sequence[str], core: Sequence[str]) -> tuple[str, ...]:
    """The initials of a name, given as all its words and the distinguishing ones; of each reading that has three to eight words.

    "Centre for Addiction and Mental Health Foundation" is "camhf" without its function words, and "cfaamhf" with them. A legal form
    counts where it is spelled out: "Canada Mortgage and Housing Corporation" is "cmhc" as well as "cmh".
    """
    content = [word for word in core if word not in FUNCTION_WORDS]
    if len(content) == len(words):
        return list_initials(content)
    own = set(core)
    found = [*list_initials(content)]
    # Not if words of the core are written in another way, as abbreviations are.
    if own.issubset(words):
        if not FUNCTION_WORDS.isdisjoint(words):
            found += list_initials([word if word != "&" else "and" for word in words if word in own or word in FUNCTION_WORDS])
        if len(words[-1]) >= SHORTEST_SPELLED_FORM and words[-1] not in own:
            found += list_initials([word for word in words if word not in FUNCTION_WORDS])
    return tuple(dict.fromkeys(found))


def collect_acronyms(names: Iterable[tuple[Sequence[str], Sequence[str]]]) -> list[tuple[int, str]]:
    """The acronyms of many names, each with the place of its name: those of known bodies and those of `list_word_acronyms`.

    A name is given as all its words and the distinguishing ones. The acronyms of plain names are found without a call for each.
    """
    first_words = list_first_words()
    found: list[tuple[int, str]] = []
    for place, (words, core) in enumerate(names):
        if core and core[0] in first_words:
            found += [(place, acronym) for acronym in find_known_acronyms(NormalName("", tuple(words), tuple(core), ()))]
        length, total = len(core), len(words)
        if total < FEWEST_WORDS:
            continue
        if total - length > 1 or words[length - 1] != core[-1] or not FUNCTION_WORDS.isdisjoint(words):
            found += [(place, acronym) for acronym in list_word_acronyms(words, core)]
        elif FEWEST_WORDS <= length <= MOST_WORDS:
            initials = "".join([word[0] for word in words])
            if initials.isalpha():
                found.append((place, initials[:length]))
                if length < total <= MOST_WORDS and len(words[-1]) >= SHORTEST_SPELLED_FORM:
                    found.append((place, initials))
        elif length < FEWEST_WORDS and len(words[-1]) >= SHORTEST_SPELLED_FORM:
            found += [(place, acronym) for acronym in list_initials(words)]
    return found


@cache
def list_first_words() -> frozenset[str]:
    """The first words of the names of known bodies, so that few names are looked up in the table."""
    names = normalise_all([name for row in read_table("acronyms") for name in row["names"]])
    return frozenset(name.core[0] for name in names if name.core)
