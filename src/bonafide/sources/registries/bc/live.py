"""Query British Columbia's register through OrgBook BC by name, registration number or business number.

The topic search returns ten complete businesses a page, so one request is one page of entries; the autocompletion would need
another request for each. A report takes two requests: the business and its credentials. The register is never enumerated.
"""

import re
from collections.abc import Sequence

from bonafide.errors import InvalidInput
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_formats import NUMBER_FORMATS
from bonafide.matching.identifiers.number_labels import NumberType, compact_number, parse_labelled_number
from bonafide.model.entry import RegistryEntry
from bonafide.sources.framework.live import LiveContext, LiveQuery, RegistrationQuery
from bonafide.sources.registries.bc.entries import BUSINESS_NUMBER, build_entry, build_report_entry
from bonafide.sources.registries.bc.orgbook import OrgBookPage, OrgBookTopic, read_credentials, read_page

NAME_PAGES = 2
"""Maximum number of pages for a name. With the number, a query takes at most three requests."""
BN_DIGITS = 9
_NUMBER = re.compile(r"([A-Z]*)(\d+)")
_DIGITS = 7


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The businesses with the number, then those that OrgBook finds by name, active or not, the best first.

    Numbers that this register can't have assigned are ignored. Raises a `SourceError`.
    """
    topics = await _find_by_number(query.number, context) if query.number is not None else []
    if query.name is not None:
        topics += await _find_by_name(query.name, context)
    entries = (build_entry(topic, context) for topic in topics)
    return list({entry.entry_id: entry for entry in entries if entry is not None}.values())


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """A business with its former names and statuses; None if OrgBook has no such number. Raises a `SourceError`."""
    number = normalize_own_number(registration.number)
    if number is None:
        form = NUMBER_FORMATS[NumberType.BC_REGISTRATION]
        sentence = Message(
            "'{number}' is not a valid number of the type {type} ({form})",
            number=registration.number,
            type=form.title,
            form=form.form,
        )
        raise InvalidInput(sentence)
    topic = next(iter(await _find_registered(number, context)), None)
    if topic is None:
        return None
    credentials = read_credentials(await context.get(f"topic/{topic.id}/credential-set"))
    return build_report_entry(topic, credentials, context)


def normalize_own_number(text: str) -> str | None:
    """A number as the register writes it: the letters of its series, `BC` by default, and seven digits."""
    number = parse_labelled_number(compact_number(text)).number
    found = _NUMBER.fullmatch(number)
    if found is None or not NUMBER_FORMATS[NumberType.BC_REGISTRATION].fits(number):
        return None
    letters, digits = found.groups()
    return f"{letters or 'BC'}{digits:0>{_DIGITS}}"


def business_number(text: str) -> str | None:
    """The nine digits of a business number, without a program account; None for a text of another form."""
    number = parse_labelled_number(compact_number(text)).number
    return number[:BN_DIGITS] if NUMBER_FORMATS[NumberType.BUSINESS_NUMBER].fits(number) else None


async def _find_by_number(text: str, context: LiveContext) -> list[OrgBookTopic]:
    """Every business with the number. A company and the firms that it owns can share a business number."""
    root, number = business_number(text), normalize_own_number(text)
    if root is not None:
        page = await _search(root, 1, context)
        return [topic for topic in page.businesses() if root in topic.named(BUSINESS_NUMBER)]
    return await _find_registered(number, context) if number is not None else []


async def _find_registered(number: str, context: LiveContext) -> list[OrgBookTopic]:
    """The business with exactly this number; the search also returns numbers that begin with it."""
    page = await _search(number, 1, context)
    return [topic for topic in page.businesses() if normalize_own_number(topic.source_id) == number]


async def _find_by_name(name: str, context: LiveContext) -> list[OrgBookTopic]:
    topics: list[OrgBookTopic] = []
    for number in range(1, NAME_PAGES + 1):
        page = await _search(name, number, context)
        topics += page.businesses()
        if page.next is None:
            break
    return topics


async def _search(text: str, page: int, context: LiveContext) -> OrgBookPage:
    """One page of the current topics for a name or number, historical businesses included."""
    params = (("q", text), ("inactive", "any"), ("latest", "true"), ("revoked", "false"), ("page", str(page)))
    return read_page(await context.get("search/topic", params))
