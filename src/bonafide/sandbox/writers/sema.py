"""Canada's autonomous sanctions list as XML in the tags of August 2026: records without ids, fields that are there or not.

Its oddities are kept (padded names, several aliases in one text, dates in words). The listings are invented in `listings`; the
regulations that the list is held against are written in `sema_law`.
"""

from pathlib import Path

from lxml import etree

from bonafide.sandbox.business import Business
from bonafide.sandbox.fixed import FixedBusiness
from bonafide.sandbox.listings import Listing, fixed_listing, invent_listings
from bonafide.sandbox.manifest import Route
from bonafide.sandbox.writers.base import Target
from bonafide.sandbox.writers.sema_law import MEASURES, documents, resource_of
from bonafide.sandbox.writers.whole_list import write_document

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
_SOURCE = "ca-sanctions-autonomous"


def _law(number: str) -> Target:
    return Target(_SOURCE, resource_of(number), f"{_SOURCE}/{number.replace('/', '-')}.xml", Route.DOWNLOAD)


class SanctionsWriter:
    """The whole list; it does not depend on the businesses of the world, but for the fixed ones that it names."""

    targets = (
        Target(_SOURCE, "sema_lmes", f"{_SOURCE}/sema-lmes.xml", Route.DOWNLOAD),
        *(_law(measure["number"]) for measure in MEASURES),
    )

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._seed = seed
        self._listings = invent_listings(seed)

    def take(self, business: Business) -> None:
        """No business of the world is on the list."""

    def list_fixed(self, fixed: FixedBusiness) -> None:
        """Add a fixed business."""
        self._listings.append(fixed_listing(fixed))

    def close(self) -> None:
        """Write the list and the regulations."""
        path = self._folder / self.targets[0].path
        path.parent.mkdir(parents=True, exist_ok=True)
        root = etree.Element("data-set")
        for listing in self._listings:
            _add_record(root, listing)
        write_document(root, path)
        for number, law in documents(self._listings, self._seed):
            write_document(law, self._folder / _law(number).path)


def _add_record(root: etree._Element, listing: Listing) -> None:
    record = etree.SubElement(root, "record")
    for field, tag in TAGS.items():
        value = getattr(listing, field)
        if value is not None:
            etree.SubElement(record, tag).text = value
