"""Select the holders of a regulator's list: businesses of the world, and some that no register has.

It chooses and names them; what a list says of its holders is the business of the list's own writer.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, LIVE_STATUSES, SandboxBusiness
from bonafide_sandbox.generator.businesses import create_unregistered
from bonafide_sandbox.generator.data_tables import read_table

REGISTERED_PER_UNREGISTERED = 2
"""After so many holders that a register has comes one that none has."""

_ENDINGS = {ending.casefold() for endings in read_table("patterns")["endings"].values() for ending in endings}
_NUMBER_DIGITS = 5


@dataclass(slots=True)
class HolderSelection:
    """Picks a list's holders out of the businesses of one jurisdiction, up to a limit."""

    seed: int
    jurisdiction: Jurisdiction
    """Where its strangers are from."""
    one_in: int
    """One live company of so many is a holder."""
    limit: int
    add: Callable[[SandboxBusiness], None]
    """What becomes of a holder."""
    _count: int = 0
    _strangers: Iterator[SandboxBusiness] | None = None

    def take(self, business: SandboxBusiness) -> None:
        """Add the business if it is a holder, and a stranger when it is time for one."""
        if self._count >= self.limit or not self._chosen(business):
            return
        self._count += 1
        self.add(business)
        if self._count % (REGISTERED_PER_UNREGISTERED + 1) == REGISTERED_PER_UNREGISTERED and self._count < self.limit:
            self._count += 1
            self.add(self._stranger())

    def _chosen(self, business: SandboxBusiness) -> bool:
        return business.random_bits % self.one_in == 1 and business.standing in LIVE_STATUSES and business.kind not in FIRM_KINDS

    def _stranger(self) -> SandboxBusiness:
        if self._strangers is None:
            self._strangers = create_unregistered(self.seed, self.jurisdiction)
        return next(self._strangers)


def is_numbered_company(business: SandboxBusiness) -> bool:
    """Whether the legal name begins with a number."""
    return business.name[:_NUMBER_DIGITS].replace("-", "").isdigit()


def create_trade_name(business: SandboxBusiness, trades: list[str]) -> str:
    """What it says over the door: the legal name without its ending, for some with a word for the trade.

    A company that is called by its number takes a trade name, or its town's.
    """
    trade = trades[business.random_bits // 64 % len(trades)]
    if is_numbered_company(business):
        return business.other_names[0] if business.other_names else f"{business.address.city} {trade}"
    name, _, ending = business.name.rpartition(" ")
    plain = name if ending.casefold() in _ENDINGS else business.name
    return plain if business.random_bits // 8 % 3 else f"{plain} {trade}"
