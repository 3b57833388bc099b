"""Read OFAC's advanced XML (the United Nations' data model), in which a party's parts are joined by reference.

The file is read twice: first for the parts that refer to parties, then for the parties. Measures and the names of related parties
are only in the enhanced format.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_values
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.xml_elements import (
    Element,
    find_elements,
    find_text,
    find_texts,
    get_line,
    get_local_name,
    read_elements,
)
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.ofac.advanced_xml_references import OfacReferences, format_period, parse_day, read_references
from bonafide.sources.shared.ofac.party import ENTITY_KINDS, OfacNumber, OfacPartyRecord, build_listed_entities, find_listing_date

_PARTS = (
    "DateOfIssue",
    "ReferenceValueSets",
    "Location",
    "IDRegDocument",
    "DistinctParty",
    "ProfileRelationship",
    "SanctionsEntry",
)
"""Both passes read every part, so that each is freed after it was read."""
_FAMILY = frozenset({"Last Name", "Maiden Name"})
_SECOND_FAMILY = frozenset({"Patronymic", "Matronymic"})
"""Family names in Spanish, given names in Russian. The list writes family names in capitals."""
_LOCATION, _PROGRAM, _FALSE = "Location", "Program", "False"


@dataclass(frozen=True, slots=True)
class _PartyAddress:
    """An address, or a country alone."""

    lines: tuple[str, ...]
    country: str | None


@dataclass(slots=True)
class _PartyParts:
    """The parts of parties: locations and documents by their IDs, the rest by the profile of the party."""

    words: OfacReferences = field(default_factory=OfacReferences)
    locations: dict[str, _PartyAddress] = field(default_factory=dict)
    numbers: defaultdict[str, list[OfacNumber]] = field(default_factory=lambda: defaultdict(list))
    """By identity."""
    relations: defaultdict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    days: defaultdict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    programs: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def parse_advanced(resource: Resource, context: ParseContext, listed_as: str) -> Iterator[ListedEntity]:
    """Yield the entries of a file. Raises `ParseFailed` for a file of the other list, or one that is not well-formed."""
    parts = _read_parts(resource, context)
    lists = {name for days in parts.days.values() for name, _ in days}
    if not any(find_listing_date([(name, "")], listed_as) is not None for name in lists):
        raise ParseFailed(
            Message(
                "{file}: the file contains “{found}” instead of “{expected}”",
                file=resource.name,
                found=join_values(sorted(lists)),
                expected=listed_as,
            )
        )
    yield from build_listed_entities(_read_parties(resource, context, parts, listed_as), resource, context)


def _read_parties(
    resource: Resource, context: ParseContext, parts: _PartyParts, listed_as: str
) -> Iterator[tuple[int, OfacPartyRecord | Message]]:
    for element in read_elements(resource, *_PARTS):
        if get_local_name(element) == "DistinctParty":
            context.row()
            yield get_line(element), _parse_party(element, parts, listed_as)


# ------------------------------------------------------------------------------------------------------------ first pass


def _read_parts(resource: Resource, context: ParseContext) -> _PartyParts:
    parts = _PartyParts()
    readers = {
        "ReferenceValueSets": _read_references,
        "Location": _read_location,
        "IDRegDocument": _read_document,
        "ProfileRelationship": _read_relation,
        "SanctionsEntry": _read_entry,
    }
    for element in read_elements(resource, *_PARTS):
        part = get_local_name(element)
        if part == "DateOfIssue":
            day = parse_day(element)
            if day is not None:
                context.set_as_of(date.fromisoformat(day))
        elif part in readers:
            readers[part](element, parts)
    return parts


def _read_references(element: Element, parts: _PartyParts) -> None:
    parts.words = read_references(element)


def _read_location(element: Element, parts: _PartyParts) -> None:
    country = next((parts.words.of("Country", found.get("CountryID")) for found in find_elements(element, "LocationCountry")), None)
    lines = tuple(find_texts(element, "LocationPart/LocationPartValue/Value"))
    parts.locations[element.get("ID", "")] = _PartyAddress(lines, country)


def _read_document(element: Element, parts: _PartyParts) -> None:
    label, value = parts.words.of("IDRegDocType", element.get("IDRegDocTypeID")), find_text(element, "IDRegistrationNo")
    if label is None or value is None:
        return
    country = parts.words.of("Country", element.get("IssuedBy-CountryID"))
    note = ", ".join((*find_texts(element, "IssuingAuthority"), *_read_document_dates(element, parts.words))) or None
    parts.numbers[element.get("IdentityID", "")].append(OfacNumber(label.removesuffix(" #"), value, country, note))


def _read_document_dates(element: Element, words: OfacReferences) -> Iterator[str]:
    for dated in find_elements(element, "DocumentDate"):
        kind, text = words.of("IDRegDocDateType", dated.get("IDRegDocDateTypeID")), format_period(dated)
        if text is not None:
            yield f"{kind or 'date'} {text}"


def _read_relation(element: Element, parts: _PartyParts) -> None:
    kind = parts.words.of("RelationType", element.get("RelationTypeID")) or "Linked To"
    parts.relations[element.get("From-ProfileID", "")].append((kind, element.get("To-ProfileID", "")))


def _read_entry(element: Element, parts: _PartyParts) -> None:
    profile = element.get("ProfileID", "")
    listing = parts.words.of("List", element.get("ListID")) or ""
    days = [day for event in find_elements(element, "EntryEvent/Date") if (day := parse_day(event)) is not None]
    parts.days[profile] += [(listing, day) for day in days]
    for measure in find_elements(element, "SanctionsMeasure"):
        if parts.words.of("SanctionsType", measure.get("SanctionsTypeID")) == _PROGRAM:
            parts.programs[profile] += find_texts(measure, "Comment")


# ------------------------------------------------------------------------------------------------------------ second pass


def _parse_party(element: Element, parts: _PartyParts, listed_as: str) -> OfacPartyRecord | Message:
    """Parse the party of an element, or return the reason why it is rejected."""
    profile = next(iter(find_elements(element, "Profile")), None)
    if profile is None:
        return Message("the party has no profile")
    subtype = profile.get("PartySubTypeID")
    number, kind = element.get("FixedRef"), parts.words.kind(subtype)
    if kind is None or kind.casefold() not in ENTITY_KINDS:
        return Message("unknown type of party “{type}”", type=kind or subtype or "")
    names = [
        name
        for identity in find_elements(profile, "Identity")
        for name in _read_names(identity, ENTITY_KINDS[kind.casefold()], parts.words)
    ]
    main = next((text for text, _, primary in names if primary), None)
    if number is None or main is None:
        return Message("the party has no number or no primary name")
    party = OfacPartyRecord(number, ENTITY_KINDS[kind.casefold()], main)
    party.others = [(text, weak) for text, weak, _ in names]
    _add_details(party, profile, parts, listed_as)
    return party


def _read_names(identity: Element, kind: EntityKind, words: OfacReferences) -> Iterator[tuple[str, bool, bool]]:
    """Yield each spelling of each name with whether it is weak, and whether it is the primary name."""
    groups = {
        group.get("ID", ""): words.of("NamePartType", group.get("NamePartTypeID")) or ""
        for group in find_elements(identity, "NamePartGroups/MasterNamePartGroup/NamePartGroup")
    }
    for alias in find_elements(identity, "Alias"):
        weak, primary = alias.get("LowQuality") == "true", alias.get("Primary") == "true"
        for position, spelling in enumerate(find_elements(alias, "DocumentedName")):
            values = find_elements(spelling, "DocumentedNamePart/NamePartValue")
            parts = [(groups.get(value.get("NamePartGroupID", ""), ""), (value.text or "").strip()) for value in values]
            text = _format_person_name(parts) if kind is EntityKind.PERSON else " ".join(text for _, text in parts)
            if text:
                yield text, weak, primary and position == 0


def _format_person_name(parts: list[tuple[str, str]]) -> str:
    """Format a person's name as in the other formats: `TARLENHEIM, Fritz`."""
    family = [text for kind, text in parts if kind in _FAMILY or (kind in _SECOND_FAMILY and text.isupper())]
    given = [text for _, text in parts if text not in family]
    return ", ".join(" ".join(words) for words in ([word.upper() for word in family], given) if words)


def _add_details(party: OfacPartyRecord, profile: Element, parts: _PartyParts, listed_as: str) -> None:
    number = profile.get("ID", "")
    party.programs = parts.programs.get(number, [])
    party.listed = find_listing_date(parts.days.get(number, []), listed_as)
    for identity in find_elements(profile, "Identity"):
        party.numbers += parts.numbers.get(identity.get("ID", ""), [])
    for feature in find_elements(profile, "Feature"):
        kind = parts.words.of("FeatureType", feature.get("FeatureTypeID")) or "Feature"
        for version in find_elements(feature, "FeatureVersion"):
            _add_feature(party, kind, version, parts)
    party.remarks[""] += find_texts(profile, "Comment")
    for relation, other in parts.relations.get(number, []):
        party.remarks[relation].append(f"number {other}")


def _add_feature(party: OfacPartyRecord, kind: str, version: Element, parts: _PartyParts) -> None:
    values = [*_read_details(version, parts.words), *filter(None, [format_period(version)])]
    for at in find_elements(version, "VersionLocation"):
        place = parts.locations.get(at.get("LocationID", ""))
        if place is None:
            continue
        if kind == _LOCATION:
            _add_address(party, place)
        else:
            values.append(", ".join((*place.lines, place.country) if place.country is not None else place.lines))
    label = f"Known to be false: {kind}" if parts.words.of("Reliability", version.get("ReliabilityID")) == _FALSE else None
    for value in filter(None, values):
        if label is not None:
            party.remarks[label].append(value)
        else:
            party.add_feature(kind, value)


def _read_details(version: Element, words: OfacReferences) -> Iterator[str]:
    """Yield the values of a feature: its own text, or a referenced word."""
    for detail in find_elements(version, "VersionDetail"):
        text = (detail.text or "").strip() or words.of("DetailReference", detail.get("DetailReferenceID"))
        if text:
            yield text


def _add_address(party: OfacPartyRecord, place: _PartyAddress) -> None:
    if place.country is not None:
        party.countries.append(place.country)
    if place.lines:
        party.remarks["Address"].append(", ".join((*place.lines, place.country) if place.country is not None else place.lines))
