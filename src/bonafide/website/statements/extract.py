"""What the pages of a site state of the business behind it: every value once, with the places where it was found.

Structured data go before text, and what the pages say of others is left out. It quotes; whether a statement is true is not asked.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from bonafide.matching.evidence import in_one_line
from bonafide.matching.number_labels import compacted
from bonafide.matching.people import person_name
from bonafide.matching.roles import role_words
from bonafide.model.entity import RegistrationNumber
from bonafide.model.website import ContactInfo, Extracted, FoundBy, WebsiteEvidence, WebsitePerson
from bonafide.website.page import Page
from bonafide.website.statements.brand_names import brands_of, names_like_brands, owners_of_brands
from bonafide.website.statements.contacts import FAX, emails_of, phones_of
from bonafide.website.statements.json_ld import things_in_json_ld
from bonafide.website.statements.legal_names import names_in_text
from bonafide.website.statements.meta_tags import MetaTags, meta_tags
from bonafide.website.statements.microdata import things_in_microdata
from bonafide.website.statements.own_names import OwnNames, own_names, plain, surest_name
from bonafide.website.statements.places import Placed, addresses_in_text
from bonafide.website.statements.registrations import GENERIC_LABELS, numbers_in_text
from bonafide.website.statements.same_address import same_addresses
from bonafide.website.statements.schema_org import Structured, structured
from bonafide.website.statements.stated import Group, Stated, T, grouped
from bonafide.website.statements.team import people_in_text
from bonafide.website.statements.visible_text import ReadPage, read

MAX_PAGES: Final = 20
MAX_DESCRIPTIONS: Final = 5
MAX_ADDRESSES: Final = 20
MAX_PEOPLE: Final = 50
MAX_REGISTRATIONS: Final = 20
MAX_EMAILS: Final = 20
MAX_PHONES: Final = 20
MAX_EVIDENCE: Final = 5
"""Rows of evidence for one value."""
LONGEST_DESCRIPTION: Final = 1_000
SHORTEST_DESCRIPTION: Final = 20
"""Characters: less describes nothing."""

_ABOUT = re.compile(r"about|propos|qui-sommes|histoire|story|company|compagnie|entreprise|mission|profile?\b", re.IGNORECASE)
"""Addresses of pages whose description is the business's, beside the home page."""
_BUSINESS_NUMBER = re.compile(r"(\d{9})(?:R[A-Z]\d{4})?")


@dataclass(frozen=True, slots=True)
class _Statements:
    """All that one page states, structured data first."""

    page: ReadPage
    structured: tuple[Structured, ...]
    meta: MetaTags


@dataclass(frozen=True, slots=True)
class _Found:
    """All that a site states, each value with its statements."""

    names: list[Group[str]]
    descriptions: list[Group[str]]
    addresses: list[Group[Placed]]
    people: list[Group[WebsitePerson]]
    numbers: list[Group[RegistrationNumber]]
    emails: list[Group[str]]
    phones: list[Group[str]]


def extract(pages: Sequence[Page]) -> Extracted:
    """What the pages state, the home page first. Never raises; pages that state nothing give an empty result."""
    site = [_statements(read(page)) for page in pages[:MAX_PAGES]]
    known = list(_trade_names(site))
    brands = brands_of(known, (page.meta.title for page in site), pages[0].url if pages else "")
    name = surest_name(name for page in site for name in _names(page, brands))
    own = own_names(known, name, brands)
    return _extracted(
        _Found(
            names=[name] if name is not None else [],
            descriptions=grouped(_descriptions(site), plain, lambda _: 0)[:MAX_DESCRIPTIONS],
            addresses=same_addresses(_addresses(site, own))[:MAX_ADDRESSES],
            people=list(map(_with_all_roles, grouped(_people(site, own), _person_key, _by_structure)[:MAX_PEOPLE])),
            numbers=grouped(_numbers(site), _number_key, _number_quality)[:MAX_REGISTRATIONS],
            emails=grouped(_emails(site), str, _by_structure)[:MAX_EMAILS],
            phones=_without_faxes(grouped(_phones(site, own), str, _by_structure))[:MAX_PHONES],
        )
    )


def _extracted(found: _Found) -> Extracted:
    return Extracted(
        legal_name=found.names[0].best.value if found.names else None,
        descriptions=_values(found.descriptions),
        addresses=tuple(place.address for place in _values(found.addresses)),
        people=_values(found.people),
        registrations=_values(found.numbers),
        contact_info=ContactInfo(emails=_values(found.emails), phone_numbers=_values(found.phones)),
        evidence=(
            *_evidence("legalName", found.names, str),
            *_evidence("descriptions", found.descriptions, str),
            *_evidence("addresses", found.addresses, lambda place: in_one_line(place.address) or ""),
            *_evidence("people", found.people, lambda person: ", ".join((person.name, *person.roles))),
            *_evidence("registrations", found.numbers, lambda number: number.value),
            *_evidence("emails", found.emails, str),
            *_evidence("phoneNumbers", found.phones, str),
        ),
    )


def _statements(page: ReadPage) -> _Statements:
    if page.root is None:
        return _Statements(page, (), MetaTags((), ()))
    data = (
        structured(things_in_json_ld(page.root), page.url, FoundBy.JSON_LD),
        structured(things_in_microdata(page.root), page.url, FoundBy.MICRODATA),
    )
    return _Statements(page, data, meta_tags(page.root, page.url))


def _values(groups: Sequence[Group[T]]) -> tuple[T, ...]:
    return tuple(group.best.value for group in groups)


def _evidence(field: str, groups: Sequence[Group[T]], shown: Callable[[T], str]) -> Iterator[WebsiteEvidence]:
    for group in groups:
        value = shown(group.best.value)
        rows = dict.fromkeys(statement.evidence(field, value) for statement in group.statements)
        yield from islice(rows, MAX_EVIDENCE)


def _by_structure(statement: Stated[T]) -> int:
    """Structured data spell best."""
    return int(statement.found_by in {FoundBy.JSON_LD, FoundBy.MICRODATA})


# ------------------------------------------------------------------------------------------------------------ each kind


def _names(page: _Statements, brands: frozenset[str]) -> Iterator[Stated[str]]:
    for data in page.structured:
        yield from data.names()
    yield from names_in_text(page.page)
    yield from names_like_brands(page.page, brands)
    yield from owners_of_brands(page.page, brands)


def _trade_names(site: Sequence[_Statements]) -> Iterator[str]:
    for page in site:
        for data in page.structured:
            yield from data.trade_names()
        yield from page.meta.site_names


def _descriptions(site: Sequence[_Statements]) -> Iterator[Stated[str]]:
    for place, page in enumerate(site):
        for data in page.structured:
            yield from filter(_describes, data.descriptions())
        if place == 0 or _ABOUT.search(_path(page.page.url)) is not None:
            yield from filter(_describes, page.meta.descriptions)


def _describes(text: Stated[str]) -> bool:
    return SHORTEST_DESCRIPTION <= len(text.value) <= LONGEST_DESCRIPTION


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _addresses(site: Sequence[_Statements], own: OwnNames) -> Iterator[Stated[Placed]]:
    for page in site:
        for data in page.structured:
            yield from data.addresses()
        for stated in addresses_in_text(page.page):
            if stated.value.owner is None or own.may_be(stated.value.owner):
                yield stated


def _people(site: Sequence[_Statements], own: OwnNames) -> Iterator[Stated[WebsitePerson]]:
    for page in site:
        for data in page.structured:
            yield from data.people()
        yield from people_in_text(page.page, own)


def _person_key(person: WebsitePerson) -> tuple[str, ...]:
    return person_name(person.name).parts


def _with_all_roles(group: Group[WebsitePerson]) -> Group[WebsitePerson]:
    """Somebody with all roles that the pages state, each once."""
    roles: dict[str, str] = {}
    for statement in group.statements:
        for role in statement.value.roles:
            roles.setdefault(role_words(role), role)
    person = WebsitePerson(name=group.best.value.name, roles=tuple(roles.values()))
    return Group(replace(group.best, value=person), group.statements)


def _numbers(site: Sequence[_Statements]) -> Iterator[Stated[RegistrationNumber]]:
    for page in site:
        for data in page.structured:
            yield from data.numbers()
        yield from numbers_in_text(page.page)


def _number_key(number: RegistrationNumber) -> tuple[str, ...]:
    compact = compacted(number.value)
    root = _BUSINESS_NUMBER.fullmatch(compact)
    return (number.label, root[1]) if root is not None else (compact,)


def _number_quality(number: Stated[RegistrationNumber]) -> int:
    """The one that says most: with its account, under a label that says whose it is."""
    return len(compacted(number.value.value)) + (number.value.label not in GENERIC_LABELS)


def _emails(site: Sequence[_Statements]) -> Iterator[Stated[str]]:
    for page in site:
        for data in page.structured:
            yield from data.emails()
        yield from emails_of(page.page)


def _phones(site: Sequence[_Statements], own: OwnNames) -> Iterator[Stated[str]]:
    for page in site:
        for data in page.structured:
            yield from data.phones()
        yield from phones_of(page.page, own)


def _without_faxes(groups: Iterable[Group[str]]) -> list[Group[str]]:
    """The numbers that are called; the address of a link doesn't say that it is one when the text beside says that it is a fax."""
    kept = []
    for group in groups:
        spoken = [statement for statement in group.statements if statement.strength != FAX]
        is_fax = len(spoken) < len(group.statements) and all(statement.found_by is FoundBy.LINK for statement in spoken)
        if spoken and not is_fax:
            kept.append(Group(spoken[0], tuple(spoken)))
    return kept
