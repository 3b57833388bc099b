"""A party of OFAC's lists, independent of the file format, and the listed entity built from it.

The readers of the formats fill `OfacPartyRecord`; this module decides what is a name, a country or a number.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from bonafide.i18n.message import Message
from bonafide.matching.text.countries import parse_country_code
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.package_data import read_yaml
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.lists import party_fields
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates

ENTITY_KINDS = {
    "individual": EntityKind.PERSON,
    "entity": EntityKind.ORGANIZATION,
    "vessel": EntityKind.VESSEL,
    "aircraft": EntityKind.AIRCRAFT,
}
"""OFAC's words for the type of a party, in lower case."""
SDN_LIST, CONSOLIDATED_LIST = "SDN List", "Consolidated List"
"""The names of the lists in the XML files."""
_COUNTRIES = frozenset({"nationality country", "citizenship country", "nationality of registration", "vessel flag"})
_NO_COUNTRY = frozenset({"undetermined", "none identified"})
_SHIP_NUMBER_LABELS = frozenset({"Vessel Registration Identification", "International Maritime Organization No."})
_COUNTRY_SUFFIX = re.compile(r"(?P<value>.+?) \((?P<country>[^()]+)\)")
_LEI = "Legal Entity Number"


@dataclass(frozen=True, slots=True)
class OfacNumber:
    """A number as published: the type of document, its country, and a note (`expires 03 Nov 2031`)."""

    label: str
    value: str
    country: str | None = None
    note: str | None = None


@dataclass(slots=True)
class OfacPartyRecord:
    """One party as published, filled by the reader of the format."""

    number: str
    """OFAC's own number, the same in all three formats."""
    kind: EntityKind
    name: str
    others: list[tuple[str, bool]] = field(default_factory=list)
    """Its other names, each with whether it is weak."""
    programs: list[str] = field(default_factory=list)
    countries: list[str] = field(default_factory=list)
    """Names or alpha-2 codes."""
    births: list[str] = field(default_factory=list)
    numbers: list[OfacNumber] = field(default_factory=list)
    listed: str | None = None
    remarks: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Texts without a field of their own, by label."""

    def add_feature(self, kind: str, value: str) -> None:
        """Add a feature of the XML files: a date of birth, a nationality, an aircraft's number or anything else."""
        word = kind.casefold()
        if word == "birthdate":
            self.births.append(value)
        elif word in _COUNTRIES:
            self.countries.append(value)
        elif word == "title":
            self.remarks["Title"].append(value)
        elif _is_number(kind):
            self.numbers.append(OfacNumber(kind, value))
        else:
            self.remarks[""].append(f"{kind} {value}")


@cache
def load_number_words() -> dict[str, list[str]]:
    """Load the words for numbers: `documents`, `features` and `feature_stems`."""
    words: dict[str, list[str]] = read_yaml(__package__, "numbers.yml")
    return words


@cache
def _is_number(feature: str) -> bool:
    words = load_number_words()
    return feature in words["features"] or feature in words["documents"] or feature.startswith(tuple(words["feature_stems"]))


def find_listing_date(days: Iterable[tuple[str, str]], listed_as: str) -> str | None:
    """Return the first date on which the list included a party, from the dates (list name, ISO date) of all of OFAC's lists.

    The consolidated list comprises all lists except the SDN List.
    """
    return min((day for name, day in days if (name == SDN_LIST) == (listed_as == SDN_LIST)), default=None)


def build_listed_entities(
    parties: Iterable[tuple[int, OfacPartyRecord | Message]], resource: Resource, context: ParseContext
) -> Iterator[ListedEntity]:
    """Yield the entries of parties, each given with its line. A message instead of a party is the reason why it is rejected."""
    seen: set[str] = set()
    for line, party in parties:
        if isinstance(party, Message):
            context.reject(resource, line, party)
        elif party.number in seen:
            context.reject(resource, line, Message("the number is not unique"))
        else:
            seen.add(party.number)
            yield _build_listed_entity(party, context)


def _build_listed_entity(party: OfacPartyRecord, context: ParseContext) -> ListedEntity:
    """Build the entry of a party. Numbers with invalid check digits are added to the remarks."""
    names = party_fields.build_names(party.name, party.others)
    identifiers = party_fields.deduplicate_numbers(_build_identifiers(party))
    born = "; ".join(dict.fromkeys(party.births)) or None
    return ListedEntity(
        entry_id=party.number,
        source_url=str(context.metadata.entry_url).format(number=party.number),
        entity_type=party.kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=tuple(dict.fromkeys(party.programs)),
        countries=tuple(
            dict.fromkeys(parse_country_code(country) or country for country in party.countries if _is_country(country))
        ),
        identifiers=identifiers,
        listing_date=party.listed,
        date_of_birth=born,
        birth_dates=parse_birth_dates(born),
        remarks=party_fields.format_remarks(party.remarks),
    )


def _is_country(text: str) -> bool:
    return text.casefold() not in _NO_COUNTRY


def _build_identifiers(party: OfacPartyRecord) -> Iterator[RegistrationNumber]:
    for number in party.numbers:
        found = list(_validate_number(number, party.kind))
        yield from found
        if not found:
            party.remarks[number.label].append(number.value)
        if number.note is not None:
            party.remarks[f"{number.label} {number.value}"].append(number.note)


def _validate_number(number: OfacNumber, kind: EntityKind) -> Iterator[RegistrationNumber]:
    """Yield the number with its label if it is valid."""
    has_imo_prefix = number.value.upper().startswith("IMO")
    if has_imo_prefix or number.label in _SHIP_NUMBER_LABELS:
        found = _extract_imo_numbers(number.value, kind)
        if found or has_imo_prefix:
            yield from found
            return
    if number.label == _LEI:
        yield from party_fields.build_numbers("LEI", number.value)
        return
    value, country = _split_country(number)
    label = number.label if country is None else f"{number.label} ({country})"
    yield from party_fields.build_numbers(label, value)


def _split_country(number: OfacNumber) -> tuple[str, str | None]:
    """Split a number from its country, which some entries of the XML files have in brackets after the number."""
    found = _COUNTRY_SUFFIX.fullmatch(number.value) if number.country is None else None
    if found is None or parse_country_code(found["country"]) is None:
        return number.value, number.country
    return found["value"], found["country"]


def _extract_imo_numbers(text: str, kind: EntityKind) -> list[RegistrationNumber]:
    """Extract IMO numbers; only vessels have ship numbers. One owner number in ten is also a valid ship number."""
    found = party_fields.extract_imo_numbers(text)
    if kind is EntityKind.VESSEL:
        return found
    return [RegistrationNumber(label="IMO company number", value=number.value) for number in found]
