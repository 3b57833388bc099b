"""Toronto's licences and permits: the portal's response that links to the file, and the file, with one row per licence.

Some holders are people (`SURNAME, GIVEN`, with only the first half of the postal code), some of them taxi drivers with a plate
number.
"""

import json
from dataclasses import dataclass
from datetime import date, timedelta
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
    "Category",
    "Licence No.",
    "Operating Name",
    "Issued",
    "Client Name",
    "Business Phone",
    "Business Phone Ext.",
    "Licence Address Line 1",
    "Licence Address Line 2",
    "Licence Address Line 3",
    "Ward",
    "Conditions",
    "Free Form Conditions Line 1",
    "Free Form Conditions Line 2",
    "Plate No.",
    "Endorsements",
    "Cancel Date",
    "Last Record Update",
)
CITIES = frozenset({"Toronto", "Etobicoke", "Scarborough"})
LIMIT = 100_000
"""Holders. With their additional licences, the list has the size of the real one."""
ONE_IN = 2
SOURCE = "torontoBusinessLicences"
PORTAL = "https://ckan0.cf.opendata.inter.prod-toronto.ca"
PACKAGE = "57b2285f-4f80-45fb-ae3e-41a02c3a137f"
URL = f"{PORTAL}/dataset/{PACKAGE}/resource/54bddc5e-92d9-4102-89c1-43e82f8f4d2d/download/business-licences-data.csv"
DUMP = f"{PORTAL}/datastore/dump/169e90ba-3ae0-43dd-8b2f-919e87002f50"

_TRADES: list[str] = to_word_array(read_table("words")["trades"]).tolist()
_CATEGORIES = (
    ("B71", "EATING OR DRINKING ESTABLISHMENT"),
    ("B03", "TAKE-OUT OR RETAIL FOOD ESTABLISHMENT"),
    ("B02", "PUBLIC GARAGE"),
    ("P30", "PERSONAL SERVICES SETTINGS"),
    ("T85", "BUILDING RENOVATOR"),
    ("T94", "PLUMBING CONTRACTOR"),
    ("B66", "HOLISTIC CENTRE"),
    ("B60", "SECOND HAND SHOP"),
)
_PATIO, _TAXI, _PLUMBER = ("P70", "SIDEWALK CAFE"), ("V01", "TAXICAB OWNER"), ("T90", "MASTER PLUMBER")
_FIRST_YEAR = 1998


@dataclass(frozen=True, slots=True)
class _Licence:
    """A row."""

    business: SandboxBusiness
    category: tuple[str, str]
    client: str
    operating_name: str = ""
    is_cancelled: bool = False
    is_old: bool = False
    """The record has not been updated since the licence was issued."""


class TorontoLicencesWriter:
    """Writes the rows, grouped by holder."""

    targets = (
        TargetFile(SOURCE, "package", f"{SOURCE}/package_show.json", DeliveryRoute.PAGE),
        TargetFile(SOURCE, "licences", f"{SOURCE}/business-licences-data.csv", DeliveryRoute.DOWNLOAD, URL),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._answer = folder / self.targets[0].path
        self._file = CsvFile(folder / self.targets[1].path, HEADER)
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.ON, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is in the city and selected as a holder."""
        if business.address.city in CITIES:
            self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business with a valid licence."""
        self._write(_Licence(fixed.business, _CATEGORIES[0], fixed.business.name, fixed.business.name))

    def close(self) -> None:
        """Finish the file, and write the response that links to it."""
        self._file.close()
        self._answer.write_text(json.dumps({"success": True, "result": _package()}, indent=1), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        grain = business.random_bits // 4
        category, name = _CATEGORIES[grain // 64 % len(_CATEGORIES)], create_trade_name(business, _TRADES).upper()
        client = business.name.upper() if grain % 50 else ""
        is_ended = business.licence in {LicenceStanding.LAPSED, LicenceStanding.REVOKED}
        if grain % 3 == 0:
            self._write(_Licence(business, category, client, name, is_cancelled=True))
        self._write(_Licence(business, category, client, name, is_cancelled=grain % 4 == 1 or is_ended, is_old=grain % 16 == 2))  # noqa: PLR2004
        if grain % 6 == 0:
            self._write(_Licence(business, _PATIO, client, name))
        if grain % 9 == 1 and business.people:
            given, _, surname = business.people[0].name.upper().partition(" ")
            self._write(_Licence(business, _TAXI if grain % 2 else _PLUMBER, f"{surname}, {given}"))

    def _write(self, licence: _Licence) -> None:
        self._rows += 1
        if licence.business.licence is LicenceStanding.GONE:
            return
        person = licence.category in {_TAXI, _PLUMBER}
        cells = {**_record(licence, self._rows), **_holder(licence, person=person)}
        self._file.write([cells.get(column, "") for column in HEADER])


def _record(licence: _Licence, number: int) -> dict[str, str]:
    prefix, category = licence.category
    issued = date(_FIRST_YEAR, 1, 1) + timedelta(days=licence.business.random_bits % 9_000 + 300 * (not licence.is_cancelled))
    cancelled = issued + timedelta(days=200)
    touched = issued if licence.is_old else TODAY - timedelta(days=licence.business.random_bits % 350)
    return {
        "Category": category,
        "Licence No.": f"{prefix}-{4_000_000 + number}",
        "Issued": issued.isoformat(),
        "Conditions": "PATIO;NO LIVE MUSIC;" if licence.category == _PATIO else "",
        "Endorsements": f"{category};",
        "Plate No.": str(number % 5_000) if licence.category == _TAXI else "",
        "Cancel Date": cancelled.isoformat() if licence.is_cancelled else "",
        "Last Record Update": (cancelled if licence.is_cancelled else touched).isoformat(),
    }


def _holder(licence: _Licence, *, person: bool) -> dict[str, str]:
    address = licence.business.address
    street = address.street.upper() if address.unit is None else f"{address.street.upper()}, #{address.unit}"
    return {
        "Client Name": licence.client,
        "Operating Name": licence.operating_name,
        # 555 01xx: numbers reserved for fictional use.
        "Business Phone": f"416555{100 + licence.business.random_bits % 100:04d}",
        "Licence Address Line 1": "" if person else street,
        "Licence Address Line 2": f"{address.city.upper()}, {address.province}",
        "Licence Address Line 3": address.postal_code[:3] if person else address.postal_code,
        "Ward": "" if person else str(1 + licence.business.random_bits // 128 % 25),
    }


def _package() -> dict[str, object]:
    """Return the portal's resources: its datastore, which is no longer updated, the file, and a description of the columns."""
    files = (
        ("Business licences data", "CSV", DUMP, True, "2022-12-01T05:49:06"),
        ("Business licences data.csv", "CSV", URL, False, f"{TODAY}T06:10:29.455786"),
        ("business-licence-readme", "XLS", f"{PORTAL}/dataset/{PACKAGE}/readme.xls", False, "2019-07-23T19:53:53.689206"),
    )
    keys = ("name", "format", "url", "datastore_active", "last_modified")
    return {"id": PACKAGE, "resources": [dict(zip(keys, file, strict=True)) for file in files]}


WRITERS = (ListWriterFactory("torontoBusinessLicences", (Jurisdiction.ON, Jurisdiction.FED), TorontoLicencesWriter),)
