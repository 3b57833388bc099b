"""The monitoring policy of an organization, and what a business record overrides of it."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from bonafide.model.base import Document
from bonafide.model.events.severity import EventSeverity

MAX_VERIFICATION_AGE_DAYS = 3650
VerificationAge = Annotated[int, Field(ge=1, le=MAX_VERIFICATION_AGE_DAYS)]
"""Days after which a verification is too old."""
MAX_WEBSITE_INTERVAL_DAYS = 365
WebsiteInterval = Annotated[int, Field(ge=1, le=MAX_WEBSITE_INTERVAL_DAYS)]
"""Days between two readings of a website."""


class MonitoringKind(StrEnum):
    """What a record is monitored for. The values are the names of the fields of `MonitoredKinds`."""

    SANCTIONS = "sanctions"
    REGISTRY = "registry"
    LICENCES = "licences"
    WEBSITE = "website"
    VERIFICATION_AGE = "verificationAge"


class MonitoredKinds(Document):
    """What monitored records are watched for."""

    sanctions: bool = True
    """Whether the record's names, people and owners are watched on sanctions lists."""
    registry: bool = True
    """Whether the record's entry in its register is watched."""
    licences: bool = True
    """Whether the record's licences are watched."""
    website: bool = False
    """Whether the record's website is read at an interval and compared."""
    verification_age: bool = True
    """Whether the age of the record's latest verification is watched."""


class MonitoringPolicy(Document):
    """How an organization monitors its records. A record can override each field."""

    enabled: bool = True
    """Whether records with `isMonitored` are monitored."""
    kinds: MonitoredKinds = MonitoredKinds()
    """What monitored records are watched for."""
    min_severity: EventSeverity = EventSeverity.LOW
    """Lowest severity of an event of monitoring that is an alert. Events below it are recorded too."""
    verification_max_age_days: VerificationAge | None = 365
    """Days after which a verification is due again; null for never."""
    website_interval_days: WebsiteInterval = 30
    """Days between two readings of the website of a record."""

    def watches(self, kind: MonitoringKind) -> bool:
        """Whether records are watched for this."""
        return (
            self.enabled
            and {
                MonitoringKind.SANCTIONS: self.kinds.sanctions,
                MonitoringKind.REGISTRY: self.kinds.registry,
                MonitoringKind.LICENCES: self.kinds.licences,
                MonitoringKind.WEBSITE: self.kinds.website,
                MonitoringKind.VERIFICATION_AGE: self.kinds.verification_age,
            }[kind]
        )


class MonitoredKindsOverride(Document):
    """What one record is watched for; null as the organization's settings say."""

    sanctions: Annotated[bool | None, Field(examples=[True])] = None
    """Whether the record's names, people and owners are watched on sanctions lists."""
    registry: Annotated[bool | None, Field(examples=[True])] = None
    """Whether the record's entry in its register is watched."""
    licences: Annotated[bool | None, Field(examples=[False])] = None
    """Whether the record's licences are watched."""
    website: Annotated[bool | None, Field(examples=[True])] = None
    """Whether the record's website is read at an interval and compared."""
    verification_age: Annotated[bool | None, Field(examples=[True])] = None
    """Whether the age of the record's latest verification is watched."""


class RecordMonitoring(Document):
    """What a record overrides of the organization's monitoring policy; null as the organization's settings say."""

    enabled: Annotated[bool | None, Field(examples=[True])] = None
    """Whether the record is monitored if `isMonitored` is set."""
    kinds: MonitoredKindsOverride = MonitoredKindsOverride()
    """What the record is watched for."""
    min_severity: Annotated[EventSeverity | None, Field(examples=["medium"])] = None
    """Lowest severity of an event of monitoring of the record that is an alert."""
    verification_max_age_days: Annotated[VerificationAge | None, Field(examples=[180])] = None
    """Days after which a verification of the record is due again."""
    website_interval_days: Annotated[WebsiteInterval | None, Field(examples=[7])] = None
    """Days between two readings of the website of the record."""

    def apply_to(self, policy: MonitoringPolicy) -> MonitoringPolicy:
        """The policy that applies to the record."""
        changes = self.model_dump(exclude_none=True, exclude={"kinds"})
        kinds = policy.kinds.model_copy(update=self.kinds.model_dump(exclude_none=True))
        return policy.model_copy(update={**changes, "kinds": kinds})

    def merge(self, sent: "RecordMonitoring | None") -> "RecordMonitoring":
        """These overrides with the fields that were sent; none for None."""
        if sent is None:
            return RecordMonitoring()
        changes: dict[str, Any] = {name: getattr(sent, name) for name in sent.model_fields_set if name != "kinds"}
        kinds = self.kinds.model_copy(update={name: getattr(sent.kinds, name) for name in sent.kinds.model_fields_set})
        return self.model_copy(update={**changes, "kinds": kinds})
