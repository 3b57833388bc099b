"""Build entries of corporations from the older XML and the lookup by number, which have names with dates.

The readers of both formats create a `CorporationProfile`. The daily CSV files have fewer fields (`csv_rows`).
"""

from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from bonafide.i18n.message import Message
from bonafide.model.entity import Address, NameHistoryItem, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.fed import register_rules


class CorporationName(NamedTuple):
    """A name with the dates of its use. The main name at a time has the lowest rank."""

    text: str
    rank: int
    current: bool
    since: date | None
    until: date | None


def select_current_names(names: list[CorporationName]) -> list[str]:
    """The current names, the main one first; the latest former name of a corporation without a current one.

    Raises `ValueError` for a corporation without any name.
    """
    current = [name for name in names if name.current]
    if len(current) == 1:
        return [current[0].text]
    if current:
        return list(dict.fromkeys(name.text for name in sorted(current, key=_rank_name)))
    if not names:
        raise ValueError(Message("the corporation has no name"))
    return [max(names, key=lambda name: name.since or date.min).text]


def build_former_names(names: list[CorporationName], today: list[str]) -> Iterator[NameHistoryItem]:
    """The names that are not current. One without an end date was still in use when the data was published."""
    for name in names:
        if name.text not in today:
            yield NameHistoryItem(type="former", name=name.text, effective_date=name.since, end_date=name.until)


def _rank_name(name: CorporationName) -> int:
    return name.rank


@lru_cache(maxsize=1 << 15)  # about the number of days in the ninety years of the register
def parse_day(text: str | None) -> date | None:
    """The day of a date or an instant. Raises `ValueError`."""
    if text is None or text.strip() == "":
        return None
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        raise ValueError(Message("a date can’t be read")) from None


class CorporationProfile(NamedTuple):
    """The fields of a corporation, with its words in English."""

    number: str
    names: list[CorporationName]
    act: str | None
    status: str | None
    """With its detail after a dash, if it has one: `Active - Intent to Dissolve Filed`."""
    filings: Iterable[str]
    """The years of its annual returns; iterated at most once."""
    origin: date | None
    business_number: str | None
    office: Address | None

    def entry(self, year: int, context: ParseContext) -> RegistryEntry:
        """Build the entry, with good standing as of the year. Raises `ValueError` for a corporation without a name."""
        today = select_current_names(self.names)
        code = context.status(self.status)
        return RegistryEntry(
            entry_id=self.number,
            source_url=str(context.metadata.entry_url).format(number=self.number),
            jurisdiction=Jurisdiction.FED,
            legal_name=today[0],
            alternate_names=tuple(today[1:]),
            name_history=tuple(build_former_names(self.names, today)) if len(self.names) > len(today) else (),
            registration_numbers=register_rules.build_numbers(self.number, self.business_number, context),
            entity_type=self.act,
            status=self.status,
            status_code=code,
            good_standing=self._good_standing(code, year),
            incorporation_date=self.origin,
            addresses=(self.office,) if self.office is not None else (),
        )

    def _good_standing(self, code: StatusCode, year: int) -> bool | None:
        detail = self.status if self.status is not None and " - " in self.status else None
        filed = max(filter(None, self.filings), default=None) if code is StatusCode.ACTIVE else None
        return register_rules.good_standing(detail, code, filed, year)
