"""OFAC's two lists as enhanced XML: publication data, reference values, then one entity per party.

Only elements that describe a party are written, in the publisher's form and with reference ids. `generator.ofac_parties` generates
the parties.
"""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from lxml import etree

from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.ofac_parties import SandboxOfacName, SandboxOfacParty, create_ofac_parties
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import StandaloneListWriterFactory, TargetFile

NAMESPACE = "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ENHANCED_XML"
_WORDS = {
    "SDN TYPE": ("Individual", "Entity", "Vessel", "Aircraft"),
    "ALIAS TYPE": ("A.K.A.", "F.K.A."),
    "SCRIPT": ("Latin", "Cyrillic"),
    "ENTITY LISTING TYPE": ("SDN List", "Consolidated List", "Sectoral Sanctions Identifications List"),
}
_LATIN, _CYRILLIC = "Latin", "Cyrillic"


class OfacWriter:
    """Writes one of the two lists. The lists share no entities and contain no businesses of the world."""

    source: str
    resource: str
    file: str
    lists: tuple[str, ...]
    """The lists whose entities the file contains. The last one is the list that the file publishes."""
    measure: str
    shares: dict[str, int]

    def __init__(self, folder: Path, seed: int, day: int) -> None:
        self.targets: Sequence[TargetFile] = (
            TargetFile(self.source, self.resource, f"{self.source}/{self.file}", DeliveryRoute.DOWNLOAD),
        )
        self._path = folder / self.targets[0].path
        self._parties = create_ofac_parties(seed, self.lists[-1], self.shares, day)

    def take(self, business: SandboxBusiness) -> None:
        """Ignore the business: the list contains no businesses of the world."""

    def list_known(self, fixed: KnownBusiness) -> None:
        """Ignore the fixed business: the list contains none."""

    def close(self) -> None:
        """Write the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        document = _Document(self.lists, self.measure)
        root = document.root(self._parties)
        etree.ElementTree(root).write(str(self._path), encoding="utf-8", xml_declaration=True, pretty_print=True)


class OfacSdnWriter(OfacWriter):
    """Writes the SDN list, whose parties' assets are blocked."""

    source, resource, file = "us-sanctions-ofac-sdn", "sdn_enhanced", "sdn_enhanced.xml"
    lists = ("SDN List",)
    measure = "Block"
    shares = {"Individual": 150, "Entity": 150, "Vessel": 40, "Aircraft": 12}  # noqa: RUF012 - a constant of the class


class OfacConsolidatedWriter(OfacWriter):
    """Writes the consolidated list of all other sanctions."""

    source, resource, file = "us-sanctions-ofac-consolidated", "cons_enhanced", "cons_enhanced.xml"
    lists = ("Sectoral Sanctions Identifications List", "Consolidated List")
    measure = "13662 Sectoral Directive 1"
    shares = {"Individual": 12, "Entity": 48}  # noqa: RUF012 - a constant of the class


class _Document:
    """The element tree of a file, with id allocation."""

    def __init__(self, lists: tuple[str, ...], measure: str) -> None:
        self._lists = lists
        self._measure = measure
        self._ids = count(1)
        words = [(kind, word) for kind, listed in _WORDS.items() for word in listed]
        self._words = {word: (kind, str(600 + place)) for place, (kind, word) in enumerate(words)}

    def root(self, parties: list[SandboxOfacParty]) -> etree._Element:
        """Return the root element."""
        root = etree.XML(f'<sanctionsData xmlns="{NAMESPACE}"/>')
        head = _add(root, "publicationInfo")
        _add(head, "dataAsOf", f"{TODAY}T00:00:00")
        lists = _add(_add(head, "filters"), "sanctionsLists")
        self._word(lists, "sanctionsList", self._lists[-1])
        values = _add(root, "referenceValues")
        for word, (kind, number) in self._words.items():
            value = _add(values, "referenceValue", refId=number)
            _add(value, "type", kind)
            _add(value, "value", word)
        entities = _add(root, "entities")
        for party in parties:
            self._entity(entities, party)
        return root

    def _word(self, parent: etree._Element, tag: str, word: str, **attributes: str) -> None:
        """Return a reference value with its id in the file's reference list."""
        _, number = self._words[word]
        _add(parent, tag, word, refId=number, **attributes)

    def _id(self) -> str:
        return str(next(self._ids))

    def _entity(self, entities: etree._Element, party: SandboxOfacParty) -> None:
        entity = _add(entities, "entity", id=str(party.number))
        general = _add(entity, "generalInfo")
        _add(general, "identityId", self._id())
        self._word(general, "entityType", party.kind)
        if party.title is not None:
            _add(general, "title", party.title)
        lists = _add(entity, "sanctionsLists")
        for listing in self._lists:
            self._word(lists, "sanctionsList", listing, id=self._id(), datePublished=party.listed.isoformat())
        _add(_add(entity, "sanctionsPrograms"), "sanctionsProgram", party.program, refId="91000", id=self._id())
        _add(_add(entity, "sanctionsTypes"), "sanctionsType", self._measure, refId="1705", id=self._id())
        names = _add(entity, "names")
        for name in party.names:
            self._name(names, name, party.kind)
        self._address(_add(entity, "addresses"), party)
        self._details(entity, party)

    def _name(self, names: etree._Element, name: SandboxOfacName, kind: str) -> None:
        element = _add(names, "name", id=self._id())
        _add(element, "isPrimary", "true" if name.kind is None else "false")
        if name.kind is not None:
            self._word(element, "aliasType", name.kind)
        _add(element, "isLowQuality", "true" if name.weak else "false")
        spellings = _add(element, "translations")
        self._spelling(spellings, _LATIN, name.full, [(_part(name, kind), name.family), ("First Name", name.given)])
        if name.cyrillic is not None:
            self._spelling(spellings, _CYRILLIC, name.cyrillic, [(_part(name, kind), name.cyrillic)])

    def _spelling(self, spellings: etree._Element, script: str, full: str, parts: list[tuple[str, str | None]]) -> None:
        spelling = _add(spellings, "translation", id=self._id())
        _add(spelling, "isPrimary", "true" if script == _LATIN else "false")
        self._word(spelling, "script", script)
        _add(spelling, "formattedFullName", full)
        element = _add(spelling, "nameParts")
        for kind, text in parts:
            if text is not None:
                part = _add(element, "namePart", id=self._id())
                _add(part, "type", kind, refId="1520")
                _add(part, "value", text)

    def _address(self, addresses: etree._Element, party: SandboxOfacParty) -> None:
        address = _add(addresses, "address", id=self._id())
        _add(address, "country", party.country, refId="11000")
        spelling = _add(_add(address, "translations"), "translation", id=self._id())
        _add(spelling, "isPrimary", "true")
        self._word(spelling, "script", _LATIN)
        part = _add(_add(spelling, "addressParts"), "addressPart", id=self._id())
        _add(part, "type", "CITY", refId="1454")
        _add(part, "value", party.city)

    def _details(self, entity: etree._Element, party: SandboxOfacParty) -> None:
        features = _add(entity, "features")
        for kind, value in party.features:
            feature = _add(features, "feature", id=self._id())
            _add(feature, "type", kind, featureTypeId="8")
            _add(feature, "value", value)
            _add(feature, "isPrimary", "true")
        documents = _add(entity, "identityDocuments")
        for kind, number, country in party.documents:
            document = _add(documents, "identityDocument", id=self._id())
            _add(document, "type", kind, refId="1570")
            _add(document, "documentNumber", number)
            _add(document, "isValid", "true")
            if country is not None:
                _add(document, "issuingCountry", country, refId="11000")


def _part(name: SandboxOfacName, kind: str) -> str:
    """Return the list's term for the first part of a name."""
    if kind == "Individual":
        return "Nickname" if name.weak else "Last Name"
    return f"{kind} Name"


def _add(parent: etree._Element, tag: str, text: str | None = None, **attributes: str) -> etree._Element:
    element = etree.SubElement(parent, f"{{{NAMESPACE}}}{tag}", attributes)
    element.text = text
    return element


WRITERS = (
    StandaloneListWriterFactory("us-sanctions-ofac-sdn", OfacSdnWriter),
    StandaloneListWriterFactory("us-sanctions-ofac-consolidated", OfacConsolidatedWriter),
)
