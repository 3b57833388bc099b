"""Corporations Canada's four CSV files: active and inactive corporations, under the CBCA and under other acts."""

from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LIVE_STATUSES, BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, RegisterWriterFactory, TargetFile

HEADER = (
    "Corporation number",
    "Business number (BN)",
    "Corporate name - form 1",
    "Corporate name - form 2",
    "Governing legislation",
    "Status",
    "Status Detail",
    "Anniversary date",
    "Year of last annual filing",
    "Date of last annual meeting",
    "Street",
    "Street 2",
    "City/town",
    "Province/territory",
    "Country",
    "Postal code",
    "Minimum number of directors",
    "Maximum number of directors",
)
DETAILS = {
    LifecycleStatus.DEFAULT: "Active - Dissolution Pending (Non-compliance)",
    LifecycleStatus.LEAVING: "Active - Intent to Dissolve Filed",
    LifecycleStatus.AMALGAMATED: "Inactive - Amalgamated",
    LifecycleStatus.CONTINUED_OUT: "Inactive - Discontinued",
    LifecycleStatus.CANCELLED: "Dissolved for non-compliance (s. 212)",
}

_FEDERAL = BY_JURISDICTION[Jurisdiction.FED]
_RESOURCES = {
    (True, True): ("active_cbca", "corporations-active-cbca-en.csv"),
    (True, False): ("active_other", "corporations-active-non-cbca-en.csv"),
    (False, True): ("inactive_cbca", "corporations-inactive-or-dissolved-cbca-en.csv"),
    (False, False): ("inactive_other", "corporations-inactive-or-dissolved-non-cbca-en.csv"),
}


class FederalWriter:
    """Writes each federal corporation to one of the four files."""

    targets = tuple(TargetFile("fed", resource, f"fed/{name}", DeliveryRoute.DOWNLOAD) for resource, name in _RESOURCES.values())

    def __init__(self, folder: Path) -> None:
        self._files = {key: CsvFile(folder / "fed" / name, HEADER, encoding="utf-8-sig") for key, (_, name) in _RESOURCES.items()}

    def take(self, business: SandboxBusiness) -> None:
        """Write the business to the file for its act and status."""
        self._files[business.standing in LIVE_STATUSES, business.kind is BusinessKind.COMPANY].write(_row(business))

    def close(self) -> None:
        """Finish the files."""
        for file in self._files.values():
            file.close()


def _row(business: SandboxBusiness) -> tuple[object, ...]:
    address, grain = business.address, business.random_bits
    year = compute_last_filing_year(business)
    return (
        business.number,
        business.business_number,
        business.name,
        business.other_names[0] if business.other_names else "",
        _FEDERAL.types[business.kind],
        _FEDERAL.status(business.kind, business.standing),
        DETAILS.get(business.standing, ""),
        business.registered_on.isoformat(),
        year,
        f"{year}-{1 + grain % 10:02d}-{1 + grain % 28:02d}" if grain % 7 else "",
        f"{address.street_number} {address.street_name}",
        f"Suite {address.unit}" if address.unit is not None else "",
        address.city,
        # Old records use the former abbreviation NF for Newfoundland, and postal codes without a space.
        "NF" if address.province == "NL" and grain % 3 == 0 else address.province,
        "CA",
        address.postal_code if grain % 5 else address.postal_code.replace(" ", ""),
        1,
        1 + grain % 15,
    )


def compute_last_filing_year(business: SandboxBusiness) -> int:
    """Return the year of the last filing: this year or last year, or some years ago for a company with overdue returns."""
    if business.standing is LifecycleStatus.ACTIVE:
        years_ago = business.random_bits % 2
    elif business.standing in LIVE_STATUSES:
        years_ago = 3 + business.random_bits % 4
    else:
        years_ago = 4 + business.random_bits % 20
    return max(business.registered_on.year, TODAY.year - years_ago)


WRITERS = (RegisterWriterFactory(Jurisdiction.FED, FederalWriter),)
