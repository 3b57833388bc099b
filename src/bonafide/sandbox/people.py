"""Invented people: given name and surname of one tradition, and what they are to the business. None is meant to be anyone."""

import numpy as np

from bonafide.sandbox import coined
from bonafide.sandbox.business import Kind, Officer
from bonafide.sandbox.draws import Draws, Integers, Truths
from bonafide.sandbox.registers import KINDS
from bonafide.sandbox.tables import Words, read_table, words
from bonafide.sandbox.weights import Weights

LISTED_SHARE = 0.55
"""The rest of surnames is coined: a few hundred surnames are far from all."""
RARE_SURNAMES = 400_000
FLATTENING = 100
"""Of the coined surnames' frequencies: 1 / (rank + this)."""

_TRADITIONS = read_table("people")["traditions"].values()
_GIVEN_LISTS = [words(tradition["given"]) for tradition in _TRADITIONS]
_SURNAME_LISTS = [words(tradition["surnames"]) for tradition in _TRADITIONS]
_TRADITION_WEIGHTS = Weights.of([[tradition[column] for tradition in _TRADITIONS] for column in ("share", "quebec")])

# Lists drawn from by one search: entry n weighs 1 / (n + 5).
_GIVEN = np.concatenate(_GIVEN_LISTS)
_GIVEN_WEIGHTS = Weights.of([1 / (rank + 5) for rank in range(len(given))] for given in _GIVEN_LISTS)
_SURNAMES = np.concatenate(_SURNAME_LISTS)
_SURNAME_WEIGHTS = Weights.of([1 / (rank + 5) for rank in range(len(surnames))] for surnames in _SURNAME_LISTS)

_COUNTS = Weights.of([[0, 44, 33, 15, 6, 2]])
"""How many people a company has."""
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
"""Elsewhere and in Quebec."""
_ROLE_WEIGHTS = Weights.of([[62, 18, 9, 6, 5]])
_FIRM_ROLES = (
    {Kind.FIRM: ("Owner",), Kind.PARTNERSHIP: ("Partner",), Kind.LIMITED_PARTNERSHIP: ("General Partner",)},
    {Kind.FIRM: ("Propriétaire",), Kind.PARTNERSHIP: ("Associé",), Kind.LIMITED_PARTNERSHIP: ("Commandité",)},
)
_ROLES = tuple(
    tuple((firm[kind],) * len(company) if kind in firm else company for kind in KINDS)
    for company, firm in zip(_COMPANY_ROLES, _FIRM_ROLES, strict=True)
)
"""By whether it is in Quebec, by kind, and by what was drawn for a company."""


def given_names(draws: Draws, traditions: Integers) -> Words:
    """A given name of each row's tradition."""
    names: Words = _GIVEN[_GIVEN_WEIGHTS.pick(traditions, draws.unit("given name"))]
    return names


def surnames(draws: Draws, traditions: Integers) -> Words:
    """A surname of each row's tradition, or a coined one."""
    listed = _SURNAMES[_SURNAME_WEIGHTS.pick(traditions, draws.unit("surname"))]
    rare = coined.surnames(draws.zipf("rare surname", RARE_SURNAMES, FLATTENING))
    names: Words = np.where(draws.chance("listed surname", LISTED_SHARE), listed, rare)
    return names


def traditions_of(draws: Draws, in_quebec: Truths) -> Integers:
    """A tradition for each row."""
    places = _TRADITION_WEIGHTS.pick(in_quebec.astype(np.int64), draws.unit("tradition"))
    return places % len(_GIVEN_LISTS)


def officers(draws: Draws, kinds: Integers, in_quebec: Truths) -> list[tuple[Officer, ...]]:
    """Directors and officers of companies, the owner of a firm, the partners of a partnership."""
    drawn = draws.stream("people")
    counts = _COUNTS.pick(0, drawn.unit("count"))
    counts = np.where(kinds == KINDS.index(Kind.FIRM), 1, counts)
    counts = np.where(kinds == KINDS.index(Kind.PARTNERSHIP), np.maximum(counts, 2), counts)
    each = drawn.repeat(counts)
    quebec = np.repeat(in_quebec, counts)
    traditions = traditions_of(each, quebec)
    names = (given_names(each, traditions) + " " + surnames(each, traditions)).tolist()
    drawn_roles = _ROLE_WEIGHTS.pick(0, each.unit("role")).tolist()
    roles = zip(quebec.tolist(), np.repeat(kinds, counts).tolist(), drawn_roles, strict=True)
    people = [Officer(name, _ROLES[there][kind][role]) for name, (there, kind, role) in zip(names, roles, strict=True)]
    ends = np.cumsum(counts).tolist()
    return [tuple(people[start:end]) for start, end in zip([0, *ends[:-1]], ends, strict=True)]
