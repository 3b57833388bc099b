"""Vancouver's business licences as exported by Opendatasoft: semicolon-delimited, one row per licence, year and revision.

Most businesses have one licence for last year and one for this year. Some have two or a pending one. Sole proprietors are in
parentheses and have no street address. Short-term rental operators have no name.
"""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LicenceStanding, SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table, to_word_array
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection, create_trade_name
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, ListWriterFactory, TargetFile

HEADER = (
    "folderyear",
    "licencersn",
    "licencenumber",
    "licencerevisionnumber",
    "businessname",
    "businesstradename",
    "status",
    "issueddate",
    "expireddate",
    "businesstype",
    "businesssubtype",
    "unit",
    "unittype",
    "house",
    "street",
    "city",
    "province",
    "country",
    "postalcode",
    "localarea",
    "numberofemployees",
    "feepaid",
    "extractdate",
    "geom",
    "geo_point_2d",
)
CITY = "Vancouver"
LIMIT = 87_000
"""Holders. With just over two rows each, the list has the size of the real one."""
ONE_IN = 2
FIRST_RSN = 4_500_000
ISSUED = "Issued"
EXTRACTED = f"{TODAY}T02:31:39-07:00"

_TRADES: list[str] = to_word_array(read_table("words")["trades"]).tolist()
_TYPES = (
    ("Office", "Professional"),
    ("Retail Dealer", ""),
    ("Contractor", ""),
    ("Restaurant", "Class 1 with liquor service"),
    ("Restaurant", "Class 1 no liquor service"),
    ("Personal Services", ""),
    ("Wholesale Dealer", ""),
    ("Health Services", ""),
)
_AREAS = ("Downtown", "Mount Pleasant", "Fairview", "Kitsilano", "West End", "Strathcona", "Marpole", "Renfrew-Collingwood")
_ENDINGS = ("Inactive", "Cancelled", "Gone Out of Business", "Pending")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a business. `kind` is the index of the licence within its year."""

    business: SandboxBusiness
    name: str
    trade_name: str
    year: int
    status: str
    kind: int = 0
    revision: int = 0
    has_door: bool = True


class VancouverLicencesWriter:
    """Writes the rows, grouped by holder, the earlier year first."""

    targets = (
        TargetFile(
            "vancouverBusinessLicences",
            "business_licences",
            "vancouverBusinessLicences/business-licences.csv",
            DeliveryRoute.DOWNLOAD,
        ),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._file = CsvFile(folder / self.targets[0].path, HEADER, encoding="utf-8-sig", delimiter=";")
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.BC, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is in the city and selected as a holder."""
        if business.address.city == CITY:
            self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business with a licence for the current year."""
        self._write(_Row(fixed.business, fixed.business.name, "", TODAY.year, ISSUED))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()

    def _add(self, business: SandboxBusiness) -> None:
        grain = business.random_bits // 4
        trade_name = create_trade_name(business, _TRADES) if grain % 8 < 3 else ""  # noqa: PLR2004
        if grain % 10:
            self._write(_Row(business, business.name, trade_name, TODAY.year - 1, ISSUED))
        status = _ENDINGS[grain % len(_ENDINGS)] if grain % 13 == 0 else ISSUED
        if business.licence in {LicenceStanding.LAPSED, LicenceStanding.REVOKED}:
            status = _ENDINGS[0] if business.licence is LicenceStanding.LAPSED else _ENDINGS[1]
        this_year = _Row(business, business.name, trade_name, TODAY.year, status)
        self._write(this_year)
        if grain % 17 == 0:
            self._write(_Row(business, business.name, trade_name, TODAY.year, status, revision=1))
        if grain % 9 == 1:
            self._write(_Row(business, business.name, "", TODAY.year, ISSUED, kind=1))
        if grain % 11 == 1:
            self._write(_Row(business, business.name, trade_name, TODAY.year + 1, "Pending"))
        if grain % 7 == 1 and business.people:
            self._write(_Row(business, f"({business.people[0].name})", "", TODAY.year, ISSUED, has_door=False))
        if grain % 19 == 1:
            self._write(_Row(business, "", "", TODAY.year, ISSUED, has_door=False))

    def _write(self, row: _Row) -> None:
        self._rows += 1
        if row.business.licence is LicenceStanding.GONE:
            return
        cells = {"licencersn": str(FIRST_RSN + self._rows), **_licence(row, self._rows), **_premises(row), **_trade(row)}
        self._file.write([cells[column] for column in HEADER])


def _licence(row: _Row, number: int) -> dict[str, str]:
    year = row.year % 100
    # A revision has the same licence number as the preceding row.
    serial = 100_000 + (number - row.revision) % 900_000
    issued = date(row.year - 1, 11, 1 + row.business.random_bits % 28)
    return {
        "folderyear": f"{year}",
        "licencenumber": f"{year}-{serial}",
        "licencerevisionnumber": f"{row.revision:02d}",
        "businessname": row.name,
        "businesstradename": row.trade_name,
        "status": row.status,
        "issueddate": f"{issued}T14:37:35-08:00" if row.status == ISSUED else "",
        "expireddate": f"{row.year}-12-31" if row.status == ISSUED else "",
        "feepaid": "187.0" if row.status == ISSUED else "",
        "extractdate": EXTRACTED,
    }


def _premises(row: _Row) -> dict[str, str]:
    address, door = row.business.address, row.has_door
    longitude, latitude = -123.2 + row.business.random_bits % 1_800 / 10_000, 49.2 + row.business.random_bits % 900 / 10_000
    return {
        "unit": (address.unit or "") if door else "",
        "unittype": "Unit" if door and address.unit is not None else "",
        "house": address.street_number if door else "",
        "street": address.street_name.upper() if door else "",
        "city": address.city,
        "province": address.province,
        "country": "CA",
        "postalcode": address.postal_code if door else "",
        "localarea": _AREAS[row.business.random_bits // 32 % len(_AREAS)],
        "geom": f'{{"coordinates": [{longitude:.6f}, {latitude:.6f}], "type": "Point"}}' if door else "",
        "geo_point_2d": f"{latitude:.6f}, {longitude:.6f}" if door else "",
    }


def _trade(row: _Row) -> dict[str, str]:
    if row.name == "":
        return {"businesstype": "Short-Term Rental", "businesssubtype": "", "numberofemployees": ""}
    kind, subtype = _TYPES[(row.business.random_bits // 256 + row.kind) % len(_TYPES)]
    return {"businesstype": kind, "businesssubtype": subtype, "numberofemployees": f"{row.business.random_bits // 2048 % 40}.0"}


WRITERS = (ListWriterFactory("vancouverBusinessLicences", (Jurisdiction.BC, Jurisdiction.FED), VancouverLicencesWriter),)
