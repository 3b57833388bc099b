"""Build the listed entity of a target of the Swiss list: its history, the names and birth dates of its identities, its numbers.

Other identities than the main one are assumed identities: their names are aliases, and their nationalities are included.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product

from bonafide.i18n.message import Message
from bonafide.matching.text.countries import parse_country_code
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import (
    ListedNames,
    build_names,
    build_numbers,
    deduplicate_numbers,
    extract_imo_numbers,
    format_remarks,
)

LISTED, DELISTED = "listed", "de-listed"
_DAYS = ("effective-date", "enactment-date", "publication-date")
"""The first of these attributes is the date of a change."""


@dataclass(frozen=True, slots=True)
class ListingChange:
    """A change of a listing: its type as in the list, and its ISO date, "" if it has none."""

    kind: str
    day: str


def read_changes(target: Element) -> list[ListingChange]:
    """Return the changes of a target, newest first; changes of one date in the order of the file, which is also newest first."""
    found = [
        ListingChange(element.get("modification-type") or "", _read_day(element)) for element in target.findall("{*}modification")
    ]
    return sorted(found, key=lambda change: change.day, reverse=True)


def is_delisted(history: list[ListingChange]) -> bool:
    """Whether the newest change removed it from the list."""
    return bool(history) and history[0].kind == DELISTED


def find_listing_date(history: list[ListingChange]) -> str | None:
    """Return the date of the newest change that added it to the list."""
    return next((change.day for change in history if change.kind == LISTED and change.day), None)


def read_sanctions_sets(target: Element) -> Iterator[str]:
    """Yield the IDs of the annexes that contain it."""
    named = target.get("sanctions-set-id")
    if named is not None:
        yield named
    yield from (text for element in target.findall("{*}sanctions-set-id") if (text := (element.text or "").strip()))


def _read_day(element: Element) -> str:
    return next((day for name in _DAYS if (day := element.get(name))), "")


MAX_SPELLINGS = 24
"""The limit for one name in one language and script, which three parts with a few spellings each reach."""
TITLE = "title"
_AS_GIVEN = ("", "")
_NamePart = dict[tuple[str, str], list[str]]
"""The spellings of one name part, by language and script."""


def build_spellings(name: Element) -> list[str]:
    """Return the name as given, then in other spellings, with parts as given where a spelling lacks them. Empty without parts."""
    parts = [_read_part(part) for part in _sort_parts(name) if part.get("name-part-type") != TITLE]
    variants = list(dict.fromkeys([_AS_GIVEN, *(variant for part in parts for variant in part)]))
    found: list[str] = []
    for variant in variants:
        choices = [part.get(variant, part.get(_AS_GIVEN, [])) for part in parts]
        found += [" ".join(choice) for choice in islice(product(*filter(None, choices)), MAX_SPELLINGS)]
    return list(dict.fromkeys(filter(None, found)))


def read_titles(name: Element) -> list[str]:
    """Return the titles among the parts of a name."""
    parts = [_read_part(part) for part in name.findall("{*}name-part") if part.get("name-part-type") == TITLE]
    return [text for part in parts for text in part.get(_AS_GIVEN, [])]


def _sort_parts(name: Element) -> list[Element]:
    return sorted(name.findall("{*}name-part"), key=lambda part: int(part.get("order") or 0))


def _read_part(element: Element) -> _NamePart:
    part: _NamePart = defaultdict(list)
    for value in element.findall("{*}value"):
        part[_AS_GIVEN] += filter(None, [normalize_whitespace(value.text)])
    for variant in element.findall("{*}spelling-variant"):
        part[variant.get("lang") or "", variant.get("script") or "?"] += filter(None, [normalize_whitespace(variant.text)])
    return part


_GREGORIAN = "gregorian"
_NUMBER = re.compile(
    r"(?P<label>IMO number|(?:ОГРН/main )?(?:state |business |company )?registration number"
    r"|tax(?:payer)? (?:identification|registration) number|INN|OGRN|KPP|SWIFT(?:/BIC)?(?: codes?)?|LEI)"
    r"\s*:\s*(?P<number>[\w./ -]*\d(?:[\w./-]*\w)?)\.?",
    re.IGNORECASE,
)
"""A text of other information that is only a number."""


@dataclass(frozen=True, slots=True)
class SecoLookups:
    """The data that targets refer to: the program of each annex, and the country of each location."""

    programs: Mapping[str, str]
    places: Mapping[str, str]


def build_listed_entity(
    target: Element, body: Element, history: list[ListingChange], lookups: SecoLookups, context: ParseContext
) -> ListedEntity:
    """Build the entity. `body` is the element with the data of the target. Raises `ValueError` if it has no name."""
    kind = EntityKind(context.term(body.get("object-type") or str(body.tag).rpartition("}")[2]))
    identities = sorted(body.findall("{*}identity"), key=lambda identity: identity.get("main") != "true")
    names = _build_names(identities, context)
    births = [birth for identity in identities for birth in identity.findall("{*}day-month-year")]
    person = kind is EntityKind.PERSON
    return ListedEntity(
        entry_id=target.get("ssid") or "",
        entity_type=kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=tuple(dict.fromkeys(lookups.programs.get(number, number) for number in read_sanctions_sets(target))),
        countries=tuple(dict.fromkeys(code for identity in identities for code in _collect_countries(identity, lookups.places))),
        identifiers=deduplicate_numbers(_build_identifiers(target, body, identities)),
        listing_date=find_listing_date(history),
        date_of_birth="; ".join(dict.fromkeys(filter(None, map(_format_birth, births)))) or None if person else None,
        birth_dates=tuple(dict.fromkeys(day for birth in births for day in _to_comparable_dates(birth))) if person else (),
        remarks=_build_remarks(body, identities),
    )


def _build_names(identities: list[Element], context: ParseContext) -> ListedNames:
    found = [(name, main) for main, identity in enumerate(identities) for name in identity.findall("{*}name")]
    graded = [
        (text, _is_weak(name, context), (main, context.term(name.get("name-type") or "primary-name") != "main", place))
        for name, main in found
        for place, text in enumerate(build_spellings(name))
    ]
    if not graded:
        raise ValueError(Message("no name in a known field"))
    main = min(graded, key=lambda item: item[2])
    return build_names(main[0], ((text, weak) for text, weak, rank in graded if rank != main[2] or text != main[0]))


def _is_weak(name: Element, context: ParseContext) -> bool:
    quality = name.get("quality")
    return quality is not None and context.term(quality) == "weak"


def _collect_countries(identity: Element, places: Mapping[str, str]) -> Iterator[str]:
    for country in identity.findall("{*}nationality/{*}country"):
        yield from _read_country_code(country)
    for address in identity.findall("{*}address"):
        place = places.get(address.get("place-id") or "")
        if place is not None:
            yield place


def _read_country_code(country: Element) -> Iterator[str]:
    name = country.get("iso-code") or normalize_whitespace(country.text)
    if name is not None:
        yield parse_country_code(name) or name


def read_country(place: Element) -> str | None:
    """Return the country of a location."""
    return next((code for country in place.findall("{*}country") for code in _read_country_code(country)), None)


def _format_birth(birth: Element) -> str | None:
    parts = [part.zfill(2) for name in ("year", "month", "day") if (part := birth.get(name))]
    calendar = birth.get("calendar") or ""
    return "-".join(parts) + (f" ({calendar})" if parts and calendar.casefold() not in {"", _GREGORIAN} else "") or None


def _to_comparable_dates(birth: Element) -> tuple[str, ...]:
    return parse_birth_dates(_format_birth(birth)) if (birth.get("calendar") or _GREGORIAN).casefold() == _GREGORIAN else ()


def _build_identifiers(target: Element, body: Element, identities: list[Element]) -> Iterator[RegistrationNumber]:
    for element in target.findall("{*}foreign-identifier"):
        # "QDi.001" is the United Nations' own reference; a bare "140" is not unique.
        if any(map(str.isalpha, element.text or "")):
            yield from build_numbers("Foreign identifier", element.text)
    for identity in identities:
        for document in identity.findall("{*}identification-document"):
            yield from build_numbers(_build_label(document), document.findtext("{*}number"))
    for text in _read_texts(body, "other-information"):
        found = _NUMBER.fullmatch(text)
        if found is not None and found["label"].casefold() == "imo number":
            yield from extract_imo_numbers(found["number"])
        elif found is not None:
            yield from build_numbers(found["label"], found["number"])


def _build_label(document: Element) -> str:
    kind = (document.get("document-type") or "document").replace("-", " ").capitalize()
    issuer = document.find("{*}issuer")
    if issuer is None:
        return kind
    country = issuer.get("code") or normalize_whitespace(issuer.text)
    return f"{kind} ({country})" if country is not None else kind


def _build_remarks(body: Element, identities: list[Element]) -> str | None:
    return format_remarks({
        "": _read_texts(body, "justification"),
        "Title": (title for identity in identities for name in identity.findall("{*}name") for title in read_titles(name)),
        "Other information": _read_texts(body, "other-information"),
    })  # fmt: skip


def _read_texts(body: Element, tag: str) -> list[str]:
    return [text for element in body.findall(f"{{*}}{tag}") if (text := normalize_whitespace(element.text)) is not None]
