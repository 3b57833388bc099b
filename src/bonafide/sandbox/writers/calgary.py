"""Calgary's business licences as Socrata exports them: headings in capitals, and in one cell a line for each type of a licence."""

from datetime import timedelta
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sandbox.business import Business
from bonafide.sandbox.filings import TODAY
from bonafide.sandbox.fixed import FixedBusiness
from bonafide.sandbox.manifest import Route
from bonafide.sandbox.tables import read_table, words
from bonafide.sandbox.writers.base import CsvFile, Target
from bonafide.sandbox.writers.holders import HolderSelection, shop_name

HEADER = (
    "GETBUSID",
    "TRADENAME",
    "HOMEOCCIND",
    "ADDRESS",
    "COMDISTCD",
    "COMDISTNM",
    "LICENCETYPES",
    "FIRST_ISS_DT",
    "EXP_DT",
    "JOBSTATUSDESC",
    "POINT",
    "GLOBALID",
)
CITY = "Calgary"
LIMIT = 23_200
"""About as many as the real list has."""
ONE_IN = 2
FIRST_NUMBER = 12_000_000

_TRADES: list[str] = words(read_table("words")["trades"]).tolist()
_TYPES = (
    "RETAIL DEALER - PREMISES",
    "WHOLESALER",
    "CONTRACTOR",
    "FOOD SERVICE - PREMISES (SEATING)",
    "APARTMENT BUILDING OPERATOR (1 TO 3 STOREYS)",
    "MANUFACTURER, PROCESSOR OR PACKAGER",
    "PERSONAL SERVICE",
    "MOTOR VEHICLE REPAIR AND SERVICE",
)
_STATUSES = (
    "Renewal Licensed",
    "Renewal Licensed",
    "Licensed",
    "Pending Renewal",
    "Renewal Invoiced",
    "Renewal Notification Sent",
    "Move in Progress",
    "Close in Progress",
)
_COMMUNITIES = (("BLN", "BELTLINE"), ("DNC", "DOWNTOWN COMMERCIAL CORE"), ("MNI", "MANCHESTER INDUSTRIAL"), ("HIL", "HILLHURST"))


class CalgaryLicencesWriter:
    """One row a licence."""

    targets = (
        Target("calgaryBusinessLicences", "business_licences", "calgaryBusinessLicences/business_licences.csv", Route.DOWNLOAD),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._file = CsvFile(folder / self.targets[0].path, HEADER)
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.AB, ONE_IN, LIMIT, self._add)

    def take(self, business: Business) -> None:
        """Write it if it is in the city and one of the list's holders."""
        if business.address.city == CITY:
            self._holders.take(business)

    def list_fixed(self, fixed: FixedBusiness) -> None:
        """Write a fixed business under its own name."""
        self._write(fixed.business, fixed.business.name)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()

    def _add(self, business: Business) -> None:
        self._write(business, shop_name(business, _TRADES))

    def _write(self, business: Business, name: str) -> None:
        self._rows += 1
        address, grain = business.address, business.grain
        code, community = _COMMUNITIES[grain // 16 % len(_COMMUNITIES)]
        issued = max(business.registered_on, TODAY - timedelta(days=100 + grain % 7_000))
        street = address.street.upper() if address.unit is None else f"#{address.unit} {address.street.upper()}"
        self._file.write((
            FIRST_NUMBER + self._rows * 7,
            name.upper(),
            "N",
            street,
            code,
            community,
            ",\n".join(_TYPES[(grain // 8 + place) % len(_TYPES)] for place in range(1 + grain // 64 % 3)),
            f"{issued:%Y/%m/%d}",
            f"{TODAY + timedelta(days=grain % 365):%Y/%m/%d}",
            _STATUSES[grain // 512 % len(_STATUSES)],
            f"POINT (-114.0{grain % 100_000:05d} 51.0{grain // 8 % 100_000:05d})",
            f"{{XXXXXXXX-XXXX-XXXX-XXXX-XXX{grain % 1_000_000_000:09d}}}",
        ))  # fmt: skip
