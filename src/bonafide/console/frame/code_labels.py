"""Labels and badge colours for the codes of the API.

A source's own wording is shown unchanged.
"""

from collections.abc import Mapping
from types import MappingProxyType

from bonafide.i18n.message import Message, context_message
from bonafide.model.entity import Part
from bonafide.model.loading import RunOutcome
from bonafide.sources.framework.metadata import AccessMethod, Cadence

Labels = Mapping[str, Message]
Colours = Mapping[str, str]
SOURCE_STATE = MappingProxyType({
    "loaded": Message("Loaded"),
    "live": Message("Live"),
    "stale": Message("Outdated"),
    "failed": Message("Failed"),
    "not loaded": Message("Not loaded"),
    "not available": Message("Not available"),
})  # fmt: skip
SOURCE_STATE_MEANING = MappingProxyType({
    "loaded": Message("In the index, with current data."),
    "live": Message("Queried directly for each search."),
    "stale": Message("In the index, with outdated data."),
    "failed": Message("The latest load failed. Older data may still be in use."),
    "not loaded": Message("Can be loaded, but isn’t."),
    "not available": Message("Can’t be checked automatically, only by a person."),
})  # fmt: skip
SOURCE_STATE_COLOUR = MappingProxyType({"loaded": "good", "live": "note", "stale": "warn", "failed": "bad"})
RUN_OUTCOME = MappingProxyType({
    RunOutcome.LOADED: Message("Loaded"),
    RunOutcome.REFUSED: Message("Rejected by checks"),
    RunOutcome.FAILED: Message("Failed"),
    RunOutcome.INTERRUPTED: Message("Interrupted"),
})  # fmt: skip
RUN_OUTCOME_COLOUR = MappingProxyType({RunOutcome.LOADED: "good", RunOutcome.REFUSED: "warn", RunOutcome.FAILED: "bad"})
ACCESS = MappingProxyType({
    AccessMethod.BULK: Message("Bulk file from the publisher"),
    AccessMethod.IMPORT: Message("File imported by the operator"),
    AccessMethod.LIVE: Message("Live lookups"),
    AccessMethod.NONE: Message("No automated access. A file can be imported."),
})  # fmt: skip
CADENCE = MappingProxyType({
    Cadence.DAILY: Message("Daily"),
    Cadence.WEEKLY: Message("Weekly"),
    Cadence.MONTHLY: Message("Monthly"),
    Cadence.YEARLY: Message("Yearly"),
    Cadence.IRREGULAR: Message("Irregular"),
    Cadence.SNAPSHOT: Message("Published once, not updated"),
})  # fmt: skip
PART = MappingProxyType({
    Part.ALTERNATE_NAMES: Message("other names"),
    Part.STATUS: Message("status"),
    Part.ENTITY_TYPE: Message("entity type"),
    Part.INCORPORATION_DATE: Message("date of incorporation"),
    Part.GOOD_STANDING: Message("good standing"),
    Part.ADDRESSES: Message("address"),
    Part.PEOPLE: Message("people"),
    Part.PEOPLE_ADDRESSES: Message("addresses of people"),
    Part.NAME_HISTORY: Message("former names"),
    Part.INDUSTRY: Message("industry"),
})  # fmt: skip


def _create_labels(**labels: Message) -> Labels:
    return MappingProxyType(labels)


def _create_colours(**colours: str) -> Colours:
    return MappingProxyType(colours)


STATUS = _create_labels(
    active=Message("Active"),
    inactive=Message("Inactive"),
    dissolved=Message("Dissolved"),
    amalgamated=Message("Amalgamated"),
    continued_out=Message("Continued elsewhere"),
    cancelled=Message("Cancelled"),
    pending_dissolution=Message("Dissolution pending"),
    unknown=Message("Unknown status"),
)
STATUS_COLOUR = _create_colours(active="good", pending_dissolution="warn", unknown="", amalgamated="note", continued_out="note")
"""Colours of statuses. A status without one means that the business has ceased to exist or to operate."""
SEVERITY = _create_labels(
    info=context_message("severity", "Information"),
    low=context_message("severity", "Low"),
    medium=context_message("severity", "Medium"),
    high=context_message("severity", "High"),
    critical=context_message("severity", "Critical"),
)
JURISDICTION = _create_labels(
    AB=Message("Alberta"),
    BC=Message("British Columbia"),
    MB=Message("Manitoba"),
    NB=Message("New Brunswick"),
    NL=Message("Newfoundland and Labrador"),
    NS=Message("Nova Scotia"),
    NT=Message("Northwest Territories"),
    NU=Message("Nunavut"),
    ON=Message("Ontario"),
    PE=Message("Prince Edward Island"),
    QC=Message("Quebec"),
    SK=Message("Saskatchewan"),
    YT=Message("Yukon"),
    FED=Message("Federal"),
)
FIELD = _create_labels(
    legalName=Message("Legal name"),
    registrationNumber=Message("Registration number"),
    registrations=Message("Registrations"),
    registrationNumbers=Message("Registration numbers"),
    businessNumber=Message("Business number (BN)"),
    jurisdiction=Message("Jurisdiction"),
    entityType=Message("Entity type"),
    registryStatus=Message("Status"),
    incorporationDate=Message("Incorporated"),
    address=Message("Address"),
    addresses=Message("Addresses"),
    people=Message("People"),
    identifiers=Message("Identifiers"),
    dateOfBirth=Message("Date of birth"),
    countries=Message("Countries"),
    emails=Message("Email"),
    phoneNumbers=Message("Phone"),
    descriptions=Message("Description"),
    street=Message("Street"),
    unit=Message("Unit"),
    city=Message("City"),
    province=Message("Province"),
    postalCode=Message("Postal code"),
    country=Message("Country"),
)
FIELD_STATUS = _create_labels(
    matched=context_message("field", "Match"),
    partial=Message("Partial match"),
    mismatched=Message("Discrepancy"),
    not_provided=Message("Not provided"),
    not_published=Message("Not published"),
    not_checked=Message("Not compared"),
)
FIELD_STATUS_COLOUR = _create_colours(matched="good", partial="warn", mismatched="bad")
WORD_DIFFERENCE = MappingProxyType({
    "equal": Message("Same word"),
    "slip": Message("Spelling difference"),
    "plural": Message("Singular or plural"),
    "shortened": Message("Abbreviation"),
    "initial": Message("Initial"),
    "equivalent": Message("Spelling variant"),
    "translated": Message("Translation"),
    "joined": Message("Joined or split"),
    "near number": Message("Similar number"),
    "nickname": Message("Name variant"),
    "acronym": Message("Acronym"),
    "official name": Message("Official name"),
    "cut off": Message("Cut off"),
    "sound": Message("Sounds alike"),
})  # fmt: skip
COVERAGE = _create_labels(
    searched=Message("Checked"),
    stale=Message("Outdated data"),
    failed=Message("Failed"),
    not_available=Message("Unavailable"),
    not_requested=Message("Not requested"),
)
COVERAGE_COLOUR = _create_colours(searched="good", stale="warn", failed="bad", not_available="warn")
CHECK = _create_labels(
    business_registry=Message("Business registers"),
    regulatory_registry=Message("Regulators"),
    sanctions_screening=Message("Sanctions lists"),
    website_analysis=Message("Website"),
    general=Message("Search"),
)
SOURCE_KIND = _create_labels(
    registry=Message("Business registers"),
    regulator=Message("Regulators"),
    sanctions=Message("Sanctions lists"),
    listing=Message("Other lists"),
    relationships=Message("Relationships"),
)
SEARCH_STATUS = MappingProxyType({
    "loading": Message("In progress"),
    "completed": Message("Completed"),
    "completed-with-errors": Message("Completed with errors"),
    "error": Message("Failed"),
})  # fmt: skip
SEARCH_STATUS_COLOUR = MappingProxyType({"completed": "good", "completed-with-errors": "warn", "error": "bad", "loading": "note"})
SELECTION = _create_labels(
    auto_selected=Message("Auto-selected"),
    needs_review=Message("Needs review"),
    no_match_found=Message("No match"),
    selected=Message("Selected by a reviewer"),
    no_selection=Message("Closed"),
)
SELECTION_COLOUR = _create_colours(auto_selected="good", needs_review="warn", selected="good", no_match_found="", no_selection="")
OUTCOME = _create_labels(
    verified=Message("Verified"),
    discrepancies=Message("Discrepancies"),
    not_found=Message("Not found in the register"),
    inactive=Message("Not active"),
)
OUTCOME_COLOUR = _create_colours(verified="good", discrepancies="bad", not_found="bad", inactive="warn")
"""Colours of the outcomes of verifications."""
STANDING = _create_labels(
    pending=Message("Queued"),
    processing=Message("In progress"),
    waiting_for_registry=Message("Waiting for the register"),
    completed=Message("Completed"),
    failed=Message("Failed"),
)
STANDING_COLOUR = _create_colours(pending="note", processing="note", waiting_for_registry="warn", completed="good", failed="bad")
DISMISSAL = _create_labels(active=Message("In effect"), expired=Message("Expired"), revoked=Message("Revoked"))
SCREENING_OUTCOME = _create_labels(
    clear=context_message("screening", "Clear"),
    hits=Message("Open hits"),
    incomplete=context_message("screening", "Incomplete"),
)
SCREENING_OUTCOME_COLOUR = _create_colours(clear="good", hits="bad", incomplete="warn")
SUBJECT_ROLE = _create_labels(
    legalName=Message("Legal name"),
    tradeName=Message("Trade name"),
    formerName=Message("Former name"),
    director=Message("Director"),
    officer=Message("Officer"),
    owner=Message("Owner"),
    otherPerson=Message("Other person"),
    recordPerson=Message("Person in your record"),
    submitted=Message("Submitted subject"),
)
DEEMED_STATUS = _create_labels(
    deemed=Message("Sanctioned by ownership"),
    possible=Message("Possibly sanctioned by ownership"),
    undetermined=context_message("sanctioned by ownership", "Undetermined"),
    not_deemed=Message("Not sanctioned by ownership"),
)
DEEMED_STATUS_COLOUR = _create_colours(deemed="bad", possible="bad", undetermined="warn", not_deemed="good")
RELATION = _create_labels(
    home_registration=Message("home registration"),
    extra_provincial_registration=Message("extra-provincial registration"),
    same_business=Message("registration of the same business"),
)
ROUTE = _create_labels(
    bulk=Message("Bulk file"),
    live=Message("Live lookup"),
    manual=Message("Seen by a person"),
    **{"import": Message("Imported file")},
)
ROLE = _create_labels(
    director=Message("Director"),
    officer=Message("Officer"),
    shareholder=Message("Shareholder"),
    owner=Message("Owner"),
    partner=Message("Partner"),
    trustee=Message("Trustee"),
    agent=Message("Agent"),
)
"""Labels of the categories of roles, for French pages. Other roles are shown as the register states them."""
OFFICER_TITLES = (
    Message("President"),
    Message("Vice President"),
    Message("Secretary"),
    Message("Treasurer"),
    Message("Chief Executive Officer"),
    Message("Chief Financial Officer"),
)
"""Common titles of officers, which French pages show instead of the category."""
PARTY = _create_labels(
    person=Message("Person"), organization=Message("Organization"), vessel=Message("Vessel"), aircraft=Message("Aircraft")
)
WEBSITE_STATUS = _create_labels(
    success=Message("Analysed"),
    partial=Message("Partly analysed"),
    blocked=Message("Blocked by the site"),
    unreachable=Message("Unreachable"),
    refused=Message("Address not allowed"),
    invalid=Message("No website found"),
)
WEBSITE_STATUS_COLOUR = _create_colours(
    success="good", partial="warn", blocked="warn", unreachable="bad", refused="bad", invalid="bad"
)
