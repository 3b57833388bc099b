"""Extract facts about a business from the pages of its site: each distinct value once, with all its evidence.

Structured data takes precedence over text, and facts about third parties are excluded. Statements are not checked for truth.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from bonafide.matching.entries.evidence import format_one_line
from bonafide.matching.entries.register_codes import normalize_role
from bonafide.matching.identifiers.number_labels import compact_number
from bonafide.matching.people.person_name_parsing import parse_person_name
from bonafide.model.entity import RegistrationNumber
from bonafide.model.search.website import ContactInfo, Extracted, FoundBy, WebsiteEvidence, WebsitePerson
from bonafide.website.extraction.address_grouping import group_addresses
from bonafide.website.extraction.addresses import StatedAddress, find_addresses
from bonafide.website.extraction.contacts import FAX, find_emails, find_phones
from bonafide.website.extraction.legal_names import find_legal_names
from bonafide.website.extraction.meta_tags import MetaTags, read_meta_tags
from bonafide.website.extraction.owner_names import (
    OwnerNames,
    choose_legal_name,
    collect_brands,
    collect_owner_names,
    find_brand_owners,
    find_names_like_brands,
    normalize_text,
)
from bonafide.website.extraction.page_statement import PageStatement, StatementGroup, T, group_statements
from bonafide.website.extraction.people import find_people
from bonafide.website.extraction.registration_numbers import GENERIC_LABELS, find_registration_numbers
from bonafide.website.extraction.schema_org import StructuredBusiness, find_structured_business
from bonafide.website.page_content.markup import SitePage
from bonafide.website.page_content.structured_data import parse_json_ld, parse_microdata
from bonafide.website.page_content.visible_text import VisiblePage, read_visible_text

MAX_PAGES: Final = 20
MAX_DESCRIPTIONS: Final = 5
MAX_ADDRESSES: Final = 20
MAX_PEOPLE: Final = 50
MAX_REGISTRATIONS: Final = 20
MAX_EMAILS: Final = 20
MAX_PHONES: Final = 20
MAX_EVIDENCE: Final = 5
"""The maximum number of evidence rows per value."""
LONGEST_DESCRIPTION: Final = 1_000
SHORTEST_DESCRIPTION: Final = 20
"""The minimum length of a description."""

_ABOUT = re.compile(r"about|propos|qui-sommes|histoire|story|company|compagnie|entreprise|mission|profile?\b", re.IGNORECASE)
"""URLs of pages, besides the home page, whose description describes the business."""
_BUSINESS_NUMBER = re.compile(r"(\d{9})(?:R[A-Z]\d{4})?")


@dataclass(frozen=True, slots=True)
class _PageStatements:
    """All statements of one page, structured data first."""

    page: VisiblePage
    structured: tuple[StructuredBusiness, ...]
    meta: MetaTags


@dataclass(frozen=True, slots=True)
class _SiteStatements:
    """All statements of a site, grouped by value."""

    names: list[StatementGroup[str]]
    descriptions: list[StatementGroup[str]]
    addresses: list[StatementGroup[StatedAddress]]
    people: list[StatementGroup[WebsitePerson]]
    numbers: list[StatementGroup[RegistrationNumber]]
    emails: list[StatementGroup[str]]
    phones: list[StatementGroup[str]]


def extract_statements(pages: Sequence[SitePage]) -> Extracted:
    """Extract the statements of pages, given with the home page first. Never raises; the result may be empty."""
    site = [_read_statements(read_visible_text(page)) for page in pages[:MAX_PAGES]]
    known = list(_find_trade_names(site))
    brands = collect_brands(known, (page.meta.title for page in site), pages[0].url if pages else "")
    name = choose_legal_name(name for page in site for name in _find_names(page, brands))
    own = collect_owner_names(known, name, brands)
    return _build_extracted(
        _SiteStatements(
            names=[name] if name is not None else [],
            descriptions=group_statements(_find_descriptions(site), normalize_text, lambda _: 0)[:MAX_DESCRIPTIONS],
            addresses=group_addresses(_find_addresses(site, own))[:MAX_ADDRESSES],
            people=list(
                map(_merge_roles, group_statements(_find_people(site, own), _build_person_key, _rank_by_structure)[:MAX_PEOPLE])
            ),
            numbers=group_statements(_find_numbers(site), _build_number_key, _rate_number)[:MAX_REGISTRATIONS],
            emails=group_statements(_find_emails(site), str, _rank_by_structure)[:MAX_EMAILS],
            phones=_remove_faxes(group_statements(_find_phones(site, own), str, _rank_by_structure))[:MAX_PHONES],
        )
    )


def _build_extracted(found: _SiteStatements) -> Extracted:
    return Extracted(
        legal_name=found.names[0].best.value if found.names else None,
        descriptions=_list_values(found.descriptions),
        addresses=tuple(place.address for place in _list_values(found.addresses)),
        people=_list_values(found.people),
        registrations=_list_values(found.numbers),
        contact_info=ContactInfo(emails=_list_values(found.emails), phone_numbers=_list_values(found.phones)),
        evidence=(
            *_build_evidence("legalName", found.names, str),
            *_build_evidence("descriptions", found.descriptions, str),
            *_build_evidence("addresses", found.addresses, lambda place: format_one_line(place.address) or ""),
            *_build_evidence("people", found.people, lambda person: ", ".join((person.name, *person.roles))),
            *_build_evidence("registrations", found.numbers, lambda number: number.value),
            *_build_evidence("emails", found.emails, str),
            *_build_evidence("phoneNumbers", found.phones, str),
        ),
    )


def _read_statements(page: VisiblePage) -> _PageStatements:
    if page.root is None:
        return _PageStatements(page, (), MetaTags((), ()))
    data = (
        find_structured_business(parse_json_ld(page.root), page.url, FoundBy.JSON_LD),
        find_structured_business(parse_microdata(page.root), page.url, FoundBy.MICRODATA),
    )
    return _PageStatements(page, data, read_meta_tags(page.root, page.url))


def _list_values(groups: Sequence[StatementGroup[T]]) -> tuple[T, ...]:
    return tuple(group.best.value for group in groups)


def _build_evidence(field: str, groups: Sequence[StatementGroup[T]], shown: Callable[[T], str]) -> Iterator[WebsiteEvidence]:
    for group in groups:
        value = shown(group.best.value)
        rows = dict.fromkeys(statement.evidence(field, value) for statement in group.statements)
        yield from islice(rows, MAX_EVIDENCE)


def _rank_by_structure(statement: PageStatement[T]) -> int:
    """Rank structured data first, because its spelling is the most reliable."""
    return int(statement.found_by in {FoundBy.JSON_LD, FoundBy.MICRODATA})


# ------------------------------------------------------------------------------------------------------------ each kind


def _find_names(page: _PageStatements, brands: frozenset[str]) -> Iterator[PageStatement[str]]:
    for data in page.structured:
        yield from data.names()
    yield from find_legal_names(page.page)
    yield from find_names_like_brands(page.page, brands)
    yield from find_brand_owners(page.page, brands)


def _find_trade_names(site: Sequence[_PageStatements]) -> Iterator[str]:
    for page in site:
        for data in page.structured:
            yield from data.trade_names()
        yield from page.meta.site_names


def _find_descriptions(site: Sequence[_PageStatements]) -> Iterator[PageStatement[str]]:
    for place, page in enumerate(site):
        for data in page.structured:
            yield from filter(_is_description, data.descriptions())
        if place == 0 or _ABOUT.search(_get_path(page.page.url)) is not None:
            yield from filter(_is_description, page.meta.descriptions)


def _is_description(text: PageStatement[str]) -> bool:
    return SHORTEST_DESCRIPTION <= len(text.value) <= LONGEST_DESCRIPTION


def _get_path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _find_addresses(site: Sequence[_PageStatements], own: OwnerNames) -> Iterator[PageStatement[StatedAddress]]:
    for page in site:
        for data in page.structured:
            yield from data.addresses()
        for stated in find_addresses(page.page):
            if stated.value.owner is None or own.may_match_owner(stated.value.owner):
                yield stated


def _find_people(site: Sequence[_PageStatements], own: OwnerNames) -> Iterator[PageStatement[WebsitePerson]]:
    for page in site:
        for data in page.structured:
            yield from data.people()
        yield from find_people(page.page, own)


def _build_person_key(person: WebsitePerson) -> tuple[str, ...]:
    return parse_person_name(person.name).parts


def _merge_roles(group: StatementGroup[WebsitePerson]) -> StatementGroup[WebsitePerson]:
    """Merge the statements of one person into one with all distinct roles."""
    roles: dict[str, str] = {}
    for statement in group.statements:
        for role in statement.value.roles:
            roles.setdefault(normalize_role(role), role)
    person = WebsitePerson(name=group.best.value.name, roles=tuple(roles.values()))
    return StatementGroup(replace(group.best, value=person), group.statements)


def _find_numbers(site: Sequence[_PageStatements]) -> Iterator[PageStatement[RegistrationNumber]]:
    for page in site:
        for data in page.structured:
            yield from data.numbers()
        yield from find_registration_numbers(page.page)


def _build_number_key(number: RegistrationNumber) -> tuple[str, ...]:
    compact = compact_number(number.value)
    root = _BUSINESS_NUMBER.fullmatch(compact)
    return (number.label, root[1]) if root is not None else (compact,)


def _rate_number(number: PageStatement[RegistrationNumber]) -> int:
    """Rate a number by completeness: a program account, and a label that names its type."""
    return len(compact_number(number.value.value)) + (number.value.label not in GENERIC_LABELS)


def _find_emails(site: Sequence[_PageStatements]) -> Iterator[PageStatement[str]]:
    for page in site:
        for data in page.structured:
            yield from data.emails()
        yield from find_emails(page.page)


def _find_phones(site: Sequence[_PageStatements], own: OwnerNames) -> Iterator[PageStatement[str]]:
    for page in site:
        for data in page.structured:
            yield from data.phones()
        yield from find_phones(page.page, own)


def _remove_faxes(groups: Iterable[StatementGroup[str]]) -> list[StatementGroup[str]]:
    """Remove fax numbers. A `tel:` link does not make a number a phone number if the text labels it as a fax."""
    kept = []
    for group in groups:
        spoken = [statement for statement in group.statements if statement.strength != FAX]
        is_fax = len(spoken) < len(group.statements) and all(statement.found_by is FoundBy.LINK for statement in spoken)
        if spoken and not is_fax:
            kept.append(StatementGroup(spoken[0], tuple(spoken)))
    return kept
