"""Find registrations of one business in several registers, and the evidence that relates them.

The same business number, the same LEI, a home number that is the other's, or equal names together with the home that a register
states. Numbers that contradict each other outweigh everything: two companies may bear one name. No source is asked anything here.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from bonafide.matching.entries.register_codes import is_same_home
from bonafide.matching.identifiers.number_formats import list_number_types, parse_published_type, parse_stated_business_number
from bonafide.matching.identifiers.number_labels import NumberType, compact_number, parse_labelled_number
from bonafide.matching.identifiers.number_matching import is_lei
from bonafide.matching.names.normalization import normalise
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import Relation

_REVERSED = {
    Relation.HOME_REGISTRATION: Relation.EXTRA_PROVINCIAL_REGISTRATION,
    Relation.EXTRA_PROVINCIAL_REGISTRATION: Relation.HOME_REGISTRATION,
    Relation.SAME_BUSINESS: Relation.SAME_BUSINESS,
}
NormalizedName = tuple[tuple[str, ...], frozenset[str]]


@dataclass(frozen=True, slots=True)
class RelatedRegistration:
    """What the entry at a place of the given sequence is to another one, and how that is known, as a sentence."""

    place: int
    relation: Relation
    evidence: str


@dataclass(frozen=True, slots=True)
class _Registration:
    """What one entry says about which business it is a registration of."""

    entry: RegistryEntry
    business_numbers: frozenset[str]
    leis: frozenset[str]
    own_numbers: frozenset[str]
    home_digits: str
    names: frozenset[NormalizedName]

    @property
    def place(self) -> str:
        """Where its register is, for a sentence."""
        return _format_place(self.entry.jurisdiction)

    def is_home_register_for(self, other: "_Registration") -> bool:
        """Whether the other says that it was formed where this register is, and this one isn't from elsewhere too."""
        return other.entry.home_jurisdiction == self.entry.jurisdiction and self.entry.home_jurisdiction is None


@dataclass(frozen=True, slots=True)
class _Link:
    """Two entries of one business: what the second is to the first."""

    relation: Relation
    evidence: str
    by_name: bool = False


def find_related_registrations(entries: Sequence[RegistryEntry]) -> list[tuple[RelatedRegistration, ...]]:
    """For each entry the others that are registrations of the same business, in the order given."""
    if len(entries) < 2:  # noqa: PLR2004 - one has no other
        return [()] * len(entries)
    read = [_parse_registration(entry) for entry in entries]
    links: dict[tuple[int, int], _Link] = {}
    for left, right in combinations(range(len(read)), 2):
        link = _find_link(read[left], read[right])
        if link is not None:
            links[left, right] = link
    found: list[list[RelatedRegistration]] = [[] for _ in entries]
    for (left, right), link in _keep_certain_links(links, read).items():
        found[left].append(RelatedRegistration(right, link.relation, link.evidence))
        found[right].append(RelatedRegistration(left, _REVERSED[link.relation], link.evidence))
    return [tuple(sorted(related, key=lambda item: item.place)) for related in found]


def _parse_registration(entry: RegistryEntry) -> _Registration:
    numbers = entry.registration_numbers
    business_numbers = (parse_stated_business_number(number.label, number.value) for number in numbers)
    own_types = {*list_number_types(entry.jurisdiction), None}
    own = [number.value for number in numbers if parse_published_type(number.label, entry.jurisdiction) in own_types]
    return _Registration(
        entry=entry,
        business_numbers=frozenset(number for number in business_numbers if number is not None),
        leis=frozenset(_list_leis(entry)),
        own_numbers=frozenset(filter(None, map(_keep_digits, own))),
        home_digits=_keep_digits(entry.home_number or ""),
        names=frozenset(map(_normalize_name, (entry.legal_name, *entry.alternate_names))),
    )


def _list_leis(entry: RegistryEntry) -> Iterable[str]:
    for number in entry.registration_numbers:
        value = parse_labelled_number(compact_number(number.value)).number
        if parse_published_type(number.label, None) is NumberType.LEI and is_lei(value):
            yield value


def _keep_digits(text: str) -> str:
    """A number's digits: home numbers are typed by hand, with or without letters, dashes and zeros."""
    return "".join(filter(str.isdecimal, text)).lstrip("0")


def _normalize_name(text: str) -> NormalizedName:
    normal = normalise(text)
    return normal.core, frozenset(normal.legal_forms)


# ------------------------------------------------------------------------------------------------------------ evidence


def _find_link(one: _Registration, other: _Registration) -> _Link | None:
    """Why two entries are registrations of one business; None when nothing says so, or numbers say that they are not."""
    at_home = one.entry.home_jurisdiction is None and other.entry.home_jurisdiction is None
    if at_home and one.business_numbers.isdisjoint(other.business_numbers) and one.leis.isdisjoint(other.leis):
        return None
    if _have_contradicting_numbers(one, other):
        return None
    by_number = _find_shared_number(one, other)
    if by_number is not None:
        return _Link(_get_direction(one, other), by_number)
    if one.entry.jurisdiction is other.entry.jurisdiction:
        return None
    by_home_number = _find_shared_home_number(one, other)
    if by_home_number is not None:
        return _Link(_get_direction(one, other), by_home_number)
    by_name = _find_shared_name_and_home(one, other)
    return _Link(_get_direction(one, other), by_name, by_name=True) if by_name is not None else None


def _have_contradicting_numbers(one: _Registration, other: _Registration) -> bool:
    """Whether two numbers of the same kind differ."""
    pairs = ((one.business_numbers, other.business_numbers), (one.leis, other.leis))
    if any(left and right and left.isdisjoint(right) for left, right in pairs):
        return True
    return any(
        home.is_home_register_for(away) and away.home_digits and away.home_digits not in home.own_numbers
        for home, away in ((one, other), (other, one))
    )


def _find_shared_number(one: _Registration, other: _Registration) -> str | None:
    for what, left, right in (
        ("business number", one.business_numbers, other.business_numbers),
        ("LEI", one.leis, other.leis),
    ):
        shared = min(left & right, default=None)
        if shared is not None:
            return f"Both registers state the {what} {shared}."
    return None


def _find_shared_home_number(one: _Registration, other: _Registration) -> str | None:
    for home, away in ((one, other), (other, one)):
        if away.home_digits and home.is_home_register_for(away) and away.home_digits in home.own_numbers:
            return (
                f"{away.place} states {away.entry.home_number} as its number at home ({home.place}), which is this registration's."
            )
    if _is_same_origin(one, other) and one.home_digits and one.home_digits == other.home_digits:
        return f"Both registers state the same number, {one.entry.home_number}, at the same home."
    return None


def _find_shared_name_and_home(one: _Registration, other: _Registration) -> str | None:
    if one.names.isdisjoint(other.names):
        return None
    for home, away in ((one, other), (other, one)):
        if home.is_home_register_for(away):
            return f"The names are equal, and {away.place} states {home.place} as its home."
    if _is_same_origin(one, other):
        return f"The names are equal, and both registers state the same home, {_format_place(one.entry.home_jurisdiction)}."
    return None


def _is_same_origin(one: _Registration, other: _Registration) -> bool:
    homes = one.entry.home_jurisdiction, other.entry.home_jurisdiction
    return homes[0] is not None and homes[1] is not None and is_same_home(homes[0], homes[1])


def _format_place(home: str | None) -> str:
    if home == Jurisdiction.FED:
        return "Canada"
    return Jurisdiction(home).label if home in set(Jurisdiction) else str(home)


def _get_direction(one: _Registration, other: _Registration) -> Relation:
    """What the second is to the first, as far as the registers tell."""
    if other.is_home_register_for(one) or _is_federal_at_home(other, one):
        return Relation.HOME_REGISTRATION
    if one.is_home_register_for(other) or _is_federal_at_home(one, other):
        return Relation.EXTRA_PROVINCIAL_REGISTRATION
    return Relation.SAME_BUSINESS


def _is_federal_at_home(home: _Registration, away: _Registration) -> bool:
    """Whether the second is the first's registration in a province: no federal corporation was formed anywhere else.

    One that has left its province to become federal was at home there, and a firm's other name is not the corporation.
    """
    federal = home.entry.jurisdiction is Jurisdiction.FED and away.entry.jurisdiction is not Jurisdiction.FED
    left = away.entry.status_code is StatusCode.CONTINUED_OUT
    return federal and not left and away.entry.home_jurisdiction is None and not home.names.isdisjoint(away.names)


def _keep_certain_links(links: dict[tuple[int, int], _Link], read: Sequence[_Registration]) -> dict[tuple[int, int], _Link]:
    """The links without those by name alone to a register that has several such entries: which of them it is can't be told."""
    partners: Counter[tuple[int, Jurisdiction]] = Counter()
    for left, right in links:
        partners[left, read[right].entry.jurisdiction] += 1
        partners[right, read[left].entry.jurisdiction] += 1

    def is_one_of_several(left: int, right: int) -> bool:
        return partners[left, read[right].entry.jurisdiction] > 1 or partners[right, read[left].entry.jurisdiction] > 1

    return {pair: link for pair, link in links.items() if not (link.by_name and is_one_of_several(*pair))}
