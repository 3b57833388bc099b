"""Ontario's health service providers: the ministry's CSV of locations, whose alternate name is often the operating company."""

from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table, to_word_array
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection, create_trade_name, is_numbered_company
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, ListWriterFactory, TargetFile

HEADER = (
    "X",
    "Y",
    "OGF_ID",
    "MOH_SERVICE_PROVIDER_IDENT",
    "SERVICE_TYPE",
    "SERVICE_TYPE_DETAIL",
    "ENGLISH_NAME",
    "FRENCH_NAME",
    "ENGLISH_NAME_ALT",
    "FRENCH_NAME_ALT",
    "ADDRESS_LINE_1",
    "ADDRESS_LINE_2",
    "ADDRESS_DESCRIPTOR",
    "COMMUNITY",
    "POSTAL_CODE",
    "GEOMETRY_UPDATE_DATETIME",
    "EFFECTIVE_DATETIME",
    "SYSTEM_DATETIME",
    "OBJECTID",
)
LIMIT = 12_000
ONE_IN = 13

_TRADES: list[str] = to_word_array(read_table("words")["health"]).tolist()
_SERVICES = (
    ("Pharmacy", "Retail Pharmacy"),
    ("Pharmacy", "Retail Pharmacy"),
    ("Pharmacy", "Long Term Care Facility"),
    ("Integrated Community Health Services Centre", "General Ultrasound, Radiography"),
    ("Mental Health and Addiction Organization", "Mental Health Services"),
    ("Licensed Retirement Home", ""),
    ("Long-Term Care Home", ""),
    ("Licensed Lab and Specimen Collection Centre", "Specimen Collection Centre"),
    ("Seniors Active Living Centre", ""),
    ("Family Health Team", ""),
)
_DESCRIPTORS = ("", "", "", "", "Practice Location", "Administration And Practice Location")


class HealthProvidersWriter:
    """Writes one row per location."""

    targets = (TargetFile("mohServiceProviders", "csv", "mohServiceProviders/service_provider_locations.csv", DeliveryRoute.FILE),)

    def __init__(self, folder: Path, seed: int) -> None:
        self._file = CsvFile(folder / self.targets[0].path, HEADER, encoding="utf-8-sig")
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.ON, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business under its own name."""
        self._write(fixed.business, fixed.business.name, "")

    def close(self) -> None:
        """Finish the file."""
        self._file.close()

    def _add(self, business: SandboxBusiness) -> None:
        name = create_trade_name(business, _TRADES)
        names_company = is_numbered_company(business) or business.random_bits % 11 == 0
        self._write(business, name, business.name if names_company else "")

    def _write(self, business: SandboxBusiness, name: str, company: str) -> None:
        self._rows += 1
        if business.is_delisted:
            return
        address, grain = business.address, business.random_bits
        service, detail = _SERVICES[grain // 32 % len(_SERVICES)]
        moment = f"2026/10/{1 + grain % 28:02d} {grain // 512 % 24:02d}:{grain // 4096 % 60:02d}:00+00"
        self._file.write(
            (
                f"{-82.9 + grain % 70_000 / 10_000:.7f}",
                f"{42.2 + grain % 40_000 / 10_000:.7f}",
                321_000_000 + self._rows,
                100_000 + self._rows * 3,
                service,
                detail,
                name,
                "",
                company,
                "",
                address.street,
                f"Unit {address.unit}" if address.unit is not None else "",
                _DESCRIPTORS[grain // 128 % len(_DESCRIPTORS)],
                address.city,
                address.postal_code.replace(" ", ""),
                moment,
                moment,
                "2026/10/30 17:54:59+00",
                2_258_000 + self._rows,
            )
        )


WRITERS = (ListWriterFactory("mohServiceProviders", (Jurisdiction.ON,), HealthProvidersWriter),)
