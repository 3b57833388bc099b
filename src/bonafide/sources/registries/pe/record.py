"""Build entries from rows of a search in Prince Edward Island's registry, and from the records with labels and values.

Values of a record for which an entry has no field, such as the nature of the business or the expiry date, are notes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_values
from bonafide.matching.entries.register_codes import parse_entity_type_code
from bonafide.model.entity import (
    Address,
    EntityTypeCode,
    NameHistoryItem,
    Person,
    RegistrationNumber,
    RoleDetail,
    StatusCode,
)
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import build_postal_address, normalize_whitespace, parse_date
from bonafide.sources.framework.context import get_reason
from bonafide.sources.framework.live import LiveContext
from bonafide.sources.registries.pe.gateway import CELL, HEADER, LINK, ROW, VIEW, PageElement
from bonafide.sources.registries.pe.search import PeiNumbers, PeiSearchHit, parse_numbers

BN_LABEL = "Business Number (BN)"
NAME, SECONDARY_NAME, FORMER_NAMES = "Entity Name", "Entity Secondary Name", "Former Name(s)"
KIND, STATUS, REGISTERED = "Business Type", "Status", "Registration Date"
BUSINESS_NUMBER, NUMBER, ADDRESS, OWNER = "Business Number", "Registration Number", "Address", "Owner"
NEEDED = (NAME, KIND, STATUS, REGISTERED, BUSINESS_NUMBER, NUMBER)
"""Labels that every record has, possibly without a value."""
_NOTE_LABELS = {
    "Nature of Business": Message("Nature of business"),
    "Former Owner": Message("Former owner"),
    "Renewal Date": Message("Renewal date"),
    "Expiry Date": Message("Expiry date"),
    "End Date": Message("End date"),
    "Gazette Date": Message("Gazette date"),
}
NOTED = tuple(_NOTE_LABELS)
"""Labels whose values are notes."""
KNOWN = frozenset({*NEEDED, *NOTED, SECONDARY_NAME, FORMER_NAMES, ADDRESS, OWNER})
LONG_DATE = "%B %d, %Y"
UNPAID = "inactive_non_payment"
FILING_YEARLY = frozenset({EntityTypeCode.CORPORATION, EntityTypeCode.NONPROFIT, EntityTypeCode.COOPERATIVE})
"""Entity types with annual filings. An active firm is not necessarily in good standing."""
NOT_IN_GOOD_STANDING = frozenset(
    {
        StatusCode.PENDING_DISSOLUTION,
        StatusCode.DISSOLVED,
        StatusCode.CANCELLED,
        StatusCode.AMALGAMATED,
    }
)
_PLACE = re.compile(r"(?P<city>.+?)?,? *\b(?P<province>[A-Z]{2}),? +(?P<postal_code>[A-Z]\d[A-Z] ?\d[A-Z]\d)", re.IGNORECASE)
LabelledLines = Mapping[str, Sequence[str]]
"""The lines of a record's values, by label."""


def build_hit_entry(hit: PeiSearchHit, context: LiveContext) -> RegistryEntry:
    """The entry of a row of a search."""
    numbers = parse_numbers(hit.number)
    code, good_standing = _derive_status(hit.status, hit.kind, context)
    return RegistryEntry(
        entry_id=_build_entry_id(numbers, hit),
        source_url=_build_page_url(hit, context),
        jurisdiction=Jurisdiction.PE,
        legal_name=hit.name,
        registration_numbers=tuple(_build_registration_numbers(numbers, hit.number, context)),
        entity_type=hit.kind,
        status=hit.status,
        status_code=code,
        good_standing=good_standing,
    )


def build_record_entry(page: PageElement, hit: PeiSearchHit, context: LiveContext) -> RegistryEntry:
    """The entry of the record of a row. Raises `ParseFailed` for another structure or another business."""
    record = _read_labelled_lines(page, context)
    for label in NOTED:
        if record.get(label):
            context.words.note(Message("{label}: {values}", label=_NOTE_LABELS[label], values=join_values(record[label], "; ")))
    address = _build_address(record.get(ADDRESS, ()))
    return build_hit_entry(_read_hit(record, hit), context).model_copy(
        update={
            "alternate_names": tuple(record.get(SECONDARY_NAME, ())),
            "name_history": tuple(NameHistoryItem(type="former", name=name) for name in record.get(FORMER_NAMES, ())),
            "incorporation_date": _read_day(record, REGISTERED),
            "addresses": (address,) if address is not None else (),
            "people": tuple(_build_owner(name, context) for name in dict.fromkeys(record.get(OWNER, ()))),
        }
    )


def _read_hit(record: LabelledLines, hit: PeiSearchHit) -> PeiSearchHit:
    """The values of the record for the fields of the row. Raises `ParseFailed` for another business."""
    name, own = _read_one_line(record, NAME), _read_one_line(record, NUMBER)
    if name is None:
        raise ParseFailed(Message("the record of {name} has no {field}", name=hit.name, field=NAME))
    pair = _read_one_line(record, BUSINESS_NUMBER) or own
    shown, stated = parse_numbers(hit.number), parse_numbers(own) or parse_numbers(pair)
    if shown is not None and stated is not None and not stated.is_same_registration(shown):
        raise ParseFailed(Message("the record for {number} is that of {found}", number=str(hit.number), found=str(own)))
    return PeiSearchHit(hit.id, name, pair, _read_one_line(record, KIND), _read_one_line(record, STATUS))


def _read_labelled_lines(page: PageElement, context: LiveContext) -> LabelledLines:
    """The lines under each label. Raises `ParseFailed` with the labels that are missing."""
    record: dict[str, list[str]] = {}
    for row in page.below(ROW):
        headers = [normalize_whitespace(header.text) for header in row.own(HEADER)]
        label = headers[0] if headers else None
        if label is not None:
            record.setdefault(label, []).extend(line for cell in row.own(CELL) for line in _split_lines(cell))
    missing = [label for label in NEEDED if label not in record]
    if missing:
        raise ParseFailed(Message("{document}: missing fields: {fields}", document=VIEW, fields=join_values(missing)))
    for label in record.keys() - KNOWN:
        context.words.term(label)
    return record


def _split_lines(cell: PageElement) -> Iterator[str]:
    """The lines of a value, or of the link in it."""
    texts = [cell.text] if cell.text is not None else [link.text for link in cell.below(LINK)]
    for text in texts:
        for line in (text or "").splitlines():
            words = normalize_whitespace(line)
            if words is not None:
                yield words


def _read_one_line(record: LabelledLines, label: str) -> str | None:
    return normalize_whitespace(" ".join(record[label]))


def _build_registration_numbers(numbers: PeiNumbers | None, text: str | None, context: LiveContext) -> Iterator[RegistrationNumber]:
    """The register's number and the business number; a text of another form is kept."""
    label = str(context.metadata.number_label or NUMBER)
    own = numbers.register if numbers is not None else text
    if own is not None:
        yield RegistrationNumber(label=label, value=own)
    if numbers is not None and numbers.business is not None:
        yield RegistrationNumber(label=BN_LABEL, value=numbers.business)


def _build_entry_id(numbers: PeiNumbers | None, hit: PeiSearchHit) -> str:
    """The register's number, or the gateway's ID for a reserved name without a number."""
    return numbers.register if numbers is not None and numbers.register is not None else f"id{hit.id}"


def _build_page_url(hit: PeiSearchHit, context: LiveContext) -> str:
    """The page of the record, whose address has the gateway's ID."""
    return f"{context.metadata.page}#/service/BusinessAPI/{VIEW};e={VIEW};id={hit.id}"


def _derive_status(status: str | None, kind: str | None, context: LiveContext) -> tuple[StatusCode, bool | None]:
    """The common code of a status, and whether the business is in good standing; None if unknown."""
    word = re.sub(r"[^a-z0-9]+", "_", status.casefold()).strip("_") if status is not None else None
    code = context.words.status(word)
    if word == UNPAID or code in NOT_IN_GOOD_STANDING:
        return code, False
    return code, True if code is StatusCode.ACTIVE and parse_entity_type_code(kind) in FILING_YEARLY else None


def _read_day(record: LabelledLines, label: str) -> date | None:
    try:
        return parse_date(_read_one_line(record, label), LONG_DATE)
    except ValueError as error:
        raise ParseFailed(Message("{field}: {problem}", field=label, problem=get_reason(error))) from error


def _build_owner(name: str, context: LiveContext) -> Person:
    return Person(name=name, roles=(OWNER,), role_details=(RoleDetail(category=context.words.role(OWNER), label=OWNER),))


def _build_address(lines: Sequence[str]) -> Address | None:
    """Street, then city, province and postal code in the next line, then an optional country.

    In a single line, street and city can't be separated and are not set.
    """
    if not lines:
        return None
    at = next((place for place, line in enumerate(lines) if _PLACE.fullmatch(line) is not None), None)
    place = _PLACE.fullmatch(lines[at]) if at is not None else None
    if at is None or place is None:
        return Address(raw=", ".join(lines))
    country = ", ".join(lines[at + 1 :]) or None
    parts = place.groupdict()
    apart = at > 0
    address = build_postal_address(
        street=", ".join(lines[:at]) or None,
        city=parts["city"] if apart else None,
        province=parts["province"].upper(),
        postal_code=parts["postal_code"],
        country=country,
    )
    return address if apart or address is None else address.model_copy(update={"raw": ", ".join(lines)})
