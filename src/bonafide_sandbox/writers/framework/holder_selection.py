"""Select the holders on a regulator's list: businesses of the world, and some that no register contains.

This module chooses the holders and their trade names. Each list's writer generates the other fields.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, LIVE_STATUSES, SandboxBusiness
from bonafide_sandbox.generator.businesses import create_unregistered
from bonafide_sandbox.generator.data_tables import read_table

REGISTERED_PER_UNREGISTERED = 2
"""An unregistered holder follows after this many registered ones."""

_ENDINGS = {ending.casefold() for endings in read_table("patterns")["endings"].values() for ending in endings}
_NUMBER_DIGITS = 5


@dataclass(slots=True)
class HolderSelection:
    """Selects a list's holders from the businesses of one jurisdiction, up to a limit."""

    seed: int
    jurisdiction: Jurisdiction
    """The jurisdiction of the unregistered holders."""
    one_in: int
    """One in this many live companies is a holder."""
    limit: int
    add: Callable[[SandboxBusiness], None]
    """Called with each holder."""
    _count: int = 0
    _unregistered: Iterator[SandboxBusiness] | None = None

    def take(self, business: SandboxBusiness) -> None:
        """Add the business if it is selected, followed by an unregistered one after every `REGISTERED_PER_UNREGISTERED`."""
        if self._count >= self.limit or not self._is_selected(business):
            return
        self._count += 1
        self.add(business)
        if self._count % (REGISTERED_PER_UNREGISTERED + 1) == REGISTERED_PER_UNREGISTERED and self._count < self.limit:
            self._count += 1
            self.add(self._next_unregistered())

    def _is_selected(self, business: SandboxBusiness) -> bool:
        return business.random_bits % self.one_in == 1 and business.standing in LIVE_STATUSES and business.kind not in FIRM_KINDS

    def _next_unregistered(self) -> SandboxBusiness:
        if self._unregistered is None:
            self._unregistered = create_unregistered(self.seed, self.jurisdiction)
        return next(self._unregistered)


def is_numbered_company(business: SandboxBusiness) -> bool:
    """Return whether the legal name starts with a number."""
    return business.name[:_NUMBER_DIGITS].replace("-", "").isdigit()


def create_trade_name(business: SandboxBusiness, trades: list[str]) -> str:
    """Return the trade name: the legal name without its legal ending, sometimes followed by a trade.

    A numbered company uses its registered trade name, or its city and the trade.
    """
    trade = trades[business.random_bits // 64 % len(trades)]
    if is_numbered_company(business):
        return business.other_names[0] if business.other_names else f"{business.address.city} {trade}"
    name, _, ending = business.name.rpartition(" ")
    plain = name if ending.casefold() in _ENDINGS else business.name
    return plain if business.random_bits // 8 % 3 else f"{plain} {trade}"
