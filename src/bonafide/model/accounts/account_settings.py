"""The settings of an organization: what applies to its searches and verifications, its documents and its e-mail.

Settings of the installation are not here: those are the operator's (`bonafide.settings`).
"""

from typing import Annotated, Literal

from pydantic import Field

from bonafide.model.accounts.branding import Branding
from bonafide.model.accounts.notifications import NotificationSettings
from bonafide.model.accounts.retention import RetentionPolicy
from bonafide.model.base import Document
from bonafide.model.cases.policy import CaseSettings
from bonafide.model.monitoring.policy import MonitoringPolicy
from bonafide.model.query import Threshold

Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
"""A threshold of a verification: 0 to 1, where 1 asks for equality after normalisation."""
ReviewThreshold = Annotated[float, Field(ge=0.5, le=1.0, allow_inf_nan=False)]
"""0.5 to 1: what scores less is not shown as a match."""


class SearchSettings(Document):
    """What a search does where its request does not say."""

    business_registry: bool = True
    """Whether searches query business registries."""
    regulatory_registry: bool = True
    """Whether searches query regulatory registries."""
    regulatory_registry_threshold: Threshold = 0.85
    """Lowest score of a regulatory match."""
    sanctions_screening: bool = False
    """Whether searches screen sanctions lists."""
    sanctions_threshold: Threshold = 0.85
    """Lowest score of a sanctions match."""
    sanctions_include_parties: bool = False
    """Whether `sanctions.matches` and `totalMatches` of a search also have the open hits of the match's names and people and of the
    record's, each with its `subject`."""
    website_analysis: bool = True
    """Whether a search with a website analyses it; one without never does."""


class NameCheck(Document):
    """How the legal name is compared; it always is."""

    enabled: Literal[True] = True
    """Always true: the legal name is always compared."""
    threshold: Share = 0.95
    """Lowest score at which the legal name counts as matched. 1 requires an exact normalized match."""


class NumberCheck(Document):
    """How the registration number is compared; it always is."""

    enabled: Literal[True] = True
    """Always true: the registration number is always compared."""
    threshold: Share = 1.0
    """Lowest score at which the registration number counts as matched. 1 requires an exact normalized match."""


class OptionalCheck(Document):
    """How a field is compared that need not be."""

    enabled: bool = True
    """Whether the field is compared."""
    threshold: Share = 0.95
    """Lowest score at which the field counts as matched. 1 requires an exact normalized match."""


class VerificationSettings(Document):
    """Which fields a verification compares, and from which score each counts as matched."""

    legal_name: NameCheck = NameCheck()
    """Comparison of the legal name."""
    registration_number: NumberCheck = NumberCheck()
    """Comparison of the registration number."""
    address: OptionalCheck = OptionalCheck()
    """Comparison of the address."""
    people: OptionalCheck = OptionalCheck()
    """Comparison of people."""
    count_not_provided: bool = False
    """Whether people, addresses and names of the registry that were not claimed count as discrepancies."""


class MatchSelectionSettings(Document):
    """Whether a search selects a match by itself, and when it may."""

    enabled: bool = False
    """Whether searches select a match automatically."""
    auto_select_threshold: Threshold = 0.95
    """Lowest score of a match that is selected automatically."""
    auto_select_margin: Share = 0.05
    """Minimum lead over the second-best match for automatic selection."""
    review_threshold: ReviewThreshold = 0.70
    """Lowest score of a match that needs a review."""


class AccountSettings(Document):
    """The settings of an organization (`GET /settings`)."""

    search: SearchSettings = SearchSettings()
    """Defaults of searches."""
    verification: VerificationSettings = VerificationSettings()
    """Fields and thresholds of verifications."""
    match_selection: MatchSelectionSettings = MatchSelectionSettings()
    """Automatic selection of a match."""
    branding: Branding = Branding()
    """Branding of PDF reports."""
    monitoring: MonitoringPolicy = MonitoringPolicy()
    """Monitoring of business records with `isMonitored`."""
    notifications: NotificationSettings = NotificationSettings()
    """E-mail about events."""
    cases: CaseSettings = CaseSettings()
    """Cases: priority and due date by kind of item, second review, and reasons of decisions."""
    retention: RetentionPolicy = RetentionPolicy()
    """Days after which records are deleted."""
    legal_hold: bool = False
    """Whether nothing is deleted or erased: neither by the retention policy nor on request."""


class SettingsChange(AccountSettings):
    """The body of `PUT /settings`: what is sent is set, what is not stays as it is."""
