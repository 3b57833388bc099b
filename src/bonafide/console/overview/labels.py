"""Labels of the overview."""

from types import MappingProxyType

from bonafide.i18n.message import Message
from bonafide.services.overview.overview import CaseAge

CASE_AGE = MappingProxyType({
    CaseAge.DAY: Message("Less than a day"),
    CaseAge.WEEK: Message("1 to 7 days"),
    CaseAge.MONTH: Message("8 to 30 days"),
    CaseAge.LONGER: Message("More than 30 days"),
})  # fmt: skip
ACTIVITY = MappingProxyType({
    "searches": Message("Searches"),
    "verifications": Message("Verifications"),
    "screenings": Message("Screenings"),
    "hits": Message("New sanctions hits"),
    "cases_opened": Message("Cases opened"),
    "cases_decided": Message("Cases decided"),
})  # fmt: skip
"""The fields of `DailyCounts`, in the order of the page."""
