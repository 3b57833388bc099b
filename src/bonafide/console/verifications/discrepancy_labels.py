"""Labels of the discrepancies of verifications."""

from types import MappingProxyType

from bonafide.i18n.message import Message

_LABELS = MappingProxyType({
    "legalName": Message("Legal name"),
    "registrationNumber": Message("Registration number"),
    "address": Message("Address"),
    "status": Message("Status of the business"),
    "registryOnly": Message("People, addresses and names only in the register"),
})  # fmt: skip
_PERSON = "people."


def get_discrepancy_label(field: str) -> Message:
    """The label of the field of a discrepancy; the name of an unknown field."""
    place = field.removeprefix(_PERSON)
    if field.startswith(_PERSON) and place.isdigit():
        return Message("Person {n}", n=int(place) + 1)
    return _LABELS.get(field, Message.untranslated(field))
