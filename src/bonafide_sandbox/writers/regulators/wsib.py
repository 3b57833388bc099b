"""Ontario's businesses by WSIB classification: an annual CSV, and the page that links to the latest edition."""

from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, ListWriterFactory, TargetFile

HEADER = (
    "Legal name",
    "Trade name",
    "Mailing Address",
    "Predominant class",
    "NAICS code",
    "Description",
    "Class/subclass",
    "Description",
    "Business size",
)
LIMIT = 200_000
ONE_IN = 3
EDITION, EARLIER = (f"BusinessClassificationDetails({year})" for year in (TODAY.year, TODAY.year - 1))
FOLDER = f"/sites/default/files/{TODAY:%Y-%m}"
ACTIVITIES = (
    ("111419", "Other food crops grown under cover", "A", "Agriculture"),
    ("236110", "Residential building construction", "G1", "Residential building construction"),
    ("237310", "Highway, street and bridge construction", "G2", "Infrastructure construction"),
    ("238160", "Roofing contractors", "G3", "Foundation, structure and building exterior construction"),
    ("238220", "Plumbing, heating and air-conditioning contractors", "G4", "Building equipment construction"),
    ("238320", "Painting and wall covering contractors", "G5", "Specialty trades construction"),
    ("236220", "Commercial and institutional building construction", "G6", "Non-residential building construction"),
    ("311811", "Retail bakeries", "E1", "Food, textiles and related manufacturing"),
    ("484121", "General freight trucking, long distance, truck-load", "F2", "Transportation and warehousing"),
    ("413110", "General-line food merchant wholesalers", "H2", "Petroleum, food, motor vehicle and miscellaneous wholesale"),
    ("445110", "Supermarkets and other grocery retailers", "I3", "Food and beverages retail"),
    ("541514", "Computer systems design and related services", "L", "Professional, scientific and technical"),
    ("561722", "Janitorial services", "M", "Administration, services to buildings, dwellings and open spaces"),
    ("621210", "Offices of dentists", "N1", "Ambulatory health care"),
    ("722511", "Full-service restaurants", "O", "Leisure and hospitality"),
    ("811111", "General automotive repair", "P", "Other services"),
)
MANY = (1, 1, 1, 2, 2, 3)
"""The distribution of the number of activities per business."""
SIZES = ("Small", "Small", "Small", "Small", "Medium", "Large")
_PAGE = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Businesses classification details</title></head>
<body><h1>Businesses classification details</h1>
<ul>
<li><a href="{FOLDER}/{EDITION}.csv">Businesses classification details {TODAY.year} (CSV)</a></li>
<li><a href="{FOLDER}/{EARLIER}.csv">Businesses classification details {TODAY.year - 1} (CSV)</a></li>
</ul></body></html>
"""


class ClassificationsWriter:
    """Writes one row per activity of a business."""

    targets = (
        TargetFile("wsibClassifications", "page", "wsibClassifications/page.html", DeliveryRoute.PAGE),
        TargetFile(
            "wsibClassifications",
            EDITION,
            f"wsibClassifications/{EDITION}.csv",
            DeliveryRoute.DOWNLOAD,
            f"https://www.wsib.ca{FOLDER}/{EDITION}.csv",
        ),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._page = folder / self.targets[0].path
        self._file = CsvFile(folder / self.targets[1].path, HEADER, encoding="utf-8-sig")
        self._holders = HolderSelection(seed, Jurisdiction.ON, ONE_IN, LIMIT, self._write)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business under its own name."""
        self._write(fixed.business)

    def close(self) -> None:
        """Finish the file, and write the page that links to it."""
        self._file.close()
        self._page.write_text(_PAGE, encoding="utf-8")

    def _write(self, business: SandboxBusiness) -> None:
        if business.is_delisted:
            return
        address, grain = business.address, business.random_bits
        unit = f"UNIT {address.unit} " if address.unit is not None else ""
        mailing = f"{unit}{address.street}, {address.city}, {address.province}, {address.postal_code}".upper()
        first = grain // 32 % len(ACTIVITIES)
        for place in range(MANY[grain // 8 % len(MANY)]):
            naics, activity, code, label = ACTIVITIES[(first + place * 5) % len(ACTIVITIES)]
            trade_name = business.other_names[0].upper() if business.other_names else ""
            size = SIZES[grain // 128 % len(SIZES)]
            self._file.write((business.name.upper(), trade_name, mailing, ACTIVITIES[first][2], naics, activity, code, label, size))


WRITERS = (ListWriterFactory("wsibClassifications", (Jurisdiction.ON,), ClassificationsWriter),)
