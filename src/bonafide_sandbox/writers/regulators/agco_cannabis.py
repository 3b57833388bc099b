"""Ontario's cannabis stores: the commission's open-data CSV with its 30 columns.

The names of 16 columns are known, the others are assumptions. As in the real list, store operators are not named.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
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
    "RowNum",
    "LicenceNumber",
    "FileNumber",
    "ObjectDefDescription",
    "ObjectDefDescriptionFr",
    "PremisesName",
    "StreetAddress",
    "StreetAddress2",
    "City",
    "Municipality",
    "Province",
    "PostalCode",
    "Country",
    "Latitude",
    "Longitude",
    "ApplicationType",
    "ApplicationTypeFr",
    "ApplicationStatusEn",
    "ApplicationStatusFr",
    "LicenceStatus",
    "LicenceStatusFr",
    "LicenceTypeEn",
    "LicenceTypeFr",
    "IssueDate",
    "ExpiryDate",
    "PublicNoticeStartDate",
    "PublicNoticeEndDate",
    "WebsiteEn",
    "WebsiteFr",
    "LastUpdated",
)
LIMIT = 2_500
ONE_IN = 23
LICENCE_TERM = timedelta(days=4 * 365)
OPEN = "Authorized to Open"

_TRADES: list[str] = to_word_array(read_table("words")["cannabis"]).tolist()
_STATES = ((OPEN, 74), ("Cancelled", 95), ("In Progress", 97), ("Public Notice", 100))
"""Each status with its cumulative percentage."""
_ENDINGS = {LicenceStanding.LAPSED: "Cancelled", LicenceStanding.REVOKED: "Cancelled"}
_FRENCH = {
    OPEN: "Autorisé à ouvrir",
    "Cancelled": "Annulé",
    "In Progress": "En cours",
    "Public Notice": "Avis public",
    "Active": "Actif",
    "Expired - Deemed to Continue": "Expiré - réputé se poursuivre",
    "New Application": "Nouvelle demande",
    "Transfer": "Transfert",
    "": "",
}


@dataclass(frozen=True, slots=True)
class _Application:
    """A row."""

    business: SandboxBusiness
    name: str
    status: str
    website: str
    licence: str | None = None
    """The licence number of another row, if this row shares it."""

    @property
    def is_open(self) -> bool:
        """Return whether the store is open."""
        return self.status == OPEN


class CannabisStoresWriter:
    """Writes one row per application: mostly open stores, some cancelled, in progress or in their public notice period."""

    targets = (
        TargetFile("agcoCannabis", "cannabis_stores", "agcoCannabis/AGCOWebSiteCRSANewProcessMapData.csv", DeliveryRoute.DOWNLOAD),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._file = CsvFile(folder / self.targets[0].path, HEADER, encoding="utf-8-sig")
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.ON, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business as an open store under its own name."""
        status = _ENDINGS.get(fixed.business.licence, OPEN)
        self._write(_Application(fixed.business, fixed.business.name, status, fixed.website or ""))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()

    def _add(self, business: SandboxBusiness) -> None:
        name = create_trade_name(business, _TRADES)
        website = f"https://{''.join(filter(str.isalnum, name.lower()))}.example" if business.random_bits // 4 % 3 else ""
        application = _Application(business, name, _ENDINGS.get(business.licence) or _status(business), website)
        if _status(business) == OPEN and business.random_bits % 61 == 0:
            # The real list keeps an earlier, cancelled application under the licence number of the later one.
            self._write(replace(application, status="Cancelled", licence=self._licence(2)))
        self._write(application)

    def _write(self, application: _Application) -> None:
        business = application.business
        had_licence = application.is_open or business.licence in _ENDINGS or business.random_bits % 5
        licence = self._licence(1) if had_licence else ""
        self._rows += 1
        if business.licence is LicenceStanding.GONE:
            return
        cells = {
            "RowNum": str(self._rows),
            "FileNumber": str(600_000 + self._rows * 3),
            "LicenceNumber": application.licence or licence,
            **_premises(application),
            **_states(application),
            **_dates(application),
        }
        self._file.write([cells[column] for column in HEADER])

    def _licence(self, rows_ahead: int) -> str:
        return f"CRSA{1_100_000 + (self._rows + rows_ahead) * 7}"


def _premises(application: _Application) -> dict[str, str]:
    address, grain = application.business.address, application.business.random_bits
    return {
        "ObjectDefDescription": "Cannabis Retail Store Authorization",
        "ObjectDefDescriptionFr": "Autorisation de magasin de vente au détail de cannabis",
        "PremisesName": application.name,
        "StreetAddress": address.street.upper(),
        "StreetAddress2": f"UNIT {address.unit}" if address.unit is not None else "",
        "City": address.city.upper(),
        "Municipality": address.city.upper(),
        "Province": "ON",
        "PostalCode": address.postal_code,
        "Country": "CA",
        "Latitude": f"{42.2 + grain % 40_000 / 10_000:.4f}",
        "Longitude": f"{-82.9 + grain % 70_000 / 10_000:.4f}",
        "WebsiteEn": application.website,
        "WebsiteFr": application.website,
    }


def _states(application: _Application) -> dict[str, str]:
    grain = application.business.random_bits
    kind = "Transfer" if grain % 15 == 1 else "New Application"
    licence = ("Expired - Deemed to Continue" if grain % 32 == 1 else "Active") if application.is_open else ""
    return {
        "ApplicationType": kind,
        "ApplicationTypeFr": _FRENCH[kind],
        "ApplicationStatusEn": application.status,
        "ApplicationStatusFr": _FRENCH[application.status.partition(":")[0].removesuffix(" Period")],
        "LicenceStatus": licence,
        "LicenceStatusFr": _FRENCH[licence],
        "LicenceTypeEn": "Cannabis Retail Store",
        "LicenceTypeFr": "Magasin de vente au détail de cannabis",
    }


def _dates(application: _Application) -> dict[str, str]:
    issued = max(application.business.registered_on, TODAY - timedelta(days=100 + application.business.random_bits % 1_900))
    return {
        "IssueDate": issued.isoformat() if application.is_open else "",
        "ExpiryDate": (issued + LICENCE_TERM).isoformat() if application.is_open else "",
        "PublicNoticeStartDate": "",
        "PublicNoticeEndDate": application.status[-10:].replace("/", "-") if "Notice" in application.status else "",
        "LastUpdated": TODAY.isoformat(),
    }


def _status(business: SandboxBusiness) -> str:
    """Return the status: about three in four stores are open. A public notice includes its last day."""
    roll = business.random_bits // 16 % 100
    state = next(state for state, until in _STATES if roll < until)
    if state != "Public Notice":
        return state
    day = TODAY + timedelta(days=business.random_bits % 40 - 20)
    return f"Public Notice: Ends on {day:%Y/%m/%d}" if day >= TODAY else f"Public Notice Period: Ended {day:%Y/%m/%d}"


WRITERS = (ListWriterFactory("agcoCannabis", (Jurisdiction.ON,), CannabisStoresWriter),)
