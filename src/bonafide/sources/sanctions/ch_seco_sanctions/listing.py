"""A target of the Swiss list as a listed entity: the names of its identities, when they were born, and the numbers told in prose.

An identity that is not the main one is somebody the target passes for: its names are aliases, its nationality counts as well.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bonafide.matching.text.countries import parse_country_code
from bonafide.model.entity import RegistrationNumber
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.context import ParseContext
from bonafide.sources.listed_dates import birth_dates
from bonafide.sources.listed_party import Names, imo_numbers, names, numbered, once, remarks
from bonafide.sources.parse import squeeze
from bonafide.sources.parse_xml import Element
from bonafide.sources.sanctions.ch_seco_sanctions.spelling import spellings, titles
from bonafide.sources.sanctions.ch_seco_sanctions.target import Change, listed_on, sanctions_sets

_GREGORIAN = "gregorian"
_NUMBER = re.compile(
    r"(?P<label>IMO number|(?:ОГРН/main )?(?:state |business |company )?registration number"
    r"|tax(?:payer)? (?:identification|registration) number|INN|OGRN|KPP|SWIFT(?:/BIC)?(?: codes?)?|LEI)"
    r"\s*:\s*(?P<number>[\w./ -]*\d(?:[\w./-]*\w)?)\.?",
    re.IGNORECASE,
)
"""A piece of further information that is a number and nothing else."""


@dataclass(frozen=True, slots=True)
class Lookups:
    """What stands once in the file and is referred to: the program of each annex, and the country of each place."""

    programs: Mapping[str, str]
    places: Mapping[str, str]


def listing(target: Element, body: Element, history: list[Change], lookups: Lookups, context: ParseContext) -> ListedEntity:
    """The entity; `body` is the part of the target that says what it is. Raises `ValueError` when it has no name."""
    kind = EntityKind(context.term(body.get("object-type") or str(body.tag).rpartition("}")[2]))
    identities = sorted(body.findall("{*}identity"), key=lambda identity: identity.get("main") != "true")
    told = _names(identities, context)
    births = [birth for identity in identities for birth in identity.findall("{*}day-month-year")]
    person = kind is EntityKind.PERSON
    return ListedEntity(
        entry_id=target.get("ssid") or "",
        entity_type=kind,
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
        programs=tuple(dict.fromkeys(lookups.programs.get(number, number) for number in sanctions_sets(target))),
        countries=tuple(dict.fromkeys(code for identity in identities for code in _countries(identity, lookups.places))),
        identifiers=once(_identifiers(target, body, identities)),
        listing_date=listed_on(history),
        date_of_birth="; ".join(dict.fromkeys(filter(None, map(_printed, births)))) or None if person else None,
        birth_dates=tuple(dict.fromkeys(day for birth in births for day in _comparable(birth))) if person else (),
        remarks=_remarks(body, identities),
    )


def _names(identities: list[Element], context: ParseContext) -> Names:
    found = [(name, main) for main, identity in enumerate(identities) for name in identity.findall("{*}name")]
    graded = [
        (text, _is_weak(name, context), (main, context.term(name.get("name-type") or "primary-name") != "main", place))
        for name, main in found
        for place, text in enumerate(spellings(name))
    ]
    if not graded:
        raise ValueError("no name in any field that is known")
    main = min(graded, key=lambda item: item[2])
    return names(main[0], ((text, weak) for text, weak, rank in graded if rank != main[2] or text != main[0]))


def _is_weak(name: Element, context: ParseContext) -> bool:
    quality = name.get("quality")
    return quality is not None and context.term(quality) == "weak"


def _countries(identity: Element, places: Mapping[str, str]) -> Iterator[str]:
    for country in identity.findall("{*}nationality/{*}country"):
        yield from _code(country)
    for address in identity.findall("{*}address"):
        place = places.get(address.get("place-id") or "")
        if place is not None:
            yield place


def _code(country: Element) -> Iterator[str]:
    name = country.get("iso-code") or squeeze(country.text)
    if name is not None:
        yield parse_country_code(name) or name


def country_of(place: Element) -> str | None:
    """The country of a place of the file's own table."""
    return next((code for country in place.findall("{*}country") for code in _code(country)), None)


def _printed(birth: Element) -> str | None:
    parts = [part.zfill(2) for name in ("year", "month", "day") if (part := birth.get(name))]
    calendar = birth.get("calendar") or ""
    return "-".join(parts) + (f" ({calendar})" if parts and calendar.casefold() not in {"", _GREGORIAN} else "") or None


def _comparable(birth: Element) -> tuple[str, ...]:
    return birth_dates(_printed(birth)) if (birth.get("calendar") or _GREGORIAN).casefold() == _GREGORIAN else ()


def _identifiers(target: Element, body: Element, identities: list[Element]) -> Iterator[RegistrationNumber]:
    for element in target.findall("{*}foreign-identifier"):
        # "QDi.001" is the United Nations' own; a bare "140" is a number of many.
        if any(map(str.isalpha, element.text or "")):
            yield from numbered("Foreign identifier", element.text)
    for identity in identities:
        for document in identity.findall("{*}identification-document"):
            yield from numbered(_label(document), document.findtext("{*}number"))
    for text in _texts(body, "other-information"):
        found = _NUMBER.fullmatch(text)
        if found is not None and found["label"].casefold() == "imo number":
            yield from imo_numbers(found["number"])
        elif found is not None:
            yield from numbered(found["label"], found["number"])


def _label(document: Element) -> str:
    kind = (document.get("document-type") or "document").replace("-", " ").capitalize()
    issuer = document.find("{*}issuer")
    if issuer is None:
        return kind
    country = issuer.get("code") or squeeze(issuer.text)
    return f"{kind} ({country})" if country is not None else kind


def _remarks(body: Element, identities: list[Element]) -> str | None:
    return remarks({
        "": _texts(body, "justification"),
        "Title": (title for identity in identities for name in identity.findall("{*}name") for title in titles(name)),
        "Other information": _texts(body, "other-information"),
    })  # fmt: skip


def _texts(body: Element, tag: str) -> list[str]:
    return [text for element in body.findall(f"{{*}}{tag}") if (text := squeeze(element.text)) is not None]
