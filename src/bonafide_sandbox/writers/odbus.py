"""Statistics Canada's ODBus: the version 1 archive, with trade names of some provinces merged from various lists.

The archive also contains two files that services don't need, in a different encoding. Some rows duplicate the preceding row.
"""

import csv
import io
import zipfile
from datetime import date
from hashlib import sha256
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table, to_word_array
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection, create_trade_name
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile

HEADER = (
    "idx",
    "business_name",
    "alt_business_name",
    "business_sector",
    "business_subsector",
    "business_description",
    "business_id_no",
    "licence_number",
    "licence_type",
    "derived_NAICS",
    "source_NAICS_primary",
    "source_NAICS_secondary",
    "NAICS_descr",
    "NAICS_descr2",
    "latitude",
    "longitude",
    "full_address",
    "postal_code",
    "unit",
    "street_no",
    "street_name",
    "street_direction",
    "street_type",
    "city",
    "prov_terr",
    "total_no_employees",
    "status",
    "provider",
    "geo_source",
    "CSDUID",
    "CSDNAME",
    "PRUID",
)
PROVINCES = {"ON": "35", "BC": "59", "AB": "48", "NB": "13", "NT": "61", "NU": "62"}
"""The provinces covered, with their census codes."""
JURISDICTIONS = (*(Jurisdiction(code) for code in PROVINCES), Jurisdiction.FED)
LIMIT = 446_000
"""Approximately the size of version 1."""
ONE_IN = 3
PUBLISHED = date(2023, 11, 28)
FOLDER = "ODBus_v1"
MISSING = ".."

_TRADES: list[str] = to_word_array(read_table("words")["trades"]).tolist()
_INDUSTRIES = (
    ("Retail Dealer", "44", "445110", "Supermarkets and other grocery (except convenience) stores"),
    ("Restaurant Class 1", "72", "722511", "Full-service restaurants"),
    ("Contractor", "23", "238220", "Plumbing, heating and air-conditioning contractors"),
    ("Personal Services", "81", "812115", "Beauty salons"),
    ("Office", "54", MISSING, MISSING),
    ("Home-Based Business", MISSING, MISSING, MISSING),
)
_EMPLOYEES = (MISSING, MISSING, MISSING, MISSING, "0", "1", "1--4", "5 to 9", "12", "NOT AVAILABLE")
_STATUSES = (MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, "Active", "Active", "Active", "Pending")
_DESCRIPTIONS = {
    "ODBus-record-layout.csv": "Field name,Data type,Description,Field type\r\n"
    + "".join(f"{column},object,{column} – sandbox,Provided as is from original data.\r\n" for column in HEADER),
    "ODBus_Sources.csv": "Province/ Territory,City,Dataset Name\r\nON,Toronto,Business licences – sandbox\r\n",
}


class OpenBusinessesWriter:
    """Writes one row per business, compressed as it is written. Some have a second licence or a duplicate row with another id."""

    targets = (TargetFile("odbus", "archive", "odbus/ODBus_2023.zip", DeliveryRoute.DOWNLOAD),)

    def __init__(self, folder: Path, seed: int) -> None:
        path = folder / self.targets[0].path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        for name, text in _DESCRIPTIONS.items():
            self._archive.writestr(_member(name), text.encode("cp1252"))
        packed = self._archive.open(_member("ODBus_v1.csv"), "w", force_zip64=True)
        self._text = io.TextIOWrapper(packed, "utf-8-sig", newline="")
        self._writer = csv.writer(self._text, lineterminator="\r\n")
        self._writer.writerow(HEADER)
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.ON, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is in a covered province and selected as a holder."""
        if business.address.province in PROVINCES:
            self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business under its own name with a valid licence."""
        self._write(_cells(fixed.business, fixed.business.name, 0) | {"status": "Active"})

    def close(self) -> None:
        """Finish the archive."""
        self._text.close()
        self._archive.close()

    def _add(self, business: SandboxBusiness) -> None:
        grain = business.random_bits // 4
        cells = _cells(business, create_trade_name(business, _TRADES), 0)
        rows = [cells, cells] if grain % 23 == 0 else [cells]
        if grain % 9 == 1:
            rows.append(_cells(business, create_trade_name(business, _TRADES), 1))
        if business.is_delisted:
            # Their ids are not given to the next rows.
            self._rows += len(rows)
            return
        for row in rows:
            self._write(row)

    def _write(self, cells: dict[str, str]) -> None:
        self._rows += 1
        ident = sha256(f"{self._rows}".encode()).hexdigest()[:20]
        self._writer.writerow([ident, *(cells.get(column, MISSING) for column in HEADER[1:])])


def _member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(f"{FOLDER}/{name}", PUBLISHED.timetuple()[:6])
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def _cells(business: SandboxBusiness, name: str, licence: int) -> dict[str, str]:
    """Return a row without its id, by column name. Missing columns are empty."""
    grain = business.random_bits // 32
    sector, derived, code, industry = _INDUSTRIES[(grain + licence) % len(_INDUSTRIES)]
    return {
        "business_name": name,
        "alt_business_name": business.name if grain % 5 == 0 and business.name != name else MISSING,
        "business_sector": sector,
        "licence_number": f"{21 + licence}-{100_000 + grain % 900_000}" if grain % 2 else MISSING,
        "licence_type": "Business Licence" if grain % 2 else MISSING,
        "derived_NAICS": derived,
        "source_NAICS_primary": code if grain % 3 == 0 else MISSING,
        "NAICS_descr": industry if grain % 3 == 0 else MISSING,
        "total_no_employees": _EMPLOYEES[grain // 64 % len(_EMPLOYEES)],
        "status": _STATUSES[grain // 1024 % len(_STATUSES)],
        **_place(business),
    }


def _place(business: SandboxBusiness) -> dict[str, str]:
    """Return the address both in full and in parts, or for some rows only in full."""
    address, is_whole = business.address, business.random_bits % 13 == 1
    unit = f"Unit {address.unit}" if address.unit is not None else MISSING
    whole = ", ".join(part for part in (address.street, unit, address.city) if part != MISSING)
    # The number is split off at the first space, so a French address keeps its comma with the number.
    number, _, street = address.street.partition(" ")
    parts = {} if is_whole else {"unit": unit, "street_no": number, "street_name": street, "postal_code": address.postal_code}
    return {
        **parts,
        "full_address": f"{whole} {address.province.title()}",
        "city": address.city,
        "prov_terr": address.province,
        "latitude": f"{43 + business.random_bits % 900_000 / 100_000:.5f}",
        "longitude": f"{-80 - business.random_bits % 4_000_000 / 100_000:.5f}",
        "provider": f"City of {address.city}",
        "geo_source": "Geocoded" if is_whole else "Source",
        "CSDNAME": address.city,
        "PRUID": PROVINCES[address.province],
    }


WRITERS = (ListWriterFactory("odbus", JURISDICTIONS, OpenBusinessesWriter),)
