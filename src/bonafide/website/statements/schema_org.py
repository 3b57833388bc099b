"""The site's own business in its structured data: names, addresses, people, numbers and contacts of schema.org's Organization.

Other things on a page (reviews, products, publishers of articles, businesses with another site) say nothing of the site's owner.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from bonafide.matching.address_lines import parse_line
from bonafide.matching.postal_codes import spaced
from bonafide.model.entity import Address, RegistrationNumber
from bonafide.model.website import FoundBy, WebsitePerson
from bonafide.website.statements.contacts import FAX, PHONE, e164, email_of
from bonafide.website.statements.legal_names import Strength, strength_of
from bonafide.website.statements.name_runs import is_name
from bonafide.website.statements.persons import person_name
from bonafide.website.statements.places import Placed, address_of, province_of
from bonafide.website.statements.registrations import read_number
from bonafide.website.statements.stated import Stated, T, snippet_of
from bonafide.website.statements.things import Thing, local_name
from bonafide.website.statements.wording import WORDING

MAX_BUSINESSES: Final = 50
"""Businesses of one page, its branches among them."""
MAX_PEOPLE: Final = 200

_ORGANIZATIONS = frozenset[str](WORDING["organizations"].split())
_PAGES = frozenset({"WebSite", "WebPage", "AboutPage", "ContactPage", "ProfilePage", "FAQPage", "CollectionPage", "HomePage"})
_OF_PAGE = ("about", "mainEntity", "publisher", "copyrightHolder")
"""Properties of a page or a site that hold whose it is."""
_BRANCHES = ("department", "location", "subOrganization", "branch")
_ROLES_BY_PROPERTY = {
    "founder": "Founder", "founders": "Founder", "employee": "", "employees": "", "member": "", "members": "", "owner": "Owner",
}  # fmt: skip
"""Properties that hold people, with the role that the property itself states."""
_LABELS = {
    "taxID": ("Business Number", "GST", "QST"),
    "vatID": ("GST", "QST", "Business Number"),
    "leiCode": ("LEI",),
}
"""What a number can be that stands in such a property."""


@dataclass(frozen=True, slots=True)
class Own:
    """A business that the page is about, or a branch of it, which has a place and no name of its own."""

    thing: Thing
    is_branch: bool


@dataclass(frozen=True, slots=True)
class Structured:
    """What a page's structured data state of its business."""

    page: str
    found_by: FoundBy
    own: tuple[Own, ...]
    alone: tuple[Thing, ...]
    """People at the top who are no business's."""

    def names(self) -> Iterator[Stated[str]]:
        """Its legal name, and its name where that bears a legal form."""
        for thing in self._main():
            for text in thing.texts("legalName"):
                yield self._stated(text, f"legalName: {text}", Strength.LEGAL_NAME)
            for text in thing.texts("name"):
                if is_name(text):
                    yield self._stated(text, f"name: {text}", strength_of(text, Strength.NAME))

    def trade_names(self) -> Iterator[str]:
        """All names that it goes by."""
        for thing in self._main():
            yield from thing.texts("name", "alternateName", "legalName")

    def descriptions(self) -> Iterator[Stated[str]]:
        """What it says that it does."""
        for thing in self._main():
            for text in thing.texts("description"):
                yield self._stated(text, f"description: {text}")

    def addresses(self) -> Iterator[Stated[Placed]]:
        """Where it is."""
        for thing in self._places():
            for value in thing.properties.get("address", ())[:MAX_BUSINESSES]:
                address = _address(value) if isinstance(value, Thing) else address_of(parse_line(value), value)
                if address.street is not None or address.postal_code is not None:
                    yield self._stated(Placed(address), f"address: {address.raw}")

    def numbers(self) -> Iterator[Stated[RegistrationNumber]]:
        """Its registrations."""
        for thing in self._main():
            for number, said in _numbers(thing):
                yield self._stated(number, said)

    def emails(self) -> Iterator[Stated[str]]:
        """Its e-mail addresses."""
        for thing in self._reachable():
            for text in thing.texts("email"):
                email = email_of(text.removeprefix("mailto:"))
                if email is not None:
                    yield self._stated(email, f"email: {text}")

    def phones(self) -> Iterator[Stated[str]]:
        """Its phone numbers in the form of E.164, and its faxes with the strength `FAX`."""
        for thing in self._reachable():
            for name, strength in (("telephone", PHONE), ("phone", PHONE), ("faxNumber", FAX)):
                for text in thing.texts(name):
                    number = e164(text.removeprefix("tel:"))
                    if number is not None:
                        yield self._stated(number, f"{name}: {text}", strength)

    def people(self) -> Iterator[Stated[WebsitePerson]]:
        """Its people with their roles; others only where they have a job title."""
        count = 0
        for person, role in self._people():
            name, roles = person.text("name") or _full_name(person), tuple(dict.fromkeys(person.texts("jobTitle")))
            roles = roles or ((role,) if role else ())
            name = person_name(name) or name
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
                    yield from ((person, role),) if "Person" in person.types or not person.types else _member(person, role)
        for person in self.alone:
            yield person, ""

    def _stated(self, value: T, said: str, strength: int = 0) -> Stated[T]:
        return Stated(value, self.page, self.found_by, snippet_of(said), strength)


def structured(things: Iterable[Thing], page: str, found_by: FoundBy) -> Structured:
    """What the things of a page state of its own business."""
    listed = list(things)
    own = list(_own(listed, page))[:MAX_BUSINESSES]
    alone = [thing for thing in listed if "Person" in thing.types and _is_here(thing, page)]
    alone += [
        person for thing in listed if thing.types & _PAGES for person in thing.things("mainEntity") if "Person" in person.types
    ]
    return Structured(page, found_by, tuple(own), tuple(alone))


def _own(things: Iterable[Thing], page: str) -> Iterator[Own]:
    for thing in things:
        if thing.types & _ORGANIZATIONS and _is_here(thing, page):
            yield from _with_branches(thing)
        elif thing.types & _PAGES:
            for inner in thing.things(*_OF_PAGE):
                if inner.types & _ORGANIZATIONS and _is_here(inner, page):
                    yield from _with_branches(inner)


def _with_branches(thing: Thing) -> Iterator[Own]:
    yield Own(thing, is_branch=False)
    for branch in thing.things(*_BRANCHES):
        yield Own(branch, is_branch=True)


def _is_here(thing: Thing, page: str) -> bool:
    """Whether a thing has no other site than the page's."""
    addresses = [text for text in thing.texts("url", "mainEntityOfPage") if "://" in text]
    here = _host(page)
    return not addresses or any(_host(text) == here or here.endswith(f".{_host(text)}") for text in addresses)


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _address(thing: Thing) -> Address:
    """A PostalAddress in our parts. One that has all in `streetAddress` is read as a line."""
    box = thing.text("postOfficeBoxNumber")
    street = [*thing.texts("streetAddress"), *([f"PO Box {box.removeprefix('PO Box ')}"] if box is not None else [])]
    city, region, code = (thing.text(name) for name in ("addressLocality", "addressRegion", "postalCode"))
    code, country = spaced(code) if code is not None else None, thing.text("addressCountry")
    line = ", ".join(street) or None
    raw = ", ".join(part for part in (line, city, " ".join(filter(None, (province_of(region), code))), country) if part)
    if line is not None and city is None and code is None:
        return address_of(parse_line(line), raw, country)
    return Address(
        street=line,
        city=city,
        province=province_of(region),
        postal_code=code,
        country=country,
        raw=raw or None,
    )


def _numbers(thing: Thing) -> Iterator[tuple[RegistrationNumber, str]]:
    for name, labels in _LABELS.items():
        for text in thing.texts(name):
            number = next((found for label in labels if (found := read_number(label, text)) is not None), None)
            if number is not None:
                yield number, f"{name}: {text}"
    for item in thing.things("identifier", "identifiers", "hasCredential", "additionalProperty"):
        value, label = item.text("value", "identifier"), " ".join(item.texts("propertyID", "name", "credentialCategory"))
        for said in (item.text("propertyID"), item.text("name"), label):
            number = read_number(local_name(said), value) if value is not None and said else None
            if number is not None:
                yield number, f"{label}: {value}"
                break


def _member(role: Thing, stated: str) -> Iterator[tuple[Thing, str]]:
    """The person inside a schema.org Role ("member" with a `roleName`)."""
    for person in role.things("member", "employee", "founder"):
        if "Person" in person.types:
            yield person, role.text("roleName") or stated


def _full_name(person: Thing) -> str:
    return " ".join(filter(None, (person.text("givenName"), person.text("familyName"))))
