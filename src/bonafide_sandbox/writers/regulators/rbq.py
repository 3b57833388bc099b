"""Quebec's construction licences: the portal's response that links to the file, and the file, a ZIP with one CSV.

A licence has one row for each combination of sub-category and other name. Some licences belong to people.
"""

import csv
import io
import json
import zipfile
from datetime import date, timedelta
from itertools import product
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import OfficeAddress, SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile

HEADER = (
    "Numéro de licence",
    "Statut de la licence",
    "Type de licence",
    "Date de délivrance",
    "Restriction",
    "Date de début de la restriction",
    "Date de fin de la restriction",
    "Association ou compagnie fournissant le cautionnement",
    "Montant de la caution",
    "Date du paiement annuel",
    "Mandataire",
    "Courriel",
    "Adresse",
    "NEQ",
    "Nom de l'intervenant",
    "Numéro de téléphone",
    "Municipalité",
    "Statut juridique",
    "Code de région administrative",
    "Région administrative",
    "Nombre de sous-catégorie autorisées",
    "Categorie",
    "Sous-catégories",
    "Autre nom",
)
LIMIT = 54_000
ONE_IN = 4
SOURCE = "rbqLicences"
MEMBER = "rdl01_ExtractionDonneesOuvertes.csv"
NAME = MEMBER.lower().replace(".csv", ".zip")
PORTAL = "https://www.donneesquebec.ca/recherche/dataset/755b45d6-7aee-46df-a216-748a0191c79f/resource"
URL = f"{PORTAL}/32f6ec46-85fd-45e9-945b-965d9235840a/download/{NAME}"
FIRST_NUMBER = 51_000_000
GENERAL = ("1.2", "1.3")
COMMON = ("2.5", "2.7", "3.2", "4.2", "5.2", "6.2", "7", "8", "9", "11.2", "12", "13.5", "17.2")
"""The combination of sub-categories on most licences."""
NARROW = ("16", "15.5", "15.8", "2.5")
QUALIFICATIONS = ("GPC", "SEC", "ADM")
PERSON, COMPANY = "Personne physique", "Personne morale"
PERSONS_NEQ = "22"
"""The prefix of the NEQs of sole proprietors."""
BONDS = ("ASSOCIATION DES MAÎTRES BÂTISSEURS INVENTÉS", "COMPAGNIE DE CAUTIONNEMENT FICTIVE")
_FIRST_DAY = date(1996, 4, 1)
_REGIONS = (("06", "Montréal"), ("03", "Capitale-Nationale"), ("16", "Montérégie"), ("13", "Laval"))


class BuildingLicencesWriter:
    """Writes the rows, compressed as they are written. All cells are quoted, as in the real file."""

    targets = (
        TargetFile(SOURCE, "package", f"{SOURCE}/package_show.json", DeliveryRoute.PAGE),
        TargetFile(SOURCE, "licences", f"{SOURCE}/{NAME}", DeliveryRoute.DOWNLOAD, URL),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._answer, packed = (folder / target.path for target in self.targets)
        packed.parent.mkdir(parents=True, exist_ok=True)
        self._archive = zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        member = zipfile.ZipInfo(MEMBER, TODAY.timetuple()[:6])
        member.compress_type = zipfile.ZIP_DEFLATED
        self._text = io.TextIOWrapper(self._archive.open(member, "w"), "utf-8-sig", newline="")
        self._writer = csv.writer(self._text, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
        self._writer.writerow(HEADER)
        self._licences = 0
        self._holders = HolderSelection(seed, Jurisdiction.QC, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business under its own name."""
        self._write(fixed.business, fixed.business.name, COMPANY)

    def close(self) -> None:
        """Finish the file, and write the response that links to it."""
        self._text.close()
        self._archive.close()
        self._answer.write_text(json.dumps({"success": True, "result": _package()}, indent=1), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        self._write(business, business.name, PERSON if business.number.startswith(PERSONS_NEQ) else COMPANY)
        if business.random_bits % 23 == 1 and business.people:
            self._write(business, business.people[0].name, PERSON)

    def _write(self, business: SandboxBusiness, name: str, status: str) -> None:
        self._licences += 1
        if business.is_delisted:
            return
        licence = {**_licence(business, self._licences), **_holder(business, name, status)}
        allowed = _allowed(business)
        licence["Nombre de sous-catégorie autorisées"] = str(len(allowed))
        others = (business.other_names if name == business.name else ()) or ("",)
        for (category, code), other in product(allowed, others):
            cells = licence | {"Categorie": category, "Sous-catégories": code, "Autre nom": other}
            self._writer.writerow([cells.get(column, "") for column in HEADER])


def _allowed(business: SandboxBusiness) -> list[tuple[str, str]]:
    """Return categories and sub-category codes. Qualifications have no category."""
    grain = business.random_bits // 64
    narrow = grain % 5 == 0
    special = [NARROW[grain // 5 % len(NARROW)]] if narrow else list(COMMON)
    general = [] if narrow else list(GENERAL[: 1 + grain // 5 % 2])
    categories = [("Generale", code) for code in general] + [("Specialisee", code) for code in special]
    return [*categories, *(("", code) for code in QUALIFICATIONS)]


def _licence(business: SandboxBusiness, number: int) -> dict[str, str]:
    grain = business.random_bits
    digits = f"{FIRST_NUMBER + number * 7:08d}"
    issued = _FIRST_DAY + timedelta(days=grain % 11_000)
    restricted = grain % 53 == 0
    trade_body = ("CMEQ", "CMMTQ")[grain % 2] if grain // 4 % 8 == 0 else "Regie"
    return {
        "Numéro de licence": f"{digits[:4]}-{digits[4:]}-{1 + grain % 30:02d}",
        "Statut de la licence": "Active",
        "Type de licence": "Constructeur-proprietaire" if grain % 67 == 0 else "Entrepreneur",
        "Date de délivrance": issued.isoformat(),
        "Restriction": "Oui" if restricted else "Non",
        "Date de début de la restriction": (TODAY - timedelta(days=90)).isoformat() if restricted else "",
        "Association ou compagnie fournissant le cautionnement": BONDS[grain % len(BONDS)],
        "Montant de la caution": "40000" if grain % 3 else "20000",
        "Date du paiement annuel": (TODAY + timedelta(days=grain % 365)).isoformat(),
        "Mandataire": trade_body,
    }


def _holder(business: SandboxBusiness, name: str, status: str) -> dict[str, str]:
    grain = business.random_bits
    host = f"{''.join(filter(str.isalnum, business.name.lower()))}.example"
    code, region = _REGIONS[grain // 16 % len(_REGIONS)]
    return {
        "Courriel": f"info@{host}" if grain // 8 % 9 else "",
        "Adresse": _line(business.address) if grain // 8 % 19 else "",
        "NEQ": _neq(business, status),
        "Nom de l'intervenant": name,
        # 555 01xx: numbers reserved for fictional use.
        "Numéro de téléphone": f"514555{100 + grain % 100:04d}",
        "Municipalité": business.address.city,
        "Statut juridique": status,
        "Code de région administrative": code,
        "Région administrative": region,
    }


def _line(address: OfficeAddress) -> str:
    unit = f"BUR. {address.unit} " if address.unit is not None else ""
    street = f"{address.street_number} {address.street_name}".upper()
    return f"{unit}{street} {address.city.upper()} {address.province} CANADA {address.postal_code}"


def _neq(business: SandboxBusiness, status: str) -> str:
    """Return the business's NEQ. A person behind a company has a different NEQ or none."""
    if status == PERSON and not business.number.startswith(PERSONS_NEQ):
        return f"{PERSONS_NEQ}{business.random_bits % 100_000_000:08d}" if business.random_bits // 4 % 16 else ""
    return business.number


def _package() -> dict[str, object]:
    """Return the portal's resources: the data dictionary, and the file in two formats."""
    files = (
        ("Licences actives (dictionnaire)", "PDF", f"{PORTAL}/dictionary/download/rdl01_dictionnaire.pdf"),
        (
            "Licences actives (JSON)",
            "JSON",
            f"{PORTAL}/5183fdd4-55b1-418c-8a7d-0a70058ed68d/download/{NAME.replace('.zip', '.json')}",
        ),
        ("Licences actives (CSV)", "CSV", URL),
    )
    listed = [{"name": name, "format": kind, "url": url, "datastore_active": False} for name, kind, url in files]
    return {"name": "licencesactives", "resources": listed}


WRITERS = (ListWriterFactory("rbqLicences", (Jurisdiction.QC,), BuildingLicencesWriter),)
