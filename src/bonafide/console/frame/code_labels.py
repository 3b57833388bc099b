"""What people read in place of the words of the API, and the colours of badges.

A source's own words are shown as they are.
"""

from collections.abc import Mapping
from types import MappingProxyType

from bonafide.model.entity import Part
from bonafide.model.loading import RunOutcome
from bonafide.sources.framework.metadata import AccessMethod, Cadence

Labels = Mapping[str, str]
SOURCE_STATE = MappingProxyType({
    "loaded": "Loaded",
    "live": "Live",
    "stale": "Stale",
    "failed": "Failed",
    "not loaded": "Not loaded",
    "not available": "Not available",
})  # fmt: skip
SOURCE_STATE_MEANING = MappingProxyType({
    "loaded": "In the index, and no older than it should be.",
    "live": "Asked directly while somebody waits.",
    "stale": "In the index, and older than it should be.",
    "failed": "The newest try to load it failed; older data may still serve.",
    "not loaded": "It could be loaded, and is not.",
    "not available": "No program can look; a person may.",
})  # fmt: skip
SOURCE_STATE_COLOUR = MappingProxyType({"loaded": "good", "live": "note", "stale": "warn", "failed": "bad"})
RUN_OUTCOME = MappingProxyType({
    RunOutcome.LOADED: "Loaded",
    RunOutcome.REFUSED: "Refused by the checks",
    RunOutcome.FAILED: "Failed",
    RunOutcome.INTERRUPTED: "Interrupted",
})  # fmt: skip
RUN_OUTCOME_COLOUR = MappingProxyType({RunOutcome.LOADED: "good", RunOutcome.REFUSED: "warn", RunOutcome.FAILED: "bad"})
ACCESS = MappingProxyType({
    AccessMethod.BULK: "Downloaded from its publisher",
    AccessMethod.IMPORT: "Imported from a file that the operator holds",
    AccessMethod.LIVE: "Asked one question at a time",
    AccessMethod.NONE: "By no program; a file can be imported",
})  # fmt: skip
CADENCE = MappingProxyType({
    Cadence.DAILY: "daily",
    Cadence.WEEKLY: "weekly",
    Cadence.MONTHLY: "monthly",
    Cadence.YEARLY: "yearly",
    Cadence.IRREGULAR: "irregularly",
    Cadence.SNAPSHOT: "never; it was published once",
})  # fmt: skip
PART = MappingProxyType({
    Part.ALTERNATE_NAMES: "other names",
    Part.STATUS: "status",
    Part.ENTITY_TYPE: "kind of entity",
    Part.INCORPORATION_DATE: "date of incorporation",
    Part.GOOD_STANDING: "good standing",
    Part.ADDRESSES: "address",
    Part.PEOPLE: "people",
    Part.PEOPLE_ADDRESSES: "addresses of people",
    Part.NAME_HISTORY: "former names",
    Part.INDUSTRY: "industry",
})  # fmt: skip


def _create_labels(**said: str) -> Labels:
    return MappingProxyType(said)


STATUS = _create_labels(
    active="Active",
    inactive="Inactive",
    dissolved="Dissolved",
    amalgamated="Amalgamated",
    continued_out="Continued elsewhere",
    cancelled="Cancelled",
    pending_dissolution="Dissolution pending",
    unknown="Status not known",
)
STATUS_COLOUR = _create_labels(active="good", pending_dissolution="warn", unknown="", amalgamated="note", continued_out="note")
"""Of a badge; whatever is not named here is an end."""
JURISDICTION = _create_labels(
    AB="Alberta",
    BC="British Columbia",
    MB="Manitoba",
    NB="New Brunswick",
    NL="Newfoundland and Labrador",
    NS="Nova Scotia",
    NT="Northwest Territories",
    NU="Nunavut",
    ON="Ontario",
    PE="Prince Edward Island",
    QC="Quebec",
    SK="Saskatchewan",
    YT="Yukon",
    FED="Federal",
)
FIELD = _create_labels(
    legalName="Legal name",
    registrationNumber="Registration number",
    registrations="Registrations",
    registrationNumbers="Registration numbers",
    businessNumber="Business number",
    jurisdiction="Jurisdiction",
    entityType="Kind of entity",
    registryStatus="Status",
    incorporationDate="Incorporated",
    address="Address",
    addresses="Addresses",
    people="People",
    identifiers="Identifiers",
    dateOfBirth="Date of birth",
    countries="Countries",
    emails="E-mail",
    phoneNumbers="Telephone",
    descriptions="Description",
    street="Street",
    unit="Unit",
    city="City",
    province="Province",
    postalCode="Postal code",
    country="Country",
)
FIELD_STATUS = _create_labels(
    matched="agrees",
    partial="agrees in part",
    mismatched="differs",
    not_provided="not given",
    not_published="not published",
    not_checked="not compared",
)
FIELD_STATUS_COLOUR = _create_labels(matched="good", partial="warn", mismatched="bad")
WORD_DIFFERENCE = MappingProxyType({
    "equal": "same word",
    "slip": "misspelt",
    "plural": "singular or plural",
    "shortened": "shortened",
    "initial": "initial",
    "equivalent": "otherwise spelt",
    "translated": "other language",
    "joined": "joined or split",
    "near number": "similar number",
    "nickname": "form of the name",
    "sound": "sounds alike",
})  # fmt: skip
COVERAGE = _create_labels(
    searched="Looked at",
    stale="Old data",
    failed="Failed",
    not_available="Nobody could look",
    not_requested="Not asked for",
)
COVERAGE_COLOUR = _create_labels(searched="good", stale="warn", failed="bad", not_available="warn")
CHECK = _create_labels(
    business_registry="Business registers",
    regulatory_registry="Regulators",
    sanctions_screening="Sanctions lists",
    website_analysis="Web site",
    general="Search",
)
SOURCE_KIND = _create_labels(
    registry="Business registers",
    regulator="Regulators",
    sanctions="Sanctions lists",
    listing="Other lists",
)
SEARCH_STATUS = MappingProxyType({
    "loading": "Under way",
    "completed": "Completed",
    "completed-with-errors": "Completed with errors",
    "error": "Failed",
})  # fmt: skip
SEARCH_STATUS_COLOUR = MappingProxyType({"completed": "good", "completed-with-errors": "warn", "error": "bad", "loading": "note"})
SELECTION = _create_labels(
    auto_selected="Chosen by rule",
    needs_review="Needs review",
    no_match_found="No match",
    selected="Chosen by a person",
    no_selection="Not pursued",
)
SELECTION_COLOUR = _create_labels(auto_selected="good", needs_review="warn", selected="good", no_match_found="", no_selection="")
OUTCOME = _create_labels(
    verified="Verified",
    discrepancies="Differences",
    not_found="Not in the register",
    inactive="Not active",
)
OUTCOME_COLOUR = _create_labels(verified="good", discrepancies="bad", not_found="bad", inactive="warn")
"""Of what a verification came to."""
STANDING = _create_labels(
    pending="Queued",
    processing="Under way",
    waiting_for_registry="Waiting for the register",
    completed="Completed",
    failed="Failed",
)
STANDING_COLOUR = _create_labels(pending="note", processing="note", waiting_for_registry="warn", completed="good", failed="bad")
RELATION = _create_labels(
    home_registration="home registration",
    extra_provincial_registration="registration elsewhere",
    same_business="another registration of it",
)
ROUTE = _create_labels(bulk="published file", live="asked directly", **{"import": "supplied file"})
PARTY = _create_labels(person="Person", organization="Organization", vessel="Ship", aircraft="Aircraft")
WEBSITE_STATUS = _create_labels(
    success="Read",
    partial="Read in part",
    blocked="Closed to programs",
    unreachable="Not reachable",
    refused="Must not be fetched",
    invalid="No web site there",
)
WEBSITE_STATUS_COLOUR = _create_labels(
    success="good", partial="warn", blocked="warn", unreachable="bad", refused="bad", invalid="bad"
)
