"""OFAC's advanced XML, the United Nations' data model: parties in one part, what belongs to them in others, all words by reference.

The file is read twice: first for everything that hangs on a party, by its number, then for the parties. What only the enhanced form
says, such as measures and the names of related parties, is not looked for here.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.ofac_advanced_words import Words, day_of, period_text, read_words
from bonafide.sources.ofac_elements import all_of, text_at, texts_at
from bonafide.sources.ofac_party import KINDS, Number, Party, listed_entities, listed_on
from bonafide.sources.parse_xml import Element, line_of, local_name, read_elements

_PARTS = (
    "DateOfIssue",
    "ReferenceValueSets",
    "Location",
    "IDRegDocument",
    "DistinctParty",
    "ProfileRelationship",
    "SanctionsEntry",
)
"""Every part is asked for in both readings, so that each is freed as it passes."""
_FAMILY = frozenset({"Last Name", "Maiden Name"})
_SECOND_FAMILY = frozenset({"Patronymic", "Matronymic"})
"""Family names in Spanish, given ones in Russian: the list writes the former in capitals."""
_LOCATION, _PROGRAM, _FALSE = "Location", "Program", "False"


@dataclass(frozen=True, slots=True)
class _Place:
    """An address, or a country alone."""

    lines: tuple[str, ...]
    country: str | None


@dataclass(slots=True)
class _Parts:
    """All that hangs on parties: places and documents by their ids, the rest by the profile of the party."""

    words: Words = field(default_factory=Words)
    places: dict[str, _Place] = field(default_factory=dict)
    numbers: defaultdict[str, list[Number]] = field(default_factory=lambda: defaultdict(list))
    """By identity."""
    relations: defaultdict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    days: defaultdict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    programs: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def parse_advanced(resource: Resource, context: ParseContext, listed_as: str) -> Iterator[ListedEntity]:
    """The entries of a file. Raises `ParseFailed` for a file of the other list, or one that is not well-formed."""
    parts = _read_parts(resource, context)
    lists = {name for days in parts.days.values() for name, _ in days}
    if not any(listed_on([(name, "")], listed_as) is not None for name in lists):
        raise ParseFailed(f"{resource.name}: the file is of {', '.join(sorted(lists)) or 'no list'}, not of the {listed_as}")
    yield from listed_entities(_parties(resource, context, parts, listed_as), resource, context)


def _parties(resource: Resource, context: ParseContext, parts: _Parts, listed_as: str) -> Iterator[tuple[int, Party | str]]:
    for element in read_elements(resource, *_PARTS):
        if local_name(element) == "DistinctParty":
            context.row()
            yield line_of(element), _party(element, parts, listed_as)


# ------------------------------------------------------------------------------------------------------------ first reading


def _read_parts(resource: Resource, context: ParseContext) -> _Parts:
    parts = _Parts()
    readers = {
        "ReferenceValueSets": _read_words,
        "Location": _read_place,
        "IDRegDocument": _read_document,
        "ProfileRelationship": _read_relation,
        "SanctionsEntry": _read_entry,
    }
    for element in read_elements(resource, *_PARTS):
        part = local_name(element)
        if part == "DateOfIssue":
            day = day_of(element)
            if day is not None:
                context.dated(date.fromisoformat(day))
        elif part in readers:
            readers[part](element, parts)
    return parts


def _read_words(element: Element, parts: _Parts) -> None:
    parts.words = read_words(element)


def _read_place(element: Element, parts: _Parts) -> None:
    country = next((parts.words.of("Country", found.get("CountryID")) for found in all_of(element, "LocationCountry")), None)
    lines = tuple(texts_at(element, "LocationPart/LocationPartValue/Value"))
    parts.places[element.get("ID", "")] = _Place(lines, country)


def _read_document(element: Element, parts: _Parts) -> None:
    label, value = parts.words.of("IDRegDocType", element.get("IDRegDocTypeID")), text_at(element, "IDRegistrationNo")
    if label is None or value is None:
        return
    country = parts.words.of("Country", element.get("IssuedBy-CountryID"))
    note = ", ".join((*texts_at(element, "IssuingAuthority"), *_document_dates(element, parts.words))) or None
    parts.numbers[element.get("IdentityID", "")].append(Number(label.removesuffix(" #"), value, country, note))


def _document_dates(element: Element, words: Words) -> Iterator[str]:
    for dated in all_of(element, "DocumentDate"):
        kind, text = words.of("IDRegDocDateType", dated.get("IDRegDocDateTypeID")), period_text(dated)
        if text is not None:
            yield f"{kind or 'date'} {text}"


def _read_relation(element: Element, parts: _Parts) -> None:
    kind = parts.words.of("RelationType", element.get("RelationTypeID")) or "Linked To"
    parts.relations[element.get("From-ProfileID", "")].append((kind, element.get("To-ProfileID", "")))


def _read_entry(element: Element, parts: _Parts) -> None:
    profile = element.get("ProfileID", "")
    listing = parts.words.of("List", element.get("ListID")) or ""
    days = [day for event in all_of(element, "EntryEvent/Date") if (day := day_of(event)) is not None]
    parts.days[profile] += [(listing, day) for day in days]
    for measure in all_of(element, "SanctionsMeasure"):
        if parts.words.of("SanctionsType", measure.get("SanctionsTypeID")) == _PROGRAM:
            parts.programs[profile] += texts_at(measure, "Comment")


# ------------------------------------------------------------------------------------------------------------ second reading


def _party(element: Element, parts: _Parts, listed_as: str) -> Party | str:
    """The party of an element; or why it can't be read."""
    profile = next(iter(all_of(element, "Profile")), None)
    if profile is None:
        return "no profile"
    number, kind = element.get("FixedRef"), parts.words.kind(profile.get("PartySubTypeID"))
    if kind is None or kind.casefold() not in KINDS:
        return f"unknown type {kind!r}"
    names = [name for identity in all_of(profile, "Identity") for name in _names(identity, KINDS[kind.casefold()], parts.words)]
    main = next((text for text, _, primary in names if primary), None)
    if number is None or main is None:
        return "no number or no primary name"
    party = Party(number, KINDS[kind.casefold()], main)
    party.others = [(text, weak) for text, weak, _ in names]
    _add_details(party, profile, parts, listed_as)
    return party


def _names(identity: Element, kind: EntityKind, words: Words) -> Iterator[tuple[str, bool, bool]]:
    """Each spelling of each name with whether it is weak, and whether it is the one that the list goes by."""
    groups = {
        group.get("ID", ""): words.of("NamePartType", group.get("NamePartTypeID")) or ""
        for group in all_of(identity, "NamePartGroups/MasterNamePartGroup/NamePartGroup")
    }
    for alias in all_of(identity, "Alias"):
        weak, primary = alias.get("LowQuality") == "true", alias.get("Primary") == "true"
        for place, spelling in enumerate(all_of(alias, "DocumentedName")):
            values = all_of(spelling, "DocumentedNamePart/NamePartValue")
            parts = [(groups.get(value.get("NamePartGroupID", ""), ""), (value.text or "").strip()) for value in values]
            text = _written(parts) if kind is EntityKind.PERSON else " ".join(text for _, text in parts)
            if text:
                yield text, weak, primary and place == 0


def _written(parts: list[tuple[str, str]]) -> str:
    """A person's name as the other forms write it: `TARLENHEIM, Fritz`."""
    family = [text for kind, text in parts if kind in _FAMILY or (kind in _SECOND_FAMILY and text.isupper())]
    given = [text for _, text in parts if text not in family]
    return ", ".join(" ".join(words) for words in ([word.upper() for word in family], given) if words)


def _add_details(party: Party, profile: Element, parts: _Parts, listed_as: str) -> None:
    number = profile.get("ID", "")
    party.programs = parts.programs.get(number, [])
    party.listed = listed_on(parts.days.get(number, []), listed_as)
    for identity in all_of(profile, "Identity"):
        party.numbers += parts.numbers.get(identity.get("ID", ""), [])
    for feature in all_of(profile, "Feature"):
        kind = parts.words.of("FeatureType", feature.get("FeatureTypeID")) or "Feature"
        for version in all_of(feature, "FeatureVersion"):
            _add_feature(party, kind, version, parts)
    party.remarks[""] += texts_at(profile, "Comment")
    for relation, other in parts.relations.get(number, []):
        party.remarks[relation].append(f"number {other}")


def _add_feature(party: Party, kind: str, version: Element, parts: _Parts) -> None:
    values = [*_details(version, parts.words), *filter(None, [period_text(version)])]
    for at in all_of(version, "VersionLocation"):
        place = parts.places.get(at.get("LocationID", ""))
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


def _details(version: Element, words: Words) -> Iterator[str]:
    """What is said of a feature: a text of its own, or a word by reference."""
    for detail in all_of(version, "VersionDetail"):
        text = (detail.text or "").strip() or words.of("DetailReference", detail.get("DetailReferenceID"))
        if text:
            yield text


def _add_address(party: Party, place: _Place) -> None:
    if place.country is not None:
        party.countries.append(place.country)
    if place.lines:
        party.remarks["Address"].append(", ".join((*place.lines, place.country) if place.country is not None else place.lines))
