"""Edmonton's business licences as returned by Socrata's API: the row count, and the rows as paginated CSV.

Home-based and non-resident businesses have a placeholder instead of an address. Some licences belong to people.
"""

import json
from collections.abc import Sequence
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
    "business_licence_category",
    "business_name",
    "business_address",
    "externalid",
    "most_recent_issue_date",
    "expiry_date",
    "business_improvement_area",
    "neighbourhood_id",
    "neighbourhood",
    "ward",
    "latitude",
    "longitude",
    "location",
    "count",
    "geometry_point",
    "originalissuedate",
    "licenceduration",
    "licencetype",
)
CITY = "Edmonton"
LIMIT = 40_000
"""Holders. With their additional licences, the list has the size of the real one."""
ONE_IN = 2
PAGE_ROWS = 50_000
SOURCE = "edmontonBusinessLicences"
FIRST_NUMBER = 100_000_000

_TRADES: list[str] = to_word_array(read_table("words")["trades"]).tolist()
_CATEGORIES = (
    "Restaurant or Food Service",
    "Retail Sales (Minor)",
    "Administration Office / Professional Service",
    "Construction, Contracting and Labour",
    "Alcohol Sales (Consumption On-Premises / Minors Allowed)",
    "Wholesale, Warehouse and Storage",
    "Vehicle Repair, Maintenance and Modification",
    "Personal Service",
)
_HOME, _ELSEWHERE, _REDACTED = "<Home Based Business>", "<Non-Resident Business>", "<REDACTED FOR PRIVACY>"
_KINDS = ("Commercial", "Commercial", "Commercial", "Home Based", "Home Based", "Non-Resident")
_NEIGHBOURHOODS = (("1090", "Downtown", "O-day'min"), ("1180", "Queen Mary Park", "O-day'min"), ("6040", "Bonnie Doon", "Métis"))


class EdmontonLicencesWriter:
    """Writes one row per licence. Each page is finished when it is full."""

    def __init__(self, folder: Path, seed: int, page_rows: int = PAGE_ROWS) -> None:
        self._folder = folder
        self._page_rows = page_rows
        self._rows = 0
        self._delisted = 0
        self._pages: list[TargetFile] = []
        self._file: CsvFile | None = None
        self._holders = HolderSelection(seed, Jurisdiction.AB, ONE_IN, LIMIT, self._add)

    @property
    def targets(self) -> Sequence[TargetFile]:
        """Return the count and the pages written so far."""
        return (TargetFile(SOURCE, "count", f"{SOURCE}/count.json", DeliveryRoute.PAGE), *self._pages)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is in the city and selected as a holder."""
        if business.address.city == CITY:
            self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business with a licence for commercial premises."""
        self._write(fixed.business, fixed.business.name, _KINDS[0])

    def close(self) -> None:
        """Finish the last page and write the count."""
        if self._file is None:
            self._begin_page()
        if self._file is not None:
            self._file.close()
        count = self._folder / self.targets[0].path
        count.write_text(json.dumps([{"count": str(self._rows)}]), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        grain = business.random_bits // 4
        name, kind = create_trade_name(business, _TRADES).upper(), _KINDS[grain // 16 % len(_KINDS)]
        self._write(business, name, kind)
        if grain % 12 == 0:
            self._write(business, name, kind, further=1)
        if grain % 18 == 1 and business.people:
            self._write(business, business.people[0].name.upper(), "Massage Practitioner" if grain % 4 else "Adult Services")
        if grain % 30 == 1:
            self._write(business, "", "Home Based")

    def _write(self, business: SandboxBusiness, name: str, kind: str, further: int = 0) -> None:
        if business.is_delisted:
            # Its number is not given to the next licence.
            self._delisted += 1
            return
        if self._file is None or self._rows % self._page_rows == 0:
            self._begin_page()
        self._rows += 1
        cells = {**_licence(business, kind, further), **_premises(business, kind)}
        number = FIRST_NUMBER + self._rows + self._delisted - further
        cells |= {"business_name": name, "externalid": f"{number}-{1 + further:03d}", "count": "1"}
        if self._file is not None:
            self._file.write([cells[column] for column in HEADER])

    def _begin_page(self) -> None:
        if self._file is not None:
            self._file.close()
        page = len(self._pages)
        url = (
            f"https://data.edmonton.ca/resource/qhi4-bdpu.csv?$limit={self._page_rows}&$offset={page * self._page_rows}&$order=:id"
        )
        target = TargetFile(SOURCE, f"licences_{page + 1}", f"{SOURCE}/licences_{page + 1}.csv", DeliveryRoute.DOWNLOAD, url)
        self._pages.append(target)
        self._file = CsvFile(self._folder / target.path, HEADER)


def _licence(business: SandboxBusiness, kind: str, further: int) -> dict[str, str]:
    grain = business.random_bits
    issued = TODAY - timedelta(days=grain % 380)
    first = max(business.registered_on, issued - timedelta(days=365 * (grain // 8 % 9)))
    categories = [_CATEGORIES[(grain // 32 + further + place) % len(_CATEGORIES)] for place in range(1 + (grain // 512 % 6 == 0))]
    if kind in {"Massage Practitioner", "Adult Services"}:
        categories = [kind]
    return {
        "business_licence_category": ";".join(categories),
        "most_recent_issue_date": issued.isoformat(),
        "expiry_date": (issued + timedelta(days=365)).isoformat(),
        "originalissuedate": f"{first:%Y%m%d}000000",
        "licenceduration": "1 Year",
        "licencetype": kind,
    }


def _premises(business: SandboxBusiness, kind: str) -> dict[str, str]:
    """Return the address and its coordinates, or a placeholder without coordinates."""
    address, grain = business.address, business.random_bits
    hidden = {"Home Based": _HOME, "Non-Resident": _ELSEWHERE, "Commercial": ""}.get(kind, _REDACTED)
    street = f"{address.street_number} - {address.street_name.upper()}"
    latitude, longitude = f"53.5{grain % 100_000:05d}", f"-113.4{grain // 8 % 100_000:05d}"
    number, neighbourhood, ward = _NEIGHBOURHOODS[grain // 64 % len(_NEIGHBOURHOODS)] if hidden == "" else ("", "", "")
    return {
        "business_address": hidden or (street if address.unit is None else f"{address.unit}, {street}"),
        "business_improvement_area": neighbourhood if neighbourhood == "Downtown" else "",
        "neighbourhood_id": number,
        "neighbourhood": neighbourhood,
        "ward": ward,
        "latitude": latitude if hidden == "" else "",
        "longitude": longitude if hidden == "" else "",
        "location": f"({latitude},{longitude})" if hidden == "" else "",
        "geometry_point": f"POINT ({longitude} {latitude})" if hidden == "" else "",
    }


WRITERS = (ListWriterFactory("edmontonBusinessLicences", (Jurisdiction.AB, Jurisdiction.FED), EdmontonLicencesWriter),)
