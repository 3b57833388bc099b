"""Read the site's own business from structured data: names, addresses, people, numbers and contacts of a schema.org Organization.

Other items on a page (reviews, products, publishers of articles, businesses with another site) are ignored.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from bonafide.matching.addresses.line_parsing import parse_address_line
from bonafide.matching.addresses.postal_codes import format_postal_code
from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.search.website import FoundBy, WebsitePerson
from bonafide.website.extraction.addresses import StatedAddress, to_address, to_province_code
from bonafide.website.extraction.contacts import FAX, PHONE, parse_email, to_e164
from bonafide.website.extraction.legal_names import NameStrength, rate_name
from bonafide.website.extraction.name_boundaries import is_business_name
from bonafide.website.extraction.page_statement import PageStatement, T, cut_snippet
from bonafide.website.extraction.person_recognition import parse_page_person_name
from bonafide.website.extraction.registration_numbers import parse_registration_number
from bonafide.website.page_content.structured_data import Thing, get_local_name
from bonafide.website.tables import PAGE_TERMS

MAX_BUSINESSES: Final = 50
"""The maximum number of businesses per page, including branches."""
MAX_PEOPLE: Final = 200

_ORGANIZATIONS = frozenset[str](PAGE_TERMS["organizations"].split())
_PAGES = frozenset({"WebSite", "WebPage", "AboutPage", "ContactPage", "ProfilePage", "FAQPage", "CollectionPage", "HomePage"})
_OF_PAGE = ("about", "mainEntity", "publisher", "copyrightHolder")
"""Properties of a page or site that refer to its owner."""
_BRANCHES = ("department", "location", "subOrganization", "branch")
_ROLES_BY_PROPERTY = {
    "founder": "Founder", "founders": "Founder", "employee": "", "employees": "", "member": "", "members": "", "owner": "Owner",
}  # fmt: skip
"""Properties that contain people, with the role that the property implies."""
_LABELS = {
    "taxID": ("Business Number", "GST", "QST"),
    "vatID": ("GST", "QST", "Business Number"),
    "leiCode": ("LEI",),
}
"""Labels to try for the number in each of these properties."""


@dataclass(frozen=True, slots=True)
class OwnBusiness:
    """The business that the page is about, or a branch of it, which has a location but no name of its own."""

    thing: Thing
    is_branch: bool


@dataclass(frozen=True, slots=True)
class StructuredBusiness:
    """The statements of a page's structured data about its business."""

    page: str
    found_by: FoundBy
    own: tuple[OwnBusiness, ...]
    alone: tuple[Thing, ...]
    """People at the top level who do not belong to a business."""

    def names(self) -> Iterator[PageStatement[str]]:
        """The legal name, and the name if it has a legal form."""
        for thing in self._main():
            for text in thing.texts("legalName"):
                yield self._stated(text, f"legalName: {text}", NameStrength.LEGAL_NAME)
            for text in thing.texts("name"):
                if is_business_name(text):
                    yield self._stated(text, f"name: {text}", rate_name(text, NameStrength.NAME))

    def trade_names(self) -> Iterator[str]:
        """All names that the business uses."""
        for thing in self._main():
            yield from thing.texts("name", "alternateName", "legalName")

    def descriptions(self) -> Iterator[PageStatement[str]]:
        """Descriptions of the business."""
        for thing in self._main():
            for text in thing.texts("description"):
                yield self._stated(text, f"description: {text}")

    def addresses(self) -> Iterator[PageStatement[StatedAddress]]:
        """The addresses of the business."""
        for thing in self._places():
            for value in thing.properties.get("address", ())[:MAX_BUSINESSES]:
                address = _to_address(value) if isinstance(value, Thing) else to_address(parse_address_line(value), value)
                if address.street is not None or address.postal_code is not None:
                    yield self._stated(StatedAddress(address), f"address: {address.raw}")

    def numbers(self) -> Iterator[PageStatement[RegistrationNumber]]:
        """The registration numbers of the business."""
        for thing in self._main():
            for number, said in _list_numbers(thing):
                yield self._stated(number, said)

    def emails(self) -> Iterator[PageStatement[str]]:
        """The e-mail addresses of the business."""
        for thing in self._reachable():
            for text in thing.texts("email"):
                email = parse_email(text.removeprefix("mailto:"))
                if email is not None:
                    yield self._stated(email, f"email: {text}")

    def phones(self) -> Iterator[PageStatement[str]]:
        """The phone numbers in E.164 format; fax numbers have the strength `FAX`."""
        for thing in self._reachable():
            for name, strength in (("telephone", PHONE), ("phone", PHONE), ("faxNumber", FAX)):
                for text in thing.texts(name):
                    number = to_e164(text.removeprefix("tel:"))
                    if number is not None:
                        yield self._stated(number, f"{name}: {text}", strength)

    def people(self) -> Iterator[PageStatement[WebsitePerson]]:
        """The people of the business with their roles; other people only if they have a job title."""
        count = 0
        for person, role in self._people():
            name, roles = person.text("name") or _get_full_name(person), tuple(dict.fromkeys(person.texts("jobTitle")))
            roles = roles or ((role,) if role else ())
            name = parse_page_person_name(name) or name
            if name and roles and count < MAX_PEOPLE:
                count += 1
                yield self._stated(WebsitePerson(name=name, roles=roles), f"{name}: {', '.join(roles)}")

    def _main(self) -> Iterator[Thing]:
        return (own.thing for own in self.own if not own.is_branch)

    def _places(self) -> Iterator[Thing]:
        return (own.thing for own in self.own)

    def _reachable(self) -> Iterator[Thing]:
        for own in self.own:
            yield own.thing
            yield from own.thing.things("contactPoint", "contactPoints", "ContactPoint", "address")

    def _people(self) -> Iterator[tuple[Thing, str]]:
        for thing in self._main():
            for name, role in _ROLES_BY_PROPERTY.items():
                for person in thing.things(name):
                    yield from (
                        ((person, role),) if "Person" in person.types or not person.types else _list_role_members(person, role)
                    )
        for person in self.alone:
            yield person, ""

    def _stated(self, value: T, said: str, strength: int = 0) -> PageStatement[T]:
        return PageStatement(value, self.page, self.found_by, cut_snippet(said), strength)


def find_structured_business(things: Iterable[Thing], page: str, found_by: FoundBy) -> StructuredBusiness:
    """Find the statements about the page's own business."""
    listed = list(things)
    own = list(_find_own_businesses(listed, page))[:MAX_BUSINESSES]
    alone = [thing for thing in listed if "Person" in thing.types and _is_on_page_site(thing, page)]
    alone += [
        person for thing in listed if thing.types & _PAGES for person in thing.things("mainEntity") if "Person" in person.types
    ]
    return StructuredBusiness(page, found_by, tuple(own), tuple(alone))


def _find_own_businesses(things: Iterable[Thing], page: str) -> Iterator[OwnBusiness]:
    for thing in things:
        if thing.types & _ORGANIZATIONS and _is_on_page_site(thing, page):
            yield from _list_with_branches(thing)
        elif thing.types & _PAGES:
            for inner in thing.things(*_OF_PAGE):
                if inner.types & _ORGANIZATIONS and _is_on_page_site(inner, page):
                    yield from _list_with_branches(inner)


def _list_with_branches(thing: Thing) -> Iterator[OwnBusiness]:
    yield OwnBusiness(thing, is_branch=False)
    for branch in thing.things(*_BRANCHES):
        yield OwnBusiness(branch, is_branch=True)


def _is_on_page_site(thing: Thing, page: str) -> bool:
    """Whether a thing has no URL on another site."""
    addresses = [text for text in thing.texts("url", "mainEntityOfPage") if "://" in text]
    here = _get_host(page)
    return not addresses or any(_get_host(text) == here or here.endswith(f".{_get_host(text)}") for text in addresses)


def _get_host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _to_address(thing: Thing) -> Address:
    """Convert a PostalAddress. If everything is in `streetAddress`, it is parsed as one line."""
    box = thing.text("postOfficeBoxNumber")
    street = [*thing.texts("streetAddress"), *([f"PO Box {box.removeprefix('PO Box ')}"] if box is not None else [])]
    city, region, code = (thing.text(name) for name in ("addressLocality", "addressRegion", "postalCode"))
    code, country = format_postal_code(code) if code is not None else None, thing.text("addressCountry")
    line = ", ".join(street) or None
    raw = ", ".join(part for part in (line, city, " ".join(filter(None, (to_province_code(region), code))), country) if part)
    if line is not None and city is None and code is None:
        return to_address(parse_address_line(line), raw, country)
    return Address(
        street=line,
        city=city,
        province=to_province_code(region),
        postal_code=code,
        country=country,
        raw=raw or None,
    )


def _list_numbers(thing: Thing) -> Iterator[tuple[RegistrationNumber, str]]:
    for name, labels in _LABELS.items():
        for text in thing.texts(name):
            number = next((found for label in labels if (found := parse_registration_number(label, text)) is not None), None)
            if number is not None:
                yield number, f"{name}: {text}"
    for item in thing.things("identifier", "identifiers", "hasCredential", "additionalProperty"):
        value, label = item.text("value", "identifier"), " ".join(item.texts("propertyID", "name", "credentialCategory"))
        for said in (item.text("propertyID"), item.text("name"), label):
            number = parse_registration_number(get_local_name(said), value) if value is not None and said else None
            if number is not None:
                yield number, f"{label}: {value}"
                break


def _list_role_members(role: Thing, stated: str) -> Iterator[tuple[Thing, str]]:
    """The person inside a schema.org Role ("member" with a `roleName`)."""
    for person in role.things("member", "employee", "founder"):
        if "Person" in person.types:
            yield person, role.text("roleName") or stated


def _get_full_name(person: Thing) -> str:
    return " ".join(filter(None, (person.text("givenName"), person.text("familyName"))))
