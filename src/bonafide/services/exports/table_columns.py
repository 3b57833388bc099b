"""The columns of exported tables: where each value is in a stored document."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from pydantic import JsonValue

DOCUMENT = "document"
"""The last column of every table: the whole document as JSON."""


class ExportedTable(StrEnum):
    """What can be exported."""

    SEARCHES = "searches"
    VERIFICATIONS = "verifications"
    SCREENINGS = "screenings"
    BUSINESSES = "businesses"
    EVENTS = "events"


class ColumnType(StrEnum):
    """The type of a column."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "count"
    FLAG = "flag"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class ExportedColumn:
    """A column: its name, its type, and the path of its value in the document. Digits of a path are positions in an array."""

    name: str
    path: str
    type: ColumnType = ColumnType.TEXT

    def read(self, document: JsonValue) -> Any:
        """The value; None if the document has none."""
        value: Any = document
        for part in self.path.split("."):
            if isinstance(value, dict):
                value = value.get(part)
            elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
                value = value[int(part)]
            else:
                return None
        if value is not None and self.type is ColumnType.INSTANT:
            return datetime.fromisoformat(value)
        return value


_TEXT, _NUMBER, _COUNT, _FLAG, _INSTANT = ColumnType
COLUMNS: Mapping[ExportedTable, tuple[ExportedColumn, ...]] = MappingProxyType({
    ExportedTable.SEARCHES: (
        ExportedColumn("id", "meta.searchId"),
        ExportedColumn("searchedAt", "meta.searchedAt", _INSTANT),
        ExportedColumn("searchedBy", "meta.searchedBy"),
        ExportedColumn("name", "meta.submitted.name"),
        ExportedColumn("businessId", "meta.submitted.businessId"),
        ExportedColumn("status", "meta.status"),
        ExportedColumn("durationMs", "meta.duration", _COUNT),
        ExportedColumn("score", "businesses.0.legalName.matchScore", _NUMBER),
        ExportedColumn("matchName", "businesses.0.legalName.name"),
        ExportedColumn("jurisdiction", "businesses.0.jurisdiction"),
        ExportedColumn("registrationNumber", "businesses.0.registrationNumbers.0.value"),
        ExportedColumn("registrationStatus", "businesses.0.status"),
        ExportedColumn("selection", "matchSelection.status"),
        ExportedColumn("sanctionsMatches", "sanctions.totalMatches", _COUNT),
        ExportedColumn("openHits", "sanctions.openHits", _COUNT),
        ExportedColumn("riskBand", "risk.band"),
    ),
    ExportedTable.VERIFICATIONS: (
        ExportedColumn("id", "meta.verificationId"),
        ExportedColumn("verifiedAt", "meta.verifiedAt", _INSTANT),
        ExportedColumn("verifiedBy", "meta.verifiedBy"),
        ExportedColumn("businessId", "meta.businessId"),
        ExportedColumn("externalId", "meta.externalId"),
        ExportedColumn("legalName", "meta.submitted.legalName"),
        ExportedColumn("jurisdiction", "meta.submitted.jurisdiction"),
        ExportedColumn("registrationNumber", "meta.submitted.registrationNumber"),
        ExportedColumn("outcome", "results.status"),
        ExportedColumn("discrepancies", "results.discrepancyCount", _COUNT),
        ExportedColumn("nameScore", "results.fields.legalName.score", _NUMBER),
        ExportedColumn("registryName", "registryData.legalName"),
        ExportedColumn("registryStatus", "registryData.status"),
        ExportedColumn("source", "registryData.source"),
        ExportedColumn("durationMs", "meta.duration", _COUNT),
    ),
    ExportedTable.SCREENINGS: (
        ExportedColumn("id", "meta.screeningId"),
        ExportedColumn("screenedAt", "meta.screenedAt", _INSTANT),
        ExportedColumn("screenedBy", "meta.screenedBy"),
        ExportedColumn("businessId", "meta.submitted.businessId"),
        ExportedColumn("name", "meta.submitted.query"),
        ExportedColumn("status", "meta.status"),
        ExportedColumn("totalMatches", "screening.totalMatches", _COUNT),
        ExportedColumn("openHits", "screening.openHits", _COUNT),
        ExportedColumn("score", "screening.matches.0.legalName.matchScore", _NUMBER),
        ExportedColumn("listedName", "screening.matches.0.legalName.name"),
        ExportedColumn("source", "screening.matches.0.source"),
        ExportedColumn("entryId", "screening.matches.0.entryId"),
    ),
    ExportedTable.BUSINESSES: (
        ExportedColumn("id", "id"),
        ExportedColumn("externalId", "externalId"),
        ExportedColumn("name", "name"),
        ExportedColumn("jurisdiction", "jurisdiction"),
        ExportedColumn("registrationNumber", "registrationNumber"),
        ExportedColumn("city", "address.city"),
        ExportedColumn("province", "address.province"),
        ExportedColumn("naicsCode", "naicsCode"),
        ExportedColumn("verificationStatus", "verificationStatus"),
        ExportedColumn("lastVerifiedAt", "lastVerifiedAt", _INSTANT),
        ExportedColumn("lastScreenedAt", "lastScreenedAt", _INSTANT),
        ExportedColumn("isMonitored", "isMonitored", _FLAG),
        ExportedColumn("isArchived", "isArchived", _FLAG),
        ExportedColumn("riskBand", "risk.band"),
        ExportedColumn("createdAt", "createdAt", _INSTANT),
        ExportedColumn("updatedAt", "updatedAt", _INSTANT),
    ),
    ExportedTable.EVENTS: (
        ExportedColumn("id", "id"),
        ExportedColumn("sequence", "sequence", _COUNT),
        ExportedColumn("occurredAt", "occurredAt", _INSTANT),
        ExportedColumn("type", "type"),
        ExportedColumn("severity", "severity"),
        ExportedColumn("businessId", "business.id"),
        ExportedColumn("businessName", "business.name"),
        ExportedColumn("subjectKind", "subject.kind"),
        ExportedColumn("subjectName", "subject.name"),
        ExportedColumn("field", "changes.0.field"),
        ExportedColumn("source", "source.key"),
    ),
})  # fmt: skip
"""The columns of each table, before `document`. The order and the names stay the same from release to release."""
