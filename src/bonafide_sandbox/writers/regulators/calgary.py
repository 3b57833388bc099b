"""Calgary's business licences as exported by Socrata: upper-case headers, and one cell with a line per licence type."""

from datetime import timedelta
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table, to_word_array
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection, create_trade_name
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, ListWriterFactory, TargetFile

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
"""Approximately the size of the real list."""
ONE_IN = 2
FIRST_NUMBER = 12_000_000

_TRADES: list[str] = to_word_array(read_table("words")["trades"]).tolist()
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
    """Writes one row per licence."""

    targets = (
        TargetFile(
            "calgaryBusinessLicences", "business_licences", "calgaryBusinessLicences/business_licences.csv", DeliveryRoute.DOWNLOAD
        ),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._file = CsvFile(folder / self.targets[0].path, HEADER)
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.AB, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is in the city and selected as a holder."""
        if business.address.city == CITY:
            self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business under its own name."""
        self._write(fixed.business, fixed.business.name)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()

    def _add(self, business: SandboxBusiness) -> None:
        self._write(business, create_trade_name(business, _TRADES))

    def _write(self, business: SandboxBusiness, name: str) -> None:
        self._rows += 1
        if business.is_delisted:
            return
        address, grain = business.address, business.random_bits
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


WRITERS = (ListWriterFactory("calgaryBusinessLicences", (Jurisdiction.AB, Jurisdiction.FED), CalgaryLicencesWriter),)
