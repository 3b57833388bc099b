"""GLEIF's golden copies of relationship records and reporting exceptions, for the entities that have an LEI in the sandbox."""

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator import check_digits
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile
from bonafide_sandbox.writers.regulators.gleif import ONE_IN, PREFIX, build_cells, has_lei

SOURCE = "gleifRelationships"
_NUMBERED = range(1, 6)
RELATIONSHIP_COLUMNS = (
    *(f"Relationship.{node}.{name}" for node in ("StartNode", "EndNode") for name in ("NodeID", "NodeIDType")),
    *("Relationship.RelationshipType", "Relationship.RelationshipStatus"),
    *(f"Relationship.Period.{place}.{name}" for place in _NUMBERED for name in ("startDate", "endDate", "periodType")),
    *(f"Relationship.Qualifiers.{place}.Qualifier{name}" for place in _NUMBERED for name in ("Dimension", "Category")),
    *(
        f"Relationship.Quantifiers.{place}.{name}"
        for place in _NUMBERED
        for name in ("MeasurementMethod", "QuantifierAmount", "QuantifierUnits")
    ),
    *("Registration.InitialRegistrationDate", "Registration.LastUpdateDate", "Registration.RegistrationStatus"),
    *("Registration.NextRenewalDate", "Registration.ManagingLOU", "Registration.ValidationSources"),
    *("Registration.ValidationDocuments", "Registration.ValidationReference"),
)
"""The 54 columns of relationship records, in order."""
EXCEPTION_COLUMNS = (
    *("LEI", "Exception.Category"),
    *(f"Exception.{name}.{place}" for name in ("Reason", "Reference") for place in _NUMBERED),
)
DIRECT, ULTIMATE = "IS_DIRECTLY_CONSOLIDATED_BY", "IS_ULTIMATELY_CONSOLIDATED_BY"
CATEGORIES = tuple(f"{which}_ACCOUNTING_CONSOLIDATION_PARENT" for which in ("DIRECT", "ULTIMATE"))
REASONS = ("NATURAL_PERSONS", "NO_KNOWN_PERSON", "NON_CONSOLIDATING", "NO_LEI", "NON_PUBLIC")
FORMS = ("parent in Canada", "parent abroad", "exception", "exception", "nothing")
"""What an entity reports, by its random bits."""


def _name_file(kind: str) -> str:
    return f"{TODAY:%Y%m%d}-0000-gleif-goldencopy-{kind}-golden-copy.csv"


class _PackedTable:
    """One CSV file in a ZIP archive, compressed as it is written. All cells are quoted, as in the real file."""

    def __init__(self, path: Path, name: str, columns: Sequence[str]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._columns = columns
        self._archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        member = zipfile.ZipInfo(name, TODAY.timetuple()[:6])
        member.compress_type = zipfile.ZIP_DEFLATED
        self._text = io.TextIOWrapper(self._archive.open(member, "w", force_zip64=True), "utf-8", newline="")
        self._writer = csv.writer(self._text, quoting=csv.QUOTE_ALL, lineterminator="\n")
        self._writer.writerow(columns)

    def write(self, cells: Mapping[str, str]) -> None:
        self._writer.writerow([cells.get(column, "") for column in self._columns])

    def close(self) -> None:
        self._text.close()
        self._archive.close()


class RelationshipsWriter:
    """Writes what each entity reports. A Canadian parent is the entity that was written before."""

    targets = (
        TargetFile(SOURCE, "relationships", f"gleif/{_name_file('rr')}.zip", DeliveryRoute.DOWNLOAD),
        TargetFile(SOURCE, "exceptions", f"gleif/{_name_file('repex')}.zip", DeliveryRoute.DOWNLOAD),
    )

    def __init__(self, folder: Path, _seed: int) -> None:
        relationships, exceptions = (folder / target.path for target in self.targets)
        self._relationships = _PackedTable(relationships, _name_file("rr"), RELATIONSHIP_COLUMNS)
        self._exceptions = _PackedTable(exceptions, _name_file("repex"), EXCEPTION_COLUMNS)
        self._previous: str | None = None

    def take(self, business: SandboxBusiness) -> None:
        """Write what the business reports if it has an LEI."""
        if has_lei(business):
            self._add(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Write what a fixed business reports."""
        self._add(fixed.business)

    def close(self) -> None:
        """Finish the files."""
        self._relationships.close()
        self._exceptions.close()

    def _add(self, business: SandboxBusiness) -> None:
        lei, bits = build_cells(business)["LEI"], business.random_bits // ONE_IN
        form = FORMS[bits % len(FORMS)]
        if form == "parent in Canada" and self._previous is not None:
            self._write_parents(lei, self._previous, bits)
        elif form == "parent abroad":
            payload = f"{PREFIX}SBP{bits % 1_000_000:09d}"
            self._write_parents(lei, payload + check_digits.compute_lei(payload), bits)
        elif form == "exception":
            self._write_exceptions(lei, REASONS[bits // len(FORMS) % len(REASONS)], CATEGORIES)
        self._previous = lei

    def _write_parents(self, lei: str, parent: str, bits: int) -> None:
        """Write a direct and an ultimate parent; one in eight relationships has ended."""
        has_ended = bits // len(FORMS) % 8 == 0
        for kind in (DIRECT, ULTIMATE):
            self._relationships.write(
                {
                    "Relationship.StartNode.NodeID": lei,
                    "Relationship.StartNode.NodeIDType": "LEI",
                    "Relationship.EndNode.NodeID": parent,
                    "Relationship.EndNode.NodeIDType": "LEI",
                    "Relationship.RelationshipType": kind,
                    "Relationship.RelationshipStatus": "INACTIVE" if has_ended else "ACTIVE",
                    "Relationship.Period.1.startDate": "2025-01-01T00:00:00.000Z",
                    "Relationship.Period.1.endDate": "2025-12-31T00:00:00.000Z",
                    "Relationship.Period.1.periodType": "ACCOUNTING_PERIOD",
                    "Relationship.Period.2.startDate": "2016-04-01T00:00:00.000Z",
                    "Relationship.Period.2.endDate": "2025-12-31T00:00:00.000Z" if has_ended else "",
                    "Relationship.Period.2.periodType": "RELATIONSHIP_PERIOD",
                    "Relationship.Qualifiers.1.QualifierDimension": "ACCOUNTING_STANDARD",
                    "Relationship.Qualifiers.1.QualifierCategory": "IFRS",
                    "Registration.InitialRegistrationDate": "2016-05-02T09:30:00Z",
                    "Registration.LastUpdateDate": "2026-02-03T10:00:00Z",
                    "Registration.RegistrationStatus": "RETIRED" if has_ended else "PUBLISHED",
                    "Registration.NextRenewalDate": "2027-03-02T09:30:00Z",
                    "Registration.ValidationSources": "FULLY_CORROBORATED",
                    "Registration.ValidationDocuments": "ACCOUNTS_FILING",
                }
            )

    def _write_exceptions(self, lei: str, reason: str, categories: Iterable[str]) -> None:
        for category in categories:
            self._exceptions.write({"LEI": lei, "Exception.Category": category, "Exception.Reason.1": reason})


WRITERS = (ListWriterFactory(SOURCE, tuple(Jurisdiction), RelationshipsWriter, follows_register=True),)
