"""What all formats of the federal register share: numbers, good standing, provinces and the beginning of a corporation."""

import re
from collections.abc import Iterable
from datetime import date

from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.metadata import SourceMetadata

FORMED = "formed"
"""What `source.yml` says of an incorporation, which counts before every other way to begin."""
REGISTERED_OFFICE = "2"
"""The code of that kind of address."""
BN_LABEL = "Business Number (BN)"
_SECTION = re.compile(r" ?\(s\. ?[\d.]+\)$")
"""`Dissolved for non-compliance (s. 212)`: the section differs from act to act."""


def build_numbers(number: str, business_number: str | None, context: ParseContext) -> tuple[RegistrationNumber, ...]:
    """The corporation number, and the business number where the register knows it."""
    own = RegistrationNumber(label=str(context.metadata.number_label), value=number)
    if business_number is None:
        return (own,)
    return (own, RegistrationNumber(label=BN_LABEL, value=business_number))


def remove_section(detail: str) -> str:
    """A status detail without the section of the act that it may end with."""
    return _SECTION.sub("", detail)


def good_standing(detail: str | None, code: StatusCode, filed: str | None, year: int) -> bool | None:
    """The register has no field for it: up to date with its annual filings, being dissolved for want of them, or not known.

    `detail` is what the status says beyond the plain word; `filed` the year of the last annual return; `year` that of the file.
    """
    if detail is not None:
        return False if "dissolution pending" in detail.casefold() else None
    current = filed is not None and filed.isdecimal() and int(filed) >= year - 1
    return True if code is StatusCode.ACTIVE and current else None


def normalize_province(code: str | None, context: ParseContext) -> str | None:
    """The post's two letters, also where an old record has others."""
    return context.metadata.terms.get(code, code) if code is not None else None


def classify_beginning(activity: str, metadata: SourceMetadata) -> str | None:
    """In which way an activity begins a corporation, by its first word (`Continuance (import)`); None for the many that don't."""
    words = activity.split(maxsplit=1)
    return metadata.terms.get(f"begins by {words[0]}") if words else None


def find_origin_date(beginnings: Iterable[tuple[str, date]]) -> date | None:
    """The day of the earliest incorporation, or without one that of the earliest amalgamation or continuance."""
    found = list(beginnings)
    return min([day for meaning, day in found if meaning == FORMED] or [day for _, day in found], default=None)
