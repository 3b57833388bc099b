"""Canada's money services businesses: the registry's CSV, with multi-line cells for names and services."""

from datetime import timedelta
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LicenceStanding, SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, ListWriterFactory, TargetFile

HEADER = (
    "Organization Names (Legal and Operating)",
    "Business Address",
    "Website",
    "MSB Registration Status",
    "MSB Registration Number",
    "Jurisdiction of Incorporation",
    "Incorporation Number",
    "Date Initial MSB Registration Approval",
    "MSB Registration Expiry Date",
    "Services Offered",
)
LIMIT = 7_500
ONE_IN = 29
TERM = timedelta(days=2 * 365)
REGISTERED = "Registered"
STATES = ((55, REGISTERED), (76, "Expired"), (94, "Ceased"), (100, "Revoked"))
"""The cumulative percentage of each status."""
_ENDINGS = {LicenceStanding.LAPSED: "Expired", LicenceStanding.REVOKED: "Revoked"}
SERVICES = (
    "Foreign exchange dealing",
    "Money transferring",
    "Issuing or redeeming money orders, traveller's cheques or similar instruments",
    "Dealing in virtual currencies",
    "Crowdfunding platform services",
)
_PLACES = {
    Jurisdiction.FED: "Canada",
    Jurisdiction.AB: "Alberta",
    Jurisdiction.BC: "British Columbia",
    Jurisdiction.MB: "Manitoba",
    Jurisdiction.NB: "New Brunswick",
    Jurisdiction.NL: "Newfoundland and Labrador",
    Jurisdiction.NS: "Nova Scotia",
    Jurisdiction.NT: "Northwest Territories",
    Jurisdiction.NU: "Nunavut",
    Jurisdiction.ON: "Ontario",
    Jurisdiction.PE: "Prince Edward Island",
    Jurisdiction.QC: "Quebec",
    Jurisdiction.SK: "Saskatchewan",
    Jurisdiction.YT: "Yukon",
}


class MoneyServicesWriter:
    """Writes one row per registration, including ended ones."""

    targets = (TargetFile("fintracMsb", "registry", "fintracMsb/reg-eng.csv", DeliveryRoute.DOWNLOAD),)

    def __init__(self, folder: Path, seed: int) -> None:
        self._file = CsvFile(folder / self.targets[0].path, HEADER, encoding="utf-8-sig")
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.FED, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Add a fixed business as registered."""
        self._write(fixed.business, REGISTERED)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()

    def _add(self, business: SandboxBusiness) -> None:
        roll = business.random_bits // 16 % 100
        self._write(business, _ENDINGS.get(business.licence) or next(word for until, word in STATES if roll < until))

    def _write(self, business: SandboxBusiness, status: str) -> None:
        self._rows += 1
        if business.licence is LicenceStanding.GONE:
            return
        grain = business.random_bits
        since = max(business.registered_on, TODAY - timedelta(days=30 + grain % 4_000))
        ends = TODAY + timedelta(days=30 + grain % 700) if status == REGISTERED else min(since + TERM, TODAY)
        self._file.write(
            (
                _names(business),
                _address(business),
                f"https://{''.join(filter(str.isalnum, business.name.lower()))}.example" if grain // 4 % 2 else "",
                status,
                f"C{100_000_000 + self._rows * 17}" if grain % 9 == 0 else f"M{10_000_000 + self._rows * 13}",
                _PLACES[business.register],
                business.number,
                since.isoformat(),
                ends.isoformat(),
                "\r\n".join(service for place, service in enumerate(SERVICES) if grain >> place & 1) or SERVICES[0],
            )
        )


def _names(business: SandboxBusiness) -> str:
    """Return the legal name and each other name with its own label, with the registry's trailing comma after a name."""
    return ", \r\n".join([f"Legal Name: {business.name}", *(f"Operating Name: {name}" for name in business.other_names)])


def _address(business: SandboxBusiness) -> str:
    address = business.address
    unit = f"Unit {address.unit}, " if address.unit is not None else ""
    return f"{unit}{address.street}, {address.city}, {address.province}, {address.postal_code}"


WRITERS = (ListWriterFactory("fintracMsb", tuple(Jurisdiction), MoneyServicesWriter),)
