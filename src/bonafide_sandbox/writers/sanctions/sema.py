"""Canada's autonomous sanctions list as XML in the schema of August 2026: no record ids, optional fields omitted.

It reproduces quirks of the real list: padded names, several aliases in one field, free-text dates. `generator.canadian_listings`
generates the listings. `sema_regulations` writes the regulations against which the list is verified.
"""

from pathlib import Path

from lxml import etree

from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.canadian_listings import (
    CanadianListing,
    create_known_listing,
    create_known_person,
    create_listings,
)
from bonafide_sandbox.generator.changes.known_changes import find_known_listings
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.formats.standalone_list import write_document
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import StandaloneListWriterFactory, TargetFile
from bonafide_sandbox.writers.sanctions.sema_regulations import MEASURES, build_regulations, to_resource_name

TAGS = {
    "regime": "Country-Pays",
    "last_name": "LastName-NomDeFamille",
    "given_name": "GivenName-Prenom",
    "entity": "EntityOrShip-EntiteOuNavire",
    "title": "TitleOrShipType-TitreOuTypeDeNavire",
    "imo": "ShipIMONumber-NumeroOMIDuNavire",
    "aliases": "Aliases-Alias",
    "born_or_built": "DateOfBirthOrShipBuildDate-DateDeNaissanceOuDateDeConstructionDuNavire",
    "schedule": "Schedule-Annexe",
    "item": "Item-NumeroDarticle",
    "listed": "DateOfListing-DateDinscription",
}
"""The XML tag of each listing field, in file order."""
_SOURCE = "ca-sanctions-autonomous"


def _law(number: str) -> TargetFile:
    return TargetFile(_SOURCE, to_resource_name(number), f"{_SOURCE}/{number.replace('/', '-')}.xml", DeliveryRoute.DOWNLOAD)


class AutonomousSanctionsWriter:
    """Writes the list. Apart from the fixed businesses on it, it does not depend on the world's businesses."""

    targets = (
        TargetFile(_SOURCE, "sema_lmes", f"{_SOURCE}/sema-lmes.xml", DeliveryRoute.DOWNLOAD),
        *(_law(measure["number"]) for measure in MEASURES),
    )

    def __init__(self, folder: Path, seed: int, day: int) -> None:
        self._folder = folder
        self._seed = seed
        self._listings = [*create_listings(seed, day), *map(create_known_person, find_known_listings(day))]

    def take(self, business: SandboxBusiness) -> None:
        """Ignore the business: the list contains no generated businesses."""

    def list_known(self, fixed: KnownBusiness) -> None:
        """Add a fixed business."""
        self._listings.append(create_known_listing(fixed))

    def close(self) -> None:
        """Write the list and the regulations."""
        path = self._folder / self.targets[0].path
        path.parent.mkdir(parents=True, exist_ok=True)
        root = etree.Element("data-set")
        for listing in self._listings:
            _add_record(root, listing)
        write_document(root, path)
        for number, law in build_regulations(self._listings, self._seed):
            write_document(law, self._folder / _law(number).path)


def _add_record(root: etree._Element, listing: CanadianListing) -> None:
    record = etree.SubElement(root, "record")
    for field, tag in TAGS.items():
        value = getattr(listing, field)
        if value is not None:
            etree.SubElement(record, tag).text = value


WRITERS = (StandaloneListWriterFactory("ca-sanctions-autonomous", AutonomousSanctionsWriter),)
