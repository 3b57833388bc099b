"""Alberta's cannabis licensees: a workbook in the legacy `.xls` format, built in memory and written on `close`."""

from pathlib import Path

import xlwt

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table, to_word_array
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection, create_trade_name
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile

SHEET = "CannabisLicenseeList_EXCEL"
HEADER = (
    "Authorization Number",
    "Site City Name",
    "Establishment Name",
    "Manager Name",
    "Initial Effective Date",
    "Site Address Line 1",
    "Site Address Line 2",
    "Site Province Abbrev",
    "Site Postal Code",
    "Telephone Number",
    "Online Sales",
)
LIMIT = 950
"""The size of the real report, well below the format's limit of 65,536 rows per sheet."""
ONE_IN = 17
FIRST_NUMBER = 770_000
AREA_CODES = (403, 587, 780, 825)

_TRADES: list[str] = to_word_array(read_table("words")["cannabis"]).tolist()


class CannabisLicenseesWriter:
    """Writes one row per store."""

    targets = (TargetFile("aglcCannabis", "cannabis_licensees", "aglcCannabis/CannabisLicenseeReport.xls", DeliveryRoute.DOWNLOAD),)

    def __init__(self, folder: Path, seed: int) -> None:
        self._path = folder / self.targets[0].path
        self._book = xlwt.Workbook(encoding="utf-8")
        self._sheet = self._book.add_sheet(SHEET)
        self._rows = 0
        self._delisted = 0
        self._write(HEADER)
        self._holders = HolderSelection(seed, Jurisdiction.AB, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business under its own name."""
        self._write(self._row(fixed.business, fixed.business.name))

    def close(self) -> None:
        """Write the workbook."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._book.save(str(self._path))

    def _add(self, business: SandboxBusiness) -> None:
        if business.is_delisted:
            # Its number is not given to the next licensee.
            self._delisted += 1
        else:
            self._write(self._row(business, create_trade_name(business, _TRADES)))

    def _row(self, business: SandboxBusiness, name: str) -> tuple[object, ...]:
        address, grain = business.address, business.random_bits
        since = max(business.registered_on, TODAY.replace(year=2019 + grain % 7, month=1 + grain % 10, day=1 + grain % 28))
        return (
            FIRST_NUMBER + (self._rows + self._delisted) * 13,
            address.city.upper(),
            name,
            _manager(business),
            f"{since.month}/{since.day}/{since.year}",
            f"{address.unit}-{address.street.upper()}" if address.unit is not None else address.street.upper(),
            "",
            address.province,
            address.postal_code,
            # 555 01xx: numbers reserved for fictional use.
            AREA_CODES[grain % len(AREA_CODES)] * 10_000_000 + 5_550_100 + grain % 100,
            "Yes" if grain % 4 == 1 else "No ",
        )

    def _write(self, cells: tuple[object, ...]) -> None:
        for column, cell in enumerate(cells):
            if cell != "":
                self._sheet.write(self._rows, column, cell)
        self._rows += 1


def _manager(business: SandboxBusiness) -> str:
    """Return `SURNAME, Given`, as printed in the report."""
    if not business.people:
        return ""
    given, _, surname = business.people[0].name.partition(" ")
    return f"{surname.upper()}, {given}"


WRITERS = (ListWriterFactory("aglcCannabis", (Jurisdiction.AB,), CannabisLicenseesWriter),)
