"""Montreal's survey of commercial premises: the portal's response with several years' surveys, and the latest survey."""

import json
from datetime import date, timedelta
from pathlib import Path
from uuid import UUID

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.data_tables import read_table, to_word_array
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection, create_trade_name
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import CsvFile, ListWriterFactory, TargetFile

HEADER = (
    "ID",
    "ORIGINE",
    "T_COMMERCE",
    "DATE_CREATION",
    "CIVIQUE",
    "TYPE_VOIE",
    "LIEN_VOIE",
    "NOM_VOIE",
    "ORIENTATION",
    "ADRESSE",
    "SUITE",
    "ETAGE",
    "NOM_CENTRE",
    "NOM_ETAB",
    "ID_USAGE1",
    "USAGE1",
    "ID_USAGE2",
    "USAGE2",
    "ID_USAGE3",
    "USAGE3",
    "SCIAN",
    "ACCES_MOBILITE_REDUITE",
    "VACANT_A_LOUER",
    "ARRONDISSEMENT",
    "QUARTIER",
    "SDC_NOM",
    "SECTEUR_PME",
    "ENFANT",
    "MULTIUSAGE",
    "MULTIOCCUPANT",
    "COORDY",
    "COORDX",
    "LAT",
    "LONG",
)
CITY = "Montréal"
LIMIT = 25_000
"""Occupied premises. With the vacant ones, the survey has the size of the real one."""
ONE_IN = 3
YEAR = 2026
SOURCE = "montrealCommercialEstablishments"
PORTAL = "https://donnees.montreal.ca/dataset/f8582c4d-a933-4306-bb27-d883e13dd207/resource"
URL = f"{PORTAL}/00000000-0000-4000-8000-000000002026/download/occupation-commerciale-{YEAR}.csv"
_FIRST_DAY = date(YEAR, 5, 18)
_VACANT = "VACANT"

_TRADES: list[str] = to_word_array(read_table("words")["trades"].values()).tolist()
_USES = (
    ("D", "Restauration, divertissement et hôtellerie", "49", "Restauration", "120", "Restaurants", "722511"),
    ("A", "Biens courants", "4", "Alimentation", "59", "Épicerie", "445110"),
    ("E", "Services aux consommateurs", "16", "Soins personnels", "35", "Salons de coiffure", "812116"),
    ("B", "Biens semi-courants", "9", "Vêtements", "150", "Vêtements pour dames", "458110"),
    ("I", "Autres", "38", "Organismes", "66", "Fondations et associations", "9"),
)
_BOROUGHS = (("Le Plateau-Mont-Royal", "Saint-Louis"), ("Ville-Marie", "Centre-Sud"), ("Le Sud-Ouest", "Saint-Henri"))


class MontrealPremisesWriter:
    """Writes one row per premises."""

    targets = (
        TargetFile(SOURCE, "package", f"{SOURCE}/package_show.json", DeliveryRoute.PAGE),
        TargetFile(
            SOURCE, f"occupation_commerciale_{YEAR}", f"{SOURCE}/occupation-commerciale-{YEAR}.csv", DeliveryRoute.DOWNLOAD, URL
        ),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._answer = folder / self.targets[0].path
        self._file = CsvFile(folder / self.targets[1].path, HEADER)
        self._rows = 0
        self._holders = HolderSelection(seed, Jurisdiction.QC, ONE_IN, LIMIT, self._add)

    def take(self, business: SandboxBusiness) -> None:
        """Write the business if it is in the city and selected as a holder."""
        if business.address.city == CITY:
            self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write a fixed business under its own name."""
        self._write(fixed.business, fixed.business.name)

    def close(self) -> None:
        """Finish the file, and write the response that links to it."""
        self._file.close()
        self._answer.write_text(json.dumps({"success": True, "result": _package()}, ensure_ascii=False, indent=1), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        self._write(business, create_trade_name(business, _TRADES))
        if business.random_bits // 8 % 7 == 0:
            self._write(business, _VACANT)

    def _write(self, business: SandboxBusiness, name: str) -> None:
        self._rows += 1
        if business.is_delisted:
            return
        cells = {"ID": f"{{{UUID(int=(business.random_bits << 60 | self._rows) & (1 << 128) - 1)}}}", "NOM_ETAB": name}
        cells |= _place(business) | _use(business, is_vacant=name == _VACANT)
        self._file.write([cells.get(column, "") for column in HEADER])


def _place(business: SandboxBusiness) -> dict[str, str]:
    address, grain = business.address, business.random_bits
    borough, quarter = _BOROUGHS[grain // 16 % len(_BOROUGHS)]
    kind, _, street = address.street_name.partition(" ")
    return {
        "ORIGINE": "HORS_SDC" if grain % 5 else "SDC",
        "T_COMMERCE": "Commerce rue",
        "DATE_CREATION": (_FIRST_DAY + timedelta(days=grain % 100)).isoformat(),
        "CIVIQUE": address.street_number,
        "TYPE_VOIE": kind,
        "NOM_VOIE": street,
        "ADRESSE": f"{address.street_number} {address.street_name}",
        "SUITE": address.unit or "",
        "ETAGE": "RC",
        "NOM_CENTRE": "N/A",
        "ARRONDISSEMENT": borough,
        "QUARTIER": quarter,
        "SDC_NOM": "N/A" if grain % 5 else f"SDC {quarter}",
        "SECTEUR_PME": "Centre-Ville",
        "COORDY": f"{5_042_000 + grain % 10_000}.14",
        "COORDX": f"{298_000 + grain % 2_000}.53",
        "LAT": f"45.5{grain % 100_000:05d}",
        "LONG": f"-73.5{grain // 8 % 100_000:05d}",
    }


def _use(business: SandboxBusiness, *, is_vacant: bool) -> dict[str, str]:
    vacant = ("Z", _VACANT, "67", _VACANT, "155", _VACANT, "N/A")
    use = vacant if is_vacant else _USES[business.random_bits // 64 % len(_USES)]
    columns = ("ID_USAGE1", "USAGE1", "ID_USAGE2", "USAGE2", "ID_USAGE3", "USAGE3", "SCIAN")
    return dict(zip(columns, use, strict=True)) | {
        "ACCES_MOBILITE_REDUITE": "Non",
        "VACANT_A_LOUER": "Oui" if is_vacant and business.random_bits % 5 == 0 else "Non",
        **dict.fromkeys(("ENFANT", "MULTIUSAGE", "MULTIOCCUPANT"), "Non"),
    }


def _package() -> dict[str, object]:
    """Return the portal's resources: the previous survey, the latest one, and the latest one as GeoJSON."""
    files = (
        (f"Enquête sur l'occupation commerciale {YEAR - 1}", "CSV", f"{PORTAL}/old/download/occupation-commerciale-{YEAR - 1}.csv"),
        (f"Enquête sur l'occupation commerciale {YEAR}", "CSV", URL),
        (f"Enquête sur l'occupation commerciale {YEAR}", "GeoJSON", URL.replace(".csv", ".geojson")),
    )
    listed = [{"name": name, "format": kind, "url": url, "datastore_active": kind == "CSV"} for name, kind, url in files]
    return {"name": "locaux-commerciaux", "resources": listed}


WRITERS = (ListWriterFactory("montrealCommercialEstablishments", (Jurisdiction.QC, Jurisdiction.FED), MontrealPremisesWriter),)
