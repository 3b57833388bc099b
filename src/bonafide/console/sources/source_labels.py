"""Labels and badge colours of the pages about sources."""

from types import MappingProxyType

from bonafide.model.entity import Part
from bonafide.model.loading import RunOutcome
from bonafide.sources.framework.metadata import AccessMethod, Cadence

STATE = MappingProxyType({
    "loaded": "Loaded",
    "live": "Live",
    "stale": "Stale",
    "failed": "Failed",
    "not loaded": "Not loaded",
    "not available": "Not available",
})  # fmt: skip
STATE_MEANING = MappingProxyType({
    "loaded": "In the index, and no older than it should be.",
    "live": "Asked directly while somebody waits.",
    "stale": "In the index, and older than it should be.",
    "failed": "The newest try to load it failed; older data may still serve.",
    "not loaded": "It could be loaded, and is not.",
    "not available": "No program can look; a person may.",
})  # fmt: skip
STATE_COLOUR = MappingProxyType({"loaded": "good", "live": "note", "stale": "warn", "failed": "bad"})
OUTCOME = MappingProxyType({
    RunOutcome.LOADED: "Loaded",
    RunOutcome.REFUSED: "Refused by the checks",
    RunOutcome.FAILED: "Failed",
    RunOutcome.INTERRUPTED: "Interrupted",
})  # fmt: skip
OUTCOME_COLOUR = MappingProxyType({RunOutcome.LOADED: "good", RunOutcome.REFUSED: "warn", RunOutcome.FAILED: "bad"})
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
