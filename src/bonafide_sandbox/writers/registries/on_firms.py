"""Ontario's business names and partnerships in the ministry's extract: CSV with padded cells and names split over four columns."""

import textwrap
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, LIVE_STATUSES, BusinessKind, SandboxBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, RegisterWriterFactory, TargetFile

HEADER = (
    "Company Number",
    "Registration Date",
    "Company Name Line 1",
    "Company Name Line 2",
    "Company Name Line 3",
    "Company Name Line 4",
    "Name Effective Date",
    "Company Status",
    "Status Effective Date",
    "Type of Business",
    "Registering Jurisdiction",
    "Extra-Provincial Flag",
    "Home Jurisdiction",
    "Address Type",
    "Suite Number",
    "Street Number",
    "Street Name",
    "Additional Info",
    "Municipality",
    "Province",
    "Country",
    "Postal code",
)
NAME_LINES = 4
NAME_WIDTH = 42
STREET_WIDTH = 29

_HOME = "ONTARIO".ljust(40)
_ADDRESS_TYPE = "PRINCIPAL PLACE OF BUSINESS".ljust(30)
_BLANK_LINE = " " * NAME_WIDTH
_TYPES = {BusinessKind.FIRM: "SP", BusinessKind.PARTNERSHIP: "GP", BusinessKind.LIMITED_PARTNERSHIP: "LP"}


class OntarioFirmsWriter:
    """Writes Ontario's sole proprietorships and partnerships, by nine-digit Business Identification Number."""

    targets = (TargetFile("on", "business_names", "on/business_names.csv", DeliveryRoute.FILE),)

    def __init__(self, folder: Path) -> None:
        self._file = CsvFile(folder / self.targets[0].path, HEADER)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is a firm."""
        if business.kind in FIRM_KINDS:
            self._file.write(_row(business))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def _row(business: SandboxBusiness) -> tuple[str, ...]:
    address, registered = business.address, business.registered_on.strftime("%Y%m%d")
    return (
        business.number,
        registered,
        *_name_lines(business.name.upper()),
        registered,
        "0" if business.standing in LIVE_STATUSES else "I",
        max(registered, f"{TODAY.year - business.random_bits % 12}0404"),
        "OP" if business.name.upper().endswith("LLP") else _TYPES[business.kind],
        "ON",
        "N",
        _HOME,
        _ADDRESS_TYPE,
        (address.unit or "").ljust(10),
        address.street_number.ljust(8),
        address.street_name.upper().ljust(STREET_WIDTH),
        _BLANK_LINE,
        address.city.upper().ljust(30),
        address.province,
        "CA",
        address.postal_code.ljust(10),
    )


def _name_lines(name: str) -> list[str]:
    lines = [name] if len(name) <= NAME_WIDTH else textwrap.wrap(name, NAME_WIDTH)
    padded = [line.ljust(NAME_WIDTH) for line in lines]
    return [*padded, *[_BLANK_LINE] * (NAME_LINES - len(padded))]


WRITERS = (RegisterWriterFactory(Jurisdiction.ON, OntarioFirmsWriter),)
