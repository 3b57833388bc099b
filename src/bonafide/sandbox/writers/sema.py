"""Canada's autonomous sanctions list as XML in the tags of August 2026: records without ids, fields that are there or not.

Its oddities are kept (padded names, several aliases in one text, dates in words). The listings are invented in `listings`.
"""

from pathlib import Path

from lxml import etree

from bonafide.sandbox.business import Business
from bonafide.sandbox.fixed import FixedBusiness
from bonafide.sandbox.listings import Listing, fixed_listing, invent_listings
from bonafide.sandbox.manifest import Route
from bonafide.sandbox.writers.base import Target

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
"""Field of a listing to its tag, in the order of the file."""


class SanctionsWriter:
    """The whole list; it does not depend on the businesses of the world, but for the fixed ones that it names."""

    targets = (Target("ca-sanctions-autonomous", "sema_lmes", "ca-sanctions-autonomous/sema-lmes.xml", Route.DOWNLOAD),)

    def __init__(self, folder: Path, seed: int) -> None:
        self._path = folder / self.targets[0].path
        self._listings = invent_listings(seed)

    def take(self, business: Business) -> None:
        """No business of the world is on the list."""

    def list_fixed(self, fixed: FixedBusiness) -> None:
        """Add a fixed business."""
        self._listings.append(fixed_listing(fixed))

    def close(self) -> None:
        """Write the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        root = etree.Element("data-set")
        for listing in self._listings:
            _add_record(root, listing)
        etree.ElementTree(root).write(str(self._path), encoding="UTF-8", xml_declaration=True, pretty_print=True)


def _add_record(root: etree._Element, listing: Listing) -> None:
    record = etree.SubElement(root, "record")
    for field, tag in TAGS.items():
        value = getattr(listing, field)
        if value is not None:
            etree.SubElement(record, tag).text = value
