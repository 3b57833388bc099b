"""Find registrations of one business in several registers, and the evidence that relates them.

Evidence is the same business number, the same LEI, a home number that is the other's, or equal names together with the home that
a register states. Contradicting numbers outweigh everything else, because two companies may have the same name.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from bonafide.i18n.message import Message
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
    """The relation of the entry at an index of the given sequence to another one, and its evidence as a sentence."""

    place: int
    relation: Relation
    evidence: Message


@dataclass(frozen=True, slots=True)
class _Registration:
    """The parts of an entry that identify its business."""

    entry: RegistryEntry
    business_numbers: frozenset[str]
    leis: frozenset[str]
    own_numbers: frozenset[str]
    home_digits: str
    names: frozenset[NormalizedName]

    @property
    def place(self) -> Message:
        """The place of its register."""
        return _format_place(self.entry.jurisdiction)

    def is_home_register_for(self, other: "_Registration") -> bool:
        """Whether the other entry states this register as its home, and this entry has no other home itself."""
        return other.entry.home_jurisdiction == self.entry.jurisdiction and self.entry.home_jurisdiction is None


@dataclass(frozen=True, slots=True)
class _Link:
    """The relation of the second of two entries of one business to the first."""

    relation: Relation
    evidence: Message
    by_name: bool = False


def find_related_registrations(entries: Sequence[RegistryEntry]) -> list[tuple[RelatedRegistration, ...]]:
    """For each entry, the other registrations of the same business, in the given order."""
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
    """The evidence that two entries are registrations of one business; None without evidence or with contradicting numbers."""
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


def _find_shared_number(one: _Registration, other: _Registration) -> Message | None:
    business_number = min(one.business_numbers & other.business_numbers, default=None)
    if business_number is not None:
        return Message("Both registers state the business number {number}.", number=business_number)
    lei = min(one.leis & other.leis, default=None)
    return Message("Both registers state the LEI {number}.", number=lei) if lei is not None else None


def _find_shared_home_number(one: _Registration, other: _Registration) -> Message | None:
    for home, away in ((one, other), (other, one)):
        if away.home_digits and home.is_home_register_for(away) and away.home_digits in home.own_numbers:
            return Message(
                "The register of {place} states the number {number} in the home jurisdiction ({home}), which is the number of this"
                " registration.",
                place=away.place,
                number=away.entry.home_number or "",
                home=home.place,
            )
    if _is_same_origin(one, other) and one.home_digits and one.home_digits == other.home_digits:
        return Message(
            "Both registers state the number {number} in the same home jurisdiction.", number=one.entry.home_number or ""
        )
    return None


def _find_shared_name_and_home(one: _Registration, other: _Registration) -> Message | None:
    if one.names.isdisjoint(other.names):
        return None
    for home, away in ((one, other), (other, one)):
        if home.is_home_register_for(away):
            return Message(
                "The names are equal, and the register of {place} states the home jurisdiction {home}.",
                place=away.place,
                home=home.place,
            )
    if _is_same_origin(one, other):
        home_place = _format_place(one.entry.home_jurisdiction)
        return Message("The names are equal, and both registers state the home jurisdiction {home}.", home=home_place)
    return None


def _is_same_origin(one: _Registration, other: _Registration) -> bool:
    homes = one.entry.home_jurisdiction, other.entry.home_jurisdiction
    return homes[0] is not None and homes[1] is not None and is_same_home(homes[0], homes[1])


def _format_place(home: str | None) -> Message:
    if home == Jurisdiction.FED:
        return Message("Canada")
    return Jurisdiction(home).label if home in set(Jurisdiction) else Message.untranslated(str(home))


def _get_direction(one: _Registration, other: _Registration) -> Relation:
    """The relation of the second to the first, as far as the registers state it."""
    if other.is_home_register_for(one) or _is_federal_at_home(other, one):
        return Relation.HOME_REGISTRATION
    if one.is_home_register_for(other) or _is_federal_at_home(one, other):
        return Relation.EXTRA_PROVINCIAL_REGISTRATION
    return Relation.SAME_BUSINESS


def _is_federal_at_home(home: _Registration, away: _Registration) -> bool:
    """Whether the second is the provincial registration of the first, a federal corporation, which has no other home.

    Excluded are registrations that ended when the business became federal, and those that only share another name.
    """
    federal = home.entry.jurisdiction is Jurisdiction.FED and away.entry.jurisdiction is not Jurisdiction.FED
    left = away.entry.status_code is StatusCode.CONTINUED_OUT
    return federal and not left and away.entry.home_jurisdiction is None and not home.names.isdisjoint(away.names)


def _keep_certain_links(links: dict[tuple[int, int], _Link], read: Sequence[_Registration]) -> dict[tuple[int, int], _Link]:
    """The links without ambiguous ones: by name alone, to a register that has several such entries."""
    partners: Counter[tuple[int, Jurisdiction]] = Counter()
    for left, right in links:
        partners[left, read[right].entry.jurisdiction] += 1
        partners[right, read[left].entry.jurisdiction] += 1

    def is_one_of_several(left: int, right: int) -> bool:
        return partners[left, read[right].entry.jurisdiction] > 1 or partners[right, read[left].entry.jurisdiction] > 1

    return {pair: link for pair, link in links.items() if not (link.by_name and is_one_of_several(*pair))}
