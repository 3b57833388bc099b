"""Labels and colours of the codes of manual checks."""

from types import MappingProxyType

from bonafide.i18n.message import Message, context_message
from bonafide.model.manual_checks.manual_check import ManualCheckOrigin, ManualCheckStatus

STATUS = MappingProxyType({
    ManualCheckStatus.OPEN: context_message("manual checks", "Open"),
    ManualCheckStatus.DONE: context_message("manual checks", "Done"),
    ManualCheckStatus.CANCELLED: context_message("manual checks", "Cancelled"),
})  # fmt: skip
STATUS_COLOUR = MappingProxyType({ManualCheckStatus.OPEN: "warn", ManualCheckStatus.DONE: "good"})
ORIGIN = MappingProxyType({
    ManualCheckOrigin.SEARCH: Message("A search could not query the register"),
    ManualCheckOrigin.VERIFICATION: Message("A verification could not query the register"),
    ManualCheckOrigin.REQUEST: Message("Created by a person"),
    ManualCheckOrigin.RENEWAL: Message("The last result has become too old"),
})  # fmt: skip
FIELDS = MappingProxyType({
    "found": Message("Is the business in the register?"),
    "name": Message("Legal name"),
    "registrationNumber": Message("Registration number"),
    "status": Message("Status in the register’s words"),
    "statusCode": Message("Meaning of the status"),
    "people": Message("People"),
    "address": Message("Registered address"),
    "recordType": Message("What you consulted"),
    "note": Message("Note (optional)"),
    "retrievedAt": Message("Seen on"),
    "attachmentId": Message("Page or extract"),
    "file": Message("Page or extract"),
})  # fmt: skip
"""The labels of the fields of the form by the paths of the request."""
