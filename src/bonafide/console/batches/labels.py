"""Labels and badge colours of the codes of batches."""

from bonafide.i18n.message import Message, context_message
from bonafide.model.batches.batch import BatchAction, BatchKind, BatchStatus

KINDS = {
    BatchKind.SCREEN: Message("Screen against sanctions lists"),
    BatchKind.SEARCH: Message("Search the registers"),
    BatchKind.VERIFY: Message("Verify against the register"),
}
"""What is done with each row."""
STATUS = {
    BatchStatus.QUEUED: (Message("Queued"), ""),
    BatchStatus.RUNNING: (Message("In progress"), "note"),
    BatchStatus.PAUSED: (Message("Paused"), "warn"),
    BatchStatus.COMPLETED: (context_message("batch", "Completed"), "good"),
    BatchStatus.FAILED: (Message("Failed"), "bad"),
    BatchStatus.CANCELLED: (context_message("batch", "Cancelled"), ""),
}
"""The label and the colour of each status."""
ACTIONS = {
    BatchAction.PAUSE: Message("Pause"),
    BatchAction.RESUME: Message("Resume"),
    BatchAction.CANCEL: Message("Cancel the batch"),
}
FIELDS = {
    "name": Message("Name"),
    "reference": Message("Your reference"),
    "entityType": Message("Type"),
    "countries": Message("Countries"),
    "dateOfBirth": Message("Date of birth"),
    "jurisdiction": Message("Jurisdiction"),
    "registrationNumber": Message("Registration number"),
    "street": Message("Street"),
    "unit": Message("Unit"),
    "city": Message("City"),
    "province": Message("Province or territory"),
    "postalCode": Message("Postal code"),
    "country": Message("Country"),
    "people": Message("People"),
}
"""The fields of a row, by their names in a mapping."""
