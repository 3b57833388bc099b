"""Who stands in a regulator's list: some of the world's businesses, and in between others that no register has.

It chooses and names them; what a list says of its holders is the business of the list's own writer.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox.business import FIRMS, LIVE, Business
from bonafide.sandbox.generator import strangers
from bonafide.sandbox.tables import read_table

REGISTERED_TO_STRANGERS = 2
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
    add: Callable[[Business], None]
    """What becomes of a holder."""
    _count: int = 0
    _strangers: Iterator[Business] | None = None

    def take(self, business: Business) -> None:
        """Add the business if it is a holder, and a stranger when it is time for one."""
        if self._count >= self.limit or not self._chosen(business):
            return
        self._count += 1
        self.add(business)
        if self._count % (REGISTERED_TO_STRANGERS + 1) == REGISTERED_TO_STRANGERS and self._count < self.limit:
            self._count += 1
            self.add(self._stranger())

    def _chosen(self, business: Business) -> bool:
        return business.grain % self.one_in == 1 and business.standing in LIVE and business.kind not in FIRMS

    def _stranger(self) -> Business:
        if self._strangers is None:
            self._strangers = strangers(self.seed, self.jurisdiction)
        return next(self._strangers)


def is_numbered(business: Business) -> bool:
    """Whether the legal name begins with a number."""
    return business.name[:_NUMBER_DIGITS].replace("-", "").isdigit()


def shop_name(business: Business, trades: list[str]) -> str:
    """What it says over the door: the legal name without its ending, for some with a word for the trade.

    A company that is called by its number takes a trade name, or its town's.
    """
    trade = trades[business.grain // 64 % len(trades)]
    if is_numbered(business):
        return business.other_names[0] if business.other_names else f"{business.address.city} {trade}"
    name, _, ending = business.name.rpartition(" ")
    plain = name if ending.casefold() in _ENDINGS else business.name
    return plain if business.grain // 8 % 3 else f"{plain} {trade}"
