"""Parse a row of the licence table, and build the entry of a holder from its rows.

The first cell may contain a name, the number of a site, another name and a note, which are separated.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from bonafide.i18n.message import Message
from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import normalize_whitespace, parse_date
from bonafide.sources.framework.context import ParseContext

ACTIVE = "Active"
_SITE = re.compile(r"\s*\((?P<site>\d+(?:st|nd|rd|th) site|site #?\d+)\)", re.IGNORECASE)
_NOTE = re.compile(r"\s*(?:[\[(]|[*,–-]+)\s*(?:licences? )?(?P<word>suspended|revoked|expired)\b[^/)\]]*[)\]]?", re.IGNORECASE)
"""After a separator: a name may contain such a word."""
_LICENCE_NOTE = re.compile(r"\s*[\[(*,–-]*\s*(?P<word>suspended|revoked|expired)\b[^/)\]]*[)\]]?", re.IGNORECASE)
_ALIAS_MARK = r"(?:o/a|c/o/b|dba|d/b/a|operating as|doing business as)"
_OTHER_NAME = re.compile(
    rf",?\s+{_ALIAS_MARK}\s+(?P<alias>.+)$|\s*\((?:(?:{_ALIAS_MARK}|formerly|f/k/a)\s+)?(?P<aside>[^()]+)\)$", re.IGNORECASE
)
_PLACEHOLDERS = frozenset({"-", "–", "—", "n/a", "none", "not applicable", "s.o."})

Cells = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class CannabisSite:
    """A row of the table."""

    name: str
    other_names: tuple[str, ...]
    label: str | None
    """The number of the holder's site, if the page has it (`2nd site`)."""
    province: str | None
    status: str
    licences: tuple[str, ...]
    classes_provincial: tuple[str, ...]
    classes_patients: tuple[str, ...]
    phone: str | None
    since: date | None


def parse_site(cells: Cells, context: ParseContext) -> CannabisSite:
    """Parse a row. Raises `ValueError` if it has no holder or an invalid date."""
    holder, licences = cells["holder"], cells["licences"] or ""
    if holder is None:
        raise ValueError(Message("{column} is empty", column="Licence holder"))
    note = _NOTE.search(holder) or _LICENCE_NOTE.search(licences)
    found = _SITE.search(holder)
    name, others = _split_names(_SITE.sub("", _NOTE.sub("", holder)))
    return CannabisSite(
        name=name,
        other_names=others,
        label=found["site"].lower() if found is not None else None,
        province=cells["province"],
        status=note["word"].capitalize() if note is not None else ACTIVE,
        licences=tuple(_normalize_licence(word, context) for word in _split_list(_LICENCE_NOTE.sub("", licences))),
        classes_provincial=_split_list(cells["classes provincial"]),
        classes_patients=_split_list(cells["classes patients"]),
        phone=_drop_placeholder(cells["client care"]),
        since=parse_date(_drop_placeholder(cells["since"]), "%Y-%m-%d"),
    )


def _split_names(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the name and the names that follow it: `X Inc. o/a Y`, `X Inc. (Y)`. Raises `ValueError` if no name is left."""
    others: list[str] = []
    name = " ".join(text.split()).strip(" ,*")
    while (found := _OTHER_NAME.search(name)) is not None and found.start() > 0:
        others.insert(0, (found["alias"] or found["aside"]).strip(" ,"))
        name = name[: found.start()].strip(" ,")
    if name == "":
        raise ValueError(Message("the licence holder has no name"))
    return name, tuple(dict.fromkeys(other for other in others if other not in {"", name}))


def _normalize_licence(word: str, context: ParseContext) -> str:
    """Return the licence in its standard spelling. An unknown one is counted and returned unchanged."""
    folded = word.casefold()
    known = context.term(folded)
    return known if known != folded else word


def _split_list(text: str | None) -> tuple[str, ...]:
    """`Plants / Seeds / Dried`."""
    parts = (_drop_placeholder(part) for part in re.split(r"\s*/\s*", text or ""))
    return tuple(dict.fromkeys(part for part in parts if part is not None))


def _drop_placeholder(text: str | None) -> str | None:
    """Return the text, or None for a placeholder such as `n/a`."""
    text = normalize_whitespace(text)
    return text if text is not None and text.casefold() not in _PLACEHOLDERS else None


def build_entry(key: str, sites: Sequence[CannabisSite], context: ParseContext) -> RegulatoryEntry:
    """Build the entry of a holder. It is active if any of its sites is, and has the data of all of them."""
    first = next((site for site in sites if site.status == ACTIVE), sites[0])
    # All sites have the holder's name, possibly in another case.
    names = dict.fromkeys(name for site in sites for name in site.other_names if name.casefold() != key)
    provinces = dict.fromkeys(site.province for site in sites if site.province is not None)
    return RegulatoryEntry(
        entry_id=key,
        legal_name=first.name,
        alternate_names=tuple(names),
        status=first.status,
        status_code=context.status(first.status),
        # A line of text would be read as a street.
        addresses=tuple(Address(province=province, country="CA") for province in provinces),
        details=_build_details(sites, derived=first.status == ACTIVE),
    )


def _build_details(sites: Sequence[CannabisSite], *, derived: bool) -> dict[str, JsonValue]:
    days = [site.since for site in sites if site.since is not None]
    details: dict[str, JsonValue] = {
        "statusDerived": derived or None,
        "licenceTypes": _to_json_list(licence for site in sites for licence in site.licences),
        "classesProvincial": _to_json_list(kind for site in sites for kind in site.classes_provincial),
        "classesPatients": _to_json_list(kind for site in sites for kind in site.classes_patients),
        "clientCarePhone": next((site.phone for site in sites if site.phone is not None), None),
        "initialLicensingDate": min(days).isoformat() if days else None,
        "sites": _to_json_list(map(_format_site, sites)),
    }
    return {key: value for key, value in details.items() if value is not None}


def _to_json_list(texts: Iterable[str]) -> list[JsonValue] | None:
    return list[JsonValue](dict.fromkeys(texts)) or None


def _format_site(site: CannabisSite) -> str:
    """`AB, 2019-05-01, 2nd site, suspended`."""
    note = site.status.lower() if site.status != ACTIVE else None
    day = site.since.isoformat() if site.since is not None else None
    return ", ".join(part for part in (site.province, day, site.label, note) if part is not None) or "no particulars"
