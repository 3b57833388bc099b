"""Ontario's consumer services licences: the portal's response with the files of two months, and the latest business file.

Each row is a place of business. Rows of the same licence share its number. The file of licensed people is listed but not written.
"""

import json
from datetime import timedelta
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection, is_numbered_company
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, ListWriterFactory, TargetFile

HEADER = (
    "Legal Name",
    "Operating name",
    "Address",
    "City",
    "Province",
    "Postal code",
    "Country",
    "Telephone",
    "Website",
    "Email",
    "Licence type",
    "Licence number",
    "Licence status",
    "Expiry date",
)
LIMIT = 400
"""Licences. With their branches, the file has the size of the real one."""
ONE_IN = 9
FIRST_NUMBER = 4_700_000
NULL = "N/A"
SOURCE = "onBusinessLicences"
PORTAL = "https://data.ontario.ca/dataset/5f0c3532-6e42-4ed7-a92c-ecde22bfea06/resource"
NAME = f"{TODAY:%B_%Y}_business.csv".lower()
URL = f"{PORTAL}/00000000-0000-4000-8000-000000000674/download/{NAME}"
TYPES = (
    ("Payday Lender", "Issued"),
    ("Payday Lender", "Issued"),
    ("Payday Lender", "Issued"),
    ("Collection Agency", "Issued"),
    ("Bailiff (Business)", "Appointed (Bailiff)"),
    ("Bailiff (Business)", "Appointed bailiff"),
    ("Consumer Reporting Agency", "Issued"),
)
"""The licence types and their status terms."""
BRANCHES = (1, 1, 1, 2, 4)
_PROVINCES = {"ON": "Ontario", "QC": "Quebec", "AB": "Alberta", "BC": "British Columbia"}


class OntarioLicencesWriter:
    """Writes one row per place of business."""

    targets = (
        TargetFile(SOURCE, "package", f"{SOURCE}/package_show.json", DeliveryRoute.PAGE),
        TargetFile(SOURCE, f"business_{TODAY:%Y_%m}", f"{SOURCE}/{NAME}", DeliveryRoute.DOWNLOAD, URL),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._answer = folder / self.targets[0].path
        self._file = CsvFile(folder / self.targets[1].path, HEADER, encoding="utf-8-sig")
        self._licences = 0
        self._holders = HolderSelection(seed, Jurisdiction.ON, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business with a single location."""
        self._write(fixed.business, 1)

    def close(self) -> None:
        """Finish the file, and write the response that links to it."""
        self._file.close()
        self._answer.write_text(json.dumps({"success": True, "result": _package()}, indent=1), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        self._write(business, BRANCHES[business.random_bits // 16 % len(BRANCHES)])

    def _write(self, business: SandboxBusiness, branches: int) -> None:
        self._licences += 1
        if business.is_delisted:
            return
        kind, status = TYPES[business.random_bits // 128 % len(TYPES)]
        number = str(FIRST_NUMBER + self._licences * 11)
        expires = (TODAY + timedelta(days=business.random_bits % 700 - 60)).isoformat() if kind != "Bailiff (Business)" else NULL
        for branch in range(branches):
            cells = {**_holder(business, branch), **_place(business, branch)}
            cells |= {"Licence type": kind, "Licence number": number, "Licence status": status, "Expiry date": expires}
            self._file.write([cells[column] for column in HEADER])


def _holder(business: SandboxBusiness, branch: int) -> dict[str, str]:
    grain = business.random_bits
    host = f"{''.join(filter(str.isalnum, business.name.lower()))}.example"
    trade_name = business.other_names[0] if business.other_names else NULL
    if is_numbered_company(business) and not business.other_names:
        trade_name = f"Cash {business.address.city}"
    return {
        # Some names have trailing spaces.
        "Legal Name": f"{business.name} " if branch % 2 else business.name,
        "Operating name": trade_name,
        # 555 01xx: numbers reserved for fictional use.
        "Telephone": f"416555{100 + (grain + branch) % 100:04d}",
        "Website": f"www.{host}" if grain // 4 % 8 == 0 else NULL,
        "Email": f"office@{host}" if grain // 32 % 5 else NULL,
    }


def _place(business: SandboxBusiness, branch: int) -> dict[str, str]:
    """Return the address of the registered office, or of a branch further along the same street."""
    address = business.address
    street = f"{int(address.street_number) + branch * 24} {address.street_name}"
    return {
        "Address": f"{street}, Unit {address.unit}" if address.unit is not None else street,
        "City": address.city,
        "Province": _PROVINCES.get(address.province, address.province),
        "Postal code": address.postal_code,
        "Country": "Canada",
    }


def _package() -> dict[str, object]:
    """Return the portal's resources: files of businesses and people per month in two languages, the latest after older ones."""
    earlier = TODAY.replace(day=1) - timedelta(days=1)
    files = [
        (f"{earlier:%B %Y} Business", "CSV", f"{PORTAL}/earlier/download/business.csv"),
        (f"{earlier:%B %Y} Individual", "CSV", f"{PORTAL}/earlier/download/individual.csv"),
        (f"{TODAY:%B %Y} Individual", "CSV", f"{PORTAL}/newest/download/individual.csv"),
        (f"{TODAY:%B %Y} Business", "XLSX", f"{PORTAL}/newest/download/business.xlsx"),
        (f"{TODAY:%B %Y} Business", "CSV", URL),
        (f"{TODAY:%B %Y} Business", "CSV", f"{PORTAL}/french/download/entreprises.csv"),
    ]
    listed = [{"name": name, "format": kind, "url": url, "datastore_active": kind == "CSV"} for name, kind, url in files]
    return {"name": "select-licence-and-registration-data", "resources": listed}


WRITERS = (ListWriterFactory("onBusinessLicences", (Jurisdiction.ON,), OntarioLicencesWriter),)
