"""A corporation as the register's two fuller formats state it, the older XML and the look-up, and the entry that it makes.

How either format spells the parts is its reader's business; the daily CSV files have fewer of them (`table`).
"""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from bonafide.model.entity import Address, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.registries.fed import register_rules
from bonafide.sources.registries.fed.corporation_names import CorporationName, build_former_names, select_current_names


class CorporationProfile(NamedTuple):
    """The parts of a corporation, its words already in English."""

    number: str
    names: list[CorporationName]
    act: str | None
    status: str | None
    """With its detail behind a dash, where it has one: `Active - Intent to Dissolve Filed`."""
    filings: Iterable[str]
    """The years of its annual returns, looked at once if at all."""
    origin: date | None
    business_number: str | None
    office: Address | None

    def entry(self, year: int, context: ParseContext) -> RegistryEntry:
        """The entry, its standing judged in the year given. Raises `ValueError` when it has no name."""
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
