"""Facts of risk rules in words: a label for each fact, and labels of the codes that are values."""

from collections.abc import Mapping
from types import MappingProxyType

from bonafide.i18n.message import Message, context_message
from bonafide.model.entity import EntityTypeCode

FACT_LABEL: Mapping[str, Message] = MappingProxyType({
    "registry.found": Message("Found in a register"),
    "registry.status": Message("Status in the register"),
    "registry.active": Message("Active in the register"),
    "registry.entityType": Message("Entity type"),
    "registry.goodStanding": Message("Good standing"),
    "registry.jurisdictions": Message("Jurisdictions of registration"),
    "registry.dataAgeDays": Message("Age of the register’s data in days"),
    "business.ageDays": Message("Age of the business in days"),
    "match.selection": Message("Match selection"),
    "match.score": Message("Score of the match"),
    "match.nameScore": Message("Score of the name"),
    "match.people": Message("People compared with the register"),
    "match.address": Message("Address compared with the register"),
    "match.discrepancies": Message("Differences from the register"),
    "verification.status": Message("Last verification"),
    "verification.openDiscrepancies": Message("Discrepancies that nobody has accepted"),
    "verification.people": Message("Verification of the people"),
    "verification.address": Message("Verification of the address"),
    "sanctions.complete": Message("Screening complete"),
    "sanctions.openHits": Message("Open hits"),
    "sanctions.dismissedHits": Message("Dismissed hits"),
    "sanctions.bestScore": Message("Highest score of an open hit"),
    "sanctions.partyCountries": Message("Countries of the screened parties"),
    "ownership.declared": Message("Ownership declared"),
    "ownership.listedStatus": Message("Ownership by listed parties"),
    "ownership.listedShare": Message("Highest possible share of listed parties"),
    "ownership.unknownShare": Message("Highest possible share of unknown owners"),
    "ownership.unidentifiedOwners": Message("Owners behind whom no person is known"),
    "ownership.countries": Message("Countries of the owners"),
    "industry.naics": Message("NAICS code"),
    "licences.expected": Message("Expected licences"),
    "licences.held": Message("Licences held"),
    "licences.missing": Message("Expected licences that were not found"),
    "licences.lapsed": Message("Licences that are not active"),
    "website.given": Message("Website submitted"),
    "website.readable": Message("Website readable"),
    "website.domainAgeDays": Message("Age of the domain in days"),
    "website.name": Message("Name on the website"),
    "website.address": Message("Address on the website"),
    "connections.sharedAddress": Message("Other records with the same address"),
    "connections.sharedPhone": Message("Other records with the same phone number"),
    "connections.sharedPeople": Message("Other records with a person of the same name"),
    "coverage.unavailable": Message("Sources that could not be searched"),
    "coverage.stale": Message("Sources with outdated data"),
})  # fmt: skip
"""A label for each fact, by its path."""
FACT_SOURCE: Mapping[str, Message] = MappingProxyType({
    "request": Message("Request"),
    "record": Message("Business record"),
    "verification": Message("Verification"),
    "sanctions": Message("Sanctions lists"),
    "ownership": Message("Ownership statements"),
    "website": Message("Website"),
    "coverage": Message("Searched sources"),
})  # fmt: skip
"""The sources of facts that are not the key of a source of data."""
_COMPARED: Mapping[str, Message] = MappingProxyType({
    "matched": context_message("field", "Match"),
    "partial": Message("Partial match"),
    "mismatched": Message("Discrepancy"),
})  # fmt: skip
VALUE_LABEL: Mapping[str, Mapping[str, Message]] = MappingProxyType({
    "registry.status": {
        "active": Message("Active"),
        "inactive": Message("Inactive"),
        "dissolved": Message("Dissolved"),
        "amalgamated": Message("Amalgamated"),
        "continued_out": Message("Continued elsewhere"),
        "cancelled": Message("Cancelled"),
        "pending_dissolution": Message("Dissolution pending"),
    },
    "registry.entityType": {
        EntityTypeCode.CORPORATION: Message("Corporation"),
        EntityTypeCode.LIMITED_LIABILITY_COMPANY: Message("Limited liability company"),
        EntityTypeCode.NONPROFIT: Message("Non-profit organization"),
        EntityTypeCode.COOPERATIVE: Message("Cooperative"),
        EntityTypeCode.SOLE_PROPRIETORSHIP: Message("Sole proprietorship"),
        EntityTypeCode.BUSINESS_NAME: Message("Business name"),
        EntityTypeCode.PARTNERSHIP: Message("Partnership"),
        EntityTypeCode.LIMITED_PARTNERSHIP: Message("Limited partnership"),
        EntityTypeCode.LIMITED_LIABILITY_PARTNERSHIP: Message("Limited liability partnership"),
        EntityTypeCode.TRUST: Message("Trust"),
        EntityTypeCode.STATUTORY: Message("Statutory body"),
    },
    "match.selection": {
        "auto_selected": Message("Auto-selected"),
        "needs_review": Message("Needs review"),
        "no_match_found": Message("No match"),
        "selected": Message("Selected by a reviewer"),
        "no_selection": Message("Closed"),
    },
    "match.people": _COMPARED,
    "match.address": _COMPARED,
    "verification.status": {
        "verified": Message("Verified"),
        "discrepancies": Message("Discrepancies"),
        "not_found": Message("Not found in the register"),
        "inactive": Message("Not active"),
    },
    "verification.people": _COMPARED,
    "verification.address": _COMPARED,
    "website.name": _COMPARED,
    "website.address": _COMPARED,
    "ownership.listedStatus": {
        "deemed": Message("Sanctioned by ownership"),
        "possible": Message("Possibly sanctioned by ownership"),
        "undetermined": context_message("sanctioned by ownership", "Undetermined"),
        "not_deemed": Message("Not sanctioned by ownership"),
    },
})  # fmt: skip
"""Labels of the codes that are values, by the path of the fact."""
SHARES = frozenset({"ownership.listedShare", "ownership.unknownShare"})
"""The facts that are fractions of a whole; other numbers with decimals are scores."""
SOURCE_LISTS = frozenset({
    "licences.expected", "licences.held", "licences.missing", "licences.lapsed", "coverage.unavailable", "coverage.stale",
})  # fmt: skip
"""The facts whose values are keys of sources."""
BAND_LABEL: Mapping[str, Message] = MappingProxyType({
    "low": context_message("risk", "Low"),
    "medium": context_message("risk", "Medium"),
    "high": context_message("risk", "High"),
})  # fmt: skip
"""Labels of the bands of the built-in rules. Other bands have the names that the organization has given them."""
