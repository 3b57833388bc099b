"""The verification form: its initial values, and the `VerifyRequest` that is parsed from it.

People are rows, `people.0.name` and `people.0.role`; rows without a name are ignored.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData

from bonafide.console.frame.forms import FormSubmission, list_problems, parse_form
from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.query import AddressInput
from bonafide.model.records.business_input import PersonInput
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.verification.requests import VerifyRequest
from bonafide.services.verification.spec import VerificationSpec
from bonafide.web.validation_errors import to_api_error

MIN_PEOPLE_ROWS = 3
"""Initial rows for people. A button adds another."""
MAX_PEOPLE_ROWS = 50
ADD_BUTTON = "add"
"""The name of the button that adds a row."""
ADDRESS_FIELDS = ("street", "unit", "city", "province", "postalCode", "country")


@dataclass(frozen=True, slots=True)
class VerificationFormValues:
    """The values of the form's fields by name, and the rows of people."""

    fields: Mapping[str, str] = field(default_factory=dict)
    people: tuple[tuple[str, str], ...] = ()

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The people, followed by empty rows."""
        return (*self.people, *[("", "")] * max(MIN_PEOPLE_ROWS - len(self.people), 0))


def values_from_form(form: FormData) -> VerificationFormValues:
    """The submitted values, with an additional row if the button for it was pressed."""
    fields = {name: value for name, value in form.items() if isinstance(value, str)}
    rows = tuple(_read_people_rows(form))
    return VerificationFormValues(fields, (*rows, ("", "")) if ADD_BUTTON in form else rows)


def values_from_record(record: BusinessRecord) -> VerificationFormValues:
    """The values of a business record."""
    address = next((one for one in (record.address, *record.addresses) if _read_address_fields(one)), record.address)
    people = tuple((person.name, ", ".join(person.roles)) for person in record.people[:MAX_PEOPLE_ROWS])
    identity = {"legalName": record.name, "jurisdiction": record.jurisdiction, "registrationNumber": record.registration_number}
    return VerificationFormValues(
        {**_drop_missing(identity), **_read_address_fields(address), "businessId": str(record.id)}, people
    )


def values_from_spec(spec: VerificationSpec) -> VerificationFormValues:
    """The values of an earlier verification."""
    subject = spec.subject
    number = subject.registration_number
    identity = {"legalName": subject.legal_name, "jurisdiction": subject.jurisdiction, "registrationNumber": number}
    address = _read_address_fields(subject.address) if subject.address is not None else {}
    people = tuple((person.name, ", ".join(person.roles)) for person in subject.people[:MAX_PEOPLE_ROWS])
    options = {"sanctionsScreening": "true"} if spec.sanctions_threshold is not None else {}
    return VerificationFormValues({**_drop_missing(identity), **address, **options}, people)


def parse_verify_request(form: FormData) -> FormSubmission[VerifyRequest]:
    """The verification request. The form contains everything to compare, even if a business record prefilled it."""
    sent = parse_form(VerifyRequest, form)
    people, problems = _parse_people(form)
    if sent.value is None or problems:
        return FormSubmission(None, form, {**sent.problems, **problems})
    address = sent.value.address if sent.value.address is not None and _read_address_fields(sent.value.address) else None
    if address is None and sent.value.refers_to_record:
        # An empty address means that no address is compared, not that the record's address is.
        address = AddressInput()
    return FormSubmission(sent.value.model_copy(update={"people": people, "address": address}), form)


def _parse_people(form: FormData) -> tuple[tuple[PersonInput, ...], dict[str, Message]]:
    people: list[PersonInput] = []
    problems: dict[str, Message] = {}
    for number, (name, role) in enumerate(_read_people_rows(form)):
        if name.strip() == "" and role.strip() == "":
            continue
        try:
            people.append(PersonInput.model_validate(_drop_missing({"name": name.strip(), "role": role.strip() or None})))
        except ValidationError as error:
            refused = list_problems(to_api_error(error, PersonInput))
            problems |= {f"people.{number}.{path}": message for path, message in refused.items()}
    return tuple(people), problems


def _read_people_rows(form: FormData) -> Iterator[tuple[str, str]]:
    for number in range(MAX_PEOPLE_ROWS):
        name, role = (form.get(f"people.{number}.{part}") for part in ("name", "role"))
        if not isinstance(name, str):
            return
        yield name, role if isinstance(role, str) else ""


def _read_address_fields(address: Document) -> dict[str, str]:
    given = {part: getattr(address, "postal_code" if part == "postalCode" else part) for part in ADDRESS_FIELDS}
    return {f"address.{part}": value for part, value in _drop_missing(given).items()}


def _drop_missing(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items() if value is not None}
