"""Generate people with their roles in a business. All are fictional."""

import numpy as np

from bonafide_sandbox.generator import invented_words
from bonafide_sandbox.generator.business import BusinessKind, SandboxOfficer
from bonafide_sandbox.generator.data_tables import WordArray, read_table, to_word_array
from bonafide_sandbox.generator.registers import KINDS
from bonafide_sandbox.generator.seeded_random import BoolArray, IntArray, SeededRandom
from bonafide_sandbox.generator.weighted_choice import CumulativeWeights

LISTED_SHARE = 0.55
"""Share of surnames taken from the lists. The others are invented, because the lists have only a few hundred."""
RARE_SURNAMES = 400_000
FLATTENING = 100
"""Flattening of the frequency of invented surnames: 1 / (rank + this)."""

_TRADITIONS = read_table("people")["traditions"].values()
_GIVEN_LISTS = [to_word_array(tradition["given"]) for tradition in _TRADITIONS]
_SURNAME_LISTS = [to_word_array(tradition["surnames"]) for tradition in _TRADITIONS]
_TRADITION_WEIGHTS = CumulativeWeights.of([[tradition[column] for tradition in _TRADITIONS] for column in ("share", "quebec")])

# Ranked lists, sampled with one search: entry n has weight 1 / (n + 5).
_GIVEN = np.concatenate(_GIVEN_LISTS)
_GIVEN_WEIGHTS = CumulativeWeights.of([1 / (rank + 5) for rank in range(len(given))] for given in _GIVEN_LISTS)
_SURNAMES = np.concatenate(_SURNAME_LISTS)
_SURNAME_WEIGHTS = CumulativeWeights.of([1 / (rank + 5) for rank in range(len(surnames))] for surnames in _SURNAME_LISTS)

_COUNTS = CumulativeWeights.of([[0, 44, 33, 15, 6, 2]])
"""Weights of the number of people per company."""
_COMPANY_ROLES = (
    (("Director",), ("Director", "President"), ("Director", "Secretary"), ("President",), ("Director", "Treasurer")),
    (
        ("Administrateur",),
        ("Administrateur", "Président"),
        ("Administrateur", "Secrétaire"),
        ("Président",),
        ("Administrateur", "Trésorier"),
    ),
)
"""Roles outside Quebec and in Quebec."""
_ROLE_WEIGHTS = CumulativeWeights.of([[62, 18, 9, 6, 5]])
_FIRM_ROLES = (
    {BusinessKind.FIRM: ("Owner",), BusinessKind.PARTNERSHIP: ("Partner",), BusinessKind.LIMITED_PARTNERSHIP: ("General Partner",)},
    {
        BusinessKind.FIRM: ("Propriétaire",),
        BusinessKind.PARTNERSHIP: ("Associé",),
        BusinessKind.LIMITED_PARTNERSHIP: ("Commandité",),
    },
)
_ROLES = tuple(
    tuple((firm[kind],) * len(company) if kind in firm else company for kind in KINDS)
    for company, firm in zip(_COMPANY_ROLES, _FIRM_ROLES, strict=True)
)
"""Indexed by whether the business is in Quebec, by kind, and by the company role drawn."""


def draw_given_names(draws: SeededRandom, traditions: IntArray) -> WordArray:
    """Choose a given name for each row, by tradition."""
    names: WordArray = _GIVEN[_GIVEN_WEIGHTS.pick(traditions, draws.unit("given name"))]
    return names


def draw_surnames(draws: SeededRandom, traditions: IntArray) -> WordArray:
    """Choose a surname for each row, by tradition, or an invented one."""
    listed = _SURNAMES[_SURNAME_WEIGHTS.pick(traditions, draws.unit("surname"))]
    rare = invented_words.create_surnames(draws.zipf("rare surname", RARE_SURNAMES, FLATTENING))
    names: WordArray = np.where(draws.chance("listed surname", LISTED_SHARE), listed, rare)
    return names


def draw_traditions(draws: SeededRandom, in_quebec: BoolArray) -> IntArray:
    """Choose a name tradition for each row."""
    places = _TRADITION_WEIGHTS.pick(in_quebec.astype(np.int64), draws.unit("tradition"))
    return places % len(_GIVEN_LISTS)


def draw_officers(draws: SeededRandom, kinds: IntArray, in_quebec: BoolArray) -> list[tuple[SandboxOfficer, ...]]:
    """Generate the directors and officers of companies, the owner of a firm or the partners of a partnership."""
    drawn = draws.stream("people")
    counts = _COUNTS.pick(0, drawn.unit("count"))
    counts = np.where(kinds == KINDS.index(BusinessKind.FIRM), 1, counts)
    counts = np.where(kinds == KINDS.index(BusinessKind.PARTNERSHIP), np.maximum(counts, 2), counts)
    each = drawn.repeat(counts)
    quebec = np.repeat(in_quebec, counts)
    traditions = draw_traditions(each, quebec)
    names = (draw_given_names(each, traditions) + " " + draw_surnames(each, traditions)).tolist()
    drawn_roles = _ROLE_WEIGHTS.pick(0, each.unit("role")).tolist()
    roles = zip(quebec.tolist(), np.repeat(kinds, counts).tolist(), drawn_roles, strict=True)
    people = [SandboxOfficer(name, _ROLES[there][kind][role]) for name, (there, kind, role) in zip(names, roles, strict=True)]
    ends = np.cumsum(counts).tolist()
    return [tuple(people[start:end]) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
