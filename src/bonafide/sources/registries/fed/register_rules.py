"""Rules for all formats of the federal register: numbers, good standing, provinces and the origin of a corporation."""

import re
from collections.abc import Iterable
from datetime import date

from bonafide.i18n.message import Message
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.metadata import SourceMetadata

FORMED = "formed"
"""The meaning of an incorporation in `source.yml`. It takes precedence over other origins."""
REGISTERED_OFFICE = "2"
"""The code of this type of address."""
OFFICE_LABEL = str(Message("Registered office"))
SERVICE_LABEL = str(Message("Address for service"))
"""Of a director."""
BN_LABEL = "Business Number (BN)"
_SECTION = re.compile(r" ?\(s\. ?[\d.]+\)$")
"""`Dissolved for non-compliance (s. 212)`: the section depends on the act."""


def build_numbers(number: str, business_number: str | None, context: ParseContext) -> tuple[RegistrationNumber, ...]:
    """The corporation number, and the business number if the register has it."""
    own = RegistrationNumber(label=str(context.metadata.number_label), value=number)
    if business_number is None:
        return (own,)
    return (own, RegistrationNumber(label=BN_LABEL, value=business_number))


def remove_section(detail: str) -> str:
    """A status detail without the section of the act at its end."""
    return _SECTION.sub("", detail)


def good_standing(detail: str | None, code: StatusCode, filed: str | None, year: int) -> bool | None:
    """Derive good standing from annual filings: True if they are up to date, False for a pending dissolution, or None.

    `detail` is the detail of the status, `filed` the year of the last annual return, `year` that of the file.
    """
    if detail is not None:
        return False if "dissolution pending" in detail.casefold() else None
    current = filed is not None and filed.isdecimal() and int(filed) >= year - 1
    return True if code is StatusCode.ACTIVE and current else None


def normalize_province(code: str | None, context: ParseContext) -> str | None:
    """The two-letter code of the province, also for the codes of old records."""
    return context.metadata.terms.get(code, code) if code is not None else None


def classify_beginning(activity: str, metadata: SourceMetadata) -> str | None:
    """How an activity creates a corporation, by its first word (`Continuance (import)`); None for other activities."""
    words = activity.split(maxsplit=1)
    return metadata.terms.get(f"begins by {words[0]}") if words else None


def find_origin_date(beginnings: Iterable[tuple[str, date]]) -> date | None:
    """The day of the earliest incorporation, or else of the earliest amalgamation or continuance."""
    found = list(beginnings)
    return min([day for meaning, day in found if meaning == FORMED] or [day for _, day in found], default=None)
