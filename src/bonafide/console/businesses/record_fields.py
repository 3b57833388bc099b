"""The fields of a business record as people read and edit them: labels, groups, input kinds.

Names are those of the wire; `model/records/business_input` validates the values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bonafide.model.records.business_record import BusinessRecord, MainAddress


class FieldInputKind(StrEnum):
    """How a field is typed in."""

    LINE = "line"
    LINES = "lines"
    """Several texts, a line each."""
    PROSE = "prose"
    JURISDICTION = "jurisdiction"


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field: its name on the wire, and what it is called in English."""

    name: str
    label: str
    kind: FieldInputKind = FieldInputKind.LINE
    hint: str = ""


@dataclass(frozen=True, slots=True)
class RecordFieldGroup:
    """Fields that belong together."""

    label: str
    fields: tuple[RecordField, ...]


@dataclass(frozen=True, slots=True)
class RepeatedFields:
    """A list of objects: its name on the wire, what it is called, and the fields of one."""

    name: str
    label: str
    fields: tuple[RecordField, ...]


_DAY = "YYYY-MM-DD, YYYY-MM or YYYY"
GROUPS = (
    RecordFieldGroup(
        "Names",
        (
            RecordField("name", "Name"),
            RecordField("operatingNames", "Operating names", FieldInputKind.LINES, "One on each line"),
            RecordField("externalId", "Your own id", hint="By which your other systems know the business"),
        ),
    ),
    RecordFieldGroup(
        "Registration",
        (
            RecordField("jurisdiction", "Jurisdiction", FieldInputKind.JURISDICTION),
            RecordField("registrationNumber", "Registration number"),
            RecordField("businessNumber", "Business number"),
            RecordField("entityType", "Kind of entity"),
            RecordField("registryStatus", "Status"),
            RecordField("incorporationDate", "Incorporated", hint=_DAY),
            RecordField("incorporationYear", "Year of incorporation"),
        ),
    ),
    RecordFieldGroup(
        "Address",
        (
            RecordField("street", "Street"),
            RecordField("unit", "Unit"),
            RecordField("city", "City"),
            RecordField("province", "Province"),
            RecordField("postalCode", "Postal code"),
            RecordField("country", "Country"),
        ),
    ),
    RecordFieldGroup(
        "Contact",
        (
            RecordField("website", "Web site"),
            RecordField("additionalWebsites", "Other web sites", FieldInputKind.LINES, "One on each line"),
            RecordField("phoneNumber", "Telephone"),
            RecordField("email", "E-mail"),
        ),
    ),
    RecordFieldGroup(
        "Business",
        (
            RecordField("industry", "Industry"),
            RecordField("industryCategory", "Category of industry"),
            RecordField("naicsCode", "NAICS code"),
            RecordField("naicsCodeName", "NAICS name"),
            RecordField("businessDescription", "Description", FieldInputKind.PROSE),
            RecordField("originationDate", "Customer since", hint=_DAY),
            RecordField("notes", "Notes", FieldInputKind.PROSE),
        ),
    ),
)
REPEATED = (
    RepeatedFields(
        "people",
        "People",
        (RecordField("name", "Name"), RecordField("roles", "Roles", hint="Between semicolons"), RecordField("email", "E-mail")),
    ),
    RepeatedFields(
        "registrations",
        "Further registrations",
        (RecordField("label", "Kind"), RecordField("value", "Number"), RecordField("jurisdiction", "Jurisdiction")),
    ),
    RepeatedFields(
        "addresses",
        "Further addresses",
        (
            RecordField("type", "Kind"),
            RecordField("street", "Street"),
            RecordField("unit", "Unit"),
            RecordField("city", "City"),
            RecordField("province", "Province"),
            RecordField("postalCode", "Postal code"),
            RecordField("country", "Country"),
            RecordField("raw", "In one line"),
        ),
    ),
)
_ADDRESS = frozenset(str(field.alias) for field in MainAddress.model_fields.values())
_OTHERS = {
    "isMonitored": "Monitored",
    "isArchived": "Archived",
    "sourceEntityType": "Kind of entity in the register",
    "sourceUrls": "Pages in the register",
    "verificationStatus": "Verification",
    "lastVerifiedAt": "Last verified",
    "lastVerificationJobId": "Last verification begun",
    "latestVerificationId": "Newest verification",
    "hasUnresolvedDiscrepancies": "Open discrepancies",
    "lastSearchedAt": "Last searched",
    "lastSearchJobId": "Last search",
    "lastScreenedAt": "Last screened",
    "createdAt": "Made",
    "updatedAt": "Changed",
}
_LABELS = {
    **{field.name: field.label for group in GROUPS for field in group.fields},
    **{part.name: part.label for part in REPEATED},
    **_OTHERS,
}


def get_field_label(path: str) -> str:
    """The English label of an audited field (`address.city`, `people`); of an unknown one its name."""
    return _LABELS.get(path.removeprefix("address."), path)


def get_audit_path(name: str) -> str:
    """The path of a field in the audit log; parts of the main address are below `address`."""
    return f"address.{name}" if name in _ADDRESS else name


def build_field_anchor(path: str) -> str:
    """Where on the form the field of a problem (`people.0.name`) stands."""
    return f"field-{path.replace('.', '-')}"


def get_display_name(record: BusinessRecord) -> str:
    """What a person calls the record: by its name, else by whatever tells it from others."""
    names = (record.name, record.external_id, record.registration_number)
    return next((name for name in names if name is not None), str(record.id))


def list_used_fields(part: RepeatedFields, elements: Sequence[Mapping[str, Any]]) -> Sequence[RecordField]:
    """The fields of a list's elements that at least one of them has."""
    return [field for field in part.fields if any(element[field.name] not in (None, []) for element in elements)]


def build_field_values(record: BusinessRecord) -> dict[str, Any]:
    """The record's values by the names of its fields; the parts of the address stand beside the others."""
    dumped = record.model_dump(mode="json", by_alias=True)
    return {**dumped, **dumped["address"]}
