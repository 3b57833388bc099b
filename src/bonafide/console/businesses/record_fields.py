"""The fields of the business record pages: labels, groups, input kinds.

Fields have the names of the API; `model/records/business_input` validates the values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic.alias_generators import to_camel

from bonafide.i18n.message import Message
from bonafide.model.records.business_input import FLAT_ADDRESS
from bonafide.model.records.business_record import BusinessRecord


class FieldInputKind(StrEnum):
    """The input of a field."""

    LINE = "line"
    LINES = "lines"
    """Several values, one per line."""
    PROSE = "prose"
    JURISDICTION = "jurisdiction"
    SWITCH = "switch"
    """Yes or no; yes in a new row."""


_NO_HINT = Message.untranslated("")


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field: its name in the API and its label."""

    name: str
    label: Message
    kind: FieldInputKind = FieldInputKind.LINE
    hint: Message = _NO_HINT


@dataclass(frozen=True, slots=True)
class RecordFieldGroup:
    """Fields that belong together."""

    label: Message
    fields: tuple[RecordField, ...]


@dataclass(frozen=True, slots=True)
class RepeatedFields:
    """A list of objects: its name in the API, its label, and the fields of an object."""

    name: str
    label: Message
    fields: tuple[RecordField, ...]


_DAY = Message("YYYY-MM-DD, YYYY-MM or YYYY")
GROUPS = (
    RecordFieldGroup(
        Message("Names"),
        (
            RecordField("name", Message("Name")),
            RecordField("operatingNames", Message("Operating names"), FieldInputKind.LINES, Message("One per line")),
            RecordField("externalId", Message("Your own ID"), hint=Message("The ID of the business in your other systems")),
        ),
    ),
    RecordFieldGroup(
        Message("Registration"),
        (
            RecordField("jurisdiction", Message("Jurisdiction"), FieldInputKind.JURISDICTION),
            RecordField("registrationNumber", Message("Registration number")),
            RecordField("businessNumber", Message("Business number (BN)")),
            RecordField("entityType", Message("Entity type")),
            RecordField("registryStatus", Message("Status")),
            RecordField("incorporationDate", Message("Incorporated"), hint=_DAY),
            RecordField("incorporationYear", Message("Year of incorporation")),
        ),
    ),
    RecordFieldGroup(
        Message("Address"),
        (
            RecordField("street", Message("Street")),
            RecordField("unit", Message("Unit")),
            RecordField("city", Message("City")),
            RecordField("province", Message("Province")),
            RecordField("postalCode", Message("Postal code")),
            RecordField("country", Message("Country")),
            RecordField("addressLabel", Message("Address type"), hint=Message("Such as registered office, mailing or records")),
        ),
    ),
    RecordFieldGroup(
        Message("Contact"),
        (
            RecordField("website", Message("Website")),
            RecordField("additionalWebsites", Message("Other websites"), FieldInputKind.LINES, Message("One per line")),
            RecordField("phoneNumber", Message("Phone")),
            RecordField("email", Message("Email")),
        ),
    ),
    RecordFieldGroup(
        Message("Business"),
        (
            RecordField("industry", Message("Industry")),
            RecordField("industryCategory", Message("Industry category")),
            RecordField("naicsCode", Message("NAICS code")),
            RecordField("naicsCodeName", Message("NAICS name")),
            RecordField("businessDescription", Message("Description"), FieldInputKind.PROSE),
            RecordField("originationDate", Message("Customer since"), hint=_DAY),
            RecordField("notes", Message("Notes"), FieldInputKind.PROSE),
        ),
    ),
)
REPEATED = (
    RepeatedFields(
        "people",
        Message("People"),
        (
            RecordField("name", Message("Name")),
            RecordField("roles", Message("Roles"), hint=Message("Separated by semicolons")),
            RecordField("email", Message("Email")),
            RecordField("isMonitored", Message("Monitored with the business"), FieldInputKind.SWITCH),
        ),
    ),
    RepeatedFields(
        "registrations",
        Message("Additional registrations"),
        (
            RecordField("label", Message("Type")),
            RecordField("value", Message("Number")),
            RecordField("jurisdiction", Message("Jurisdiction")),
        ),
    ),
    RepeatedFields(
        "addresses",
        Message("Additional addresses"),
        (
            RecordField("label", Message("Type")),
            RecordField("street", Message("Street")),
            RecordField("unit", Message("Unit")),
            RecordField("city", Message("City")),
            RecordField("province", Message("Province")),
            RecordField("postalCode", Message("Postal code")),
            RecordField("country", Message("Country")),
            RecordField("raw", Message("Full address")),
        ),
    ),
)
_ADDRESS = {to_camel(flat): to_camel(part) for part, flat in FLAT_ADDRESS.items()}
"""The part of the main address that each of its fields has."""
_ADDRESS_FIELDS = {f"address.{part}": name for name, part in _ADDRESS.items()}
_OTHERS = {
    "isMonitored": Message("Monitored"),
    "monitoring": Message("Monitoring"),
    "monitoring.enabled": Message("Monitoring enabled"),
    "monitoring.kinds.sanctions": Message("Monitoring of sanctions lists"),
    "monitoring.kinds.registry": Message("Monitoring of the register"),
    "monitoring.kinds.licences": Message("Monitoring of licences"),
    "monitoring.kinds.website": Message("Monitoring of the website"),
    "monitoring.kinds.verificationAge": Message("Monitoring of the age of the verification"),
    "monitoring.minSeverity": Message("Lowest severity of alerts"),
    "monitoring.verificationMaxAgeDays": Message("Verification due after days"),
    "monitoring.websiteIntervalDays": Message("Website read every (days)"),
    "isArchived": Message("Archived"),
    "sourceEntityType": Message("Entity type in the register"),
    "sourceUrls": Message("Register pages"),
    "verificationStatus": Message("Verification"),
    "lastVerifiedAt": Message("Last verified"),
    "lastVerificationJobId": Message("Last verification started"),
    "latestVerificationId": Message("Latest verification"),
    "hasUnresolvedDiscrepancies": Message("Open discrepancies"),
    "lastSearchedAt": Message("Last searched"),
    "lastSearchJobId": Message("Last search"),
    "lastScreenedAt": Message("Last screened"),
    "createdAt": Message("Created"),
    "updatedAt": Message("Updated"),
    "alert.acknowledged": Message("Alert acknowledged"),
    "legalHold.set": Message("Legal hold set"),
    "legalHold.lifted": Message("Legal hold lifted"),
}
_LABELS: Mapping[str, Message] = {
    **{field.name: field.label for group in GROUPS for field in group.fields},
    **{part.name: part.label for part in REPEATED},
    **_OTHERS,
}


def get_field_label(path: str) -> Message:
    """The label of an audited field (`address.city`, `people`); the name of an unknown one."""
    label = _LABELS.get(_ADDRESS_FIELDS.get(path, path))
    return label if label is not None else Message.untranslated(path)


def get_audit_path(name: str) -> str:
    """The path of a field in the audit log; parts of the main address are below `address`."""
    return f"address.{_ADDRESS[name]}" if name in _ADDRESS else name


def build_field_anchor(path: str) -> str:
    """The id of the form field of a problem (`people.0.name`)."""
    return f"field-{path.replace('.', '-')}"


def get_display_name(record: BusinessRecord) -> str:
    """The name of the record, or else its own id, registration number or id."""
    names = (record.name, record.external_id, record.registration_number)
    return next((name for name in names if name is not None), str(record.id))


def list_used_fields(part: RepeatedFields, elements: Sequence[Mapping[str, Any]]) -> Sequence[RecordField]:
    """The fields that at least one element of the list has."""
    return [field for field in part.fields if any(element[field.name] not in (None, []) for element in elements)]


def build_field_values(record: BusinessRecord) -> dict[str, Any]:
    """The record's values by the names of its fields; the parts of the address are included."""
    dumped = record.model_dump(mode="json", by_alias=True)
    return {**dumped, **{name: dumped["address"][part] for name, part in _ADDRESS.items()}}
