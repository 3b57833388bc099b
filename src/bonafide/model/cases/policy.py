"""How an organization works on cases: which items open one, how urgent they are, and which reasons a decision may have."""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Self

from pydantic import (
    BeforeValidator,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message, join_values
from bonafide.model.base import Document, create_field_error
from bonafide.model.query import Text

MAX_DUE_DAYS = 3650
MAX_REASON_CODES = 100
MAX_TITLE_CHARACTERS = 200
DueDays = Annotated[int, Field(ge=1, le=MAX_DUE_DAYS)]


class CaseItemKind(StrEnum):
    """What a person has to look at."""

    SANCTIONS_HIT = "sanctions_hit"
    MATCH_SELECTION = "match_selection"
    VERIFICATION_DISCREPANCY = "verification_discrepancy"
    OWNERSHIP_DISCREPANCY = "ownership_discrepancy"
    ALERT = "alert"
    MANUAL_CHECK = "manual_check"
    EXPIRY = "expiry"


class CasePriority(StrEnum):
    """How urgent a case is, the least urgent first."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    URGENT = "urgent"

    def max_with(self, other: "CasePriority | None") -> "CasePriority":
        """The more urgent of the two."""
        order = list(CasePriority)
        return self if other is None or order.index(self) >= order.index(other) else other

    def raise_by_one(self) -> "CasePriority":
        """The next more urgent priority; the most urgent one stays."""
        order = list(CasePriority)
        return order[min(order.index(self) + 1, len(order) - 1)]


class CaseDecisionKind(StrEnum):
    """What a person decides about a case."""

    APPROVE = "approve"
    REJECT = "reject"
    REQUEST_INFORMATION = "request_information"
    ESCALATE = "escalate"

    @property
    def is_final(self) -> bool:
        """Whether the case ends with it."""
        return self in {CaseDecisionKind.APPROVE, CaseDecisionKind.REJECT}


class CaseItemPolicy(Document):
    """What items of one kind do to their case."""

    enabled: bool = True
    """Whether items of the kind open a case."""
    priority: CasePriority = CasePriority.NORMAL
    """Lowest priority of a case with such an item."""
    due_days: DueDays | None = 5
    """Days after which a case with such an item is due; null for no due date."""

    @property
    def due_after(self) -> timedelta | None:
        """The same as a duration."""
        return timedelta(days=self.due_days) if self.due_days is not None else None


class SanctionsHitPolicy(CaseItemPolicy):
    """What open hits on sanctions lists do to their case."""

    priority: CasePriority = CasePriority.HIGH
    """Lowest priority of a case with such an item."""
    due_days: DueDays | None = 1
    """Days after which a case with such an item is due; null for no due date."""


class OwnershipDiscrepancyPolicy(CaseItemPolicy):
    """What discrepancies in ownership do to their case."""

    priority: CasePriority = CasePriority.HIGH
    """Lowest priority of a case with such an item."""
    due_days: DueDays | None = 30
    """Days after which a case with such an item is due; null for no due date."""


class ManualCheckPolicy(CaseItemPolicy):
    """What sources that could not be checked do to their case."""

    due_days: DueDays | None = 10
    """Days after which a case with such an item is due; null for no due date."""


class ExpiryPolicy(CaseItemPolicy):
    """What expired dismissals do to their case."""

    priority: CasePriority = CasePriority.HIGH
    """Lowest priority of a case with such an item."""


class CaseItemPolicies(Document):
    """The policy of each kind of item. Settings that an organization has not made are the defaults of the kind."""

    sanctions_hit: SanctionsHitPolicy = SanctionsHitPolicy()
    """Open hits on sanctions lists."""
    match_selection: CaseItemPolicy = CaseItemPolicy()
    """Searches of which a person has to select the match."""
    verification_discrepancy: CaseItemPolicy = CaseItemPolicy()
    """Verifications with discrepancies."""
    ownership_discrepancy: OwnershipDiscrepancyPolicy = OwnershipDiscrepancyPolicy()
    """Discrepancies in ownership. One with a due date of its own is due on it."""
    alert: CaseItemPolicy = CaseItemPolicy()
    """Alerts of monitoring."""
    manual_check: ManualCheckPolicy = ManualCheckPolicy()
    """Sources that could not be checked."""
    expiry: ExpiryPolicy = ExpiryPolicy()
    """Dismissals that have expired."""

    def find(self, kind: CaseItemKind) -> CaseItemPolicy:
        """The policy of a kind."""
        return {
            CaseItemKind.SANCTIONS_HIT: self.sanctions_hit,
            CaseItemKind.MATCH_SELECTION: self.match_selection,
            CaseItemKind.VERIFICATION_DISCREPANCY: self.verification_discrepancy,
            CaseItemKind.OWNERSHIP_DISCREPANCY: self.ownership_discrepancy,
            CaseItemKind.ALERT: self.alert,
            CaseItemKind.MANUAL_CHECK: self.manual_check,
            CaseItemKind.EXPIRY: self.expiry,
        }[kind]


ReasonCodeText = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$", max_length=64)]
_TITLE: TypeAdapter[str] = TypeAdapter(Annotated[Text, StringConstraints(max_length=MAX_TITLE_CHARACTERS)])


def _parse_title(title: Any) -> Message:
    """The organization's own words, which are never translated; a default title stays a message that is."""
    return title if isinstance(title, Message) else Message.untranslated(_TITLE.validate_python(title))


ReasonTitle = Annotated[
    Message,
    BeforeValidator(_parse_title),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_TITLE_CHARACTERS}),
]
_DEFAULT_TITLES: Mapping[str, Message] = MappingProxyType({
    "identity_confirmed": Message("Identity and existence confirmed"),
    "false_positive": Message("The listed party is somebody else"),
    "discrepancy_explained": Message("Discrepancy explained by evidence"),
    "true_match": Message("Match with a listed party"),
    "not_verified": Message("Existence or identity not confirmed"),
    "documents_missing": Message("Documents or answers are missing"),
    "beyond_authority": Message("Needs a decision by somebody else"),
    "other": Message("Other reason, see the note"),
})  # fmt: skip


class ReasonCode(Document):
    """A reason that a decision may have."""

    code: Annotated[ReasonCodeText, Field(examples=["false_positive"])]
    """Code, in lower case with underscores."""
    title: Annotated[ReasonTitle, Field(examples=["The listed party is somebody else"])]
    """What it means, in the organization's own words. The default titles are translated."""
    decisions: tuple[CaseDecisionKind, ...] = ()
    """Decisions that may have this reason; empty for all."""

    @field_validator("title", mode="before")
    @classmethod
    def _find_default(cls, title: Any, values: ValidationInfo) -> Any:
        """The default title of the code, if the organization has not changed it: it is stored in English."""
        default = _DEFAULT_TITLES.get(values.data.get("code", ""))
        return default if default is not None and title == default else title


DEFAULT_REASON_CODES = (
    ReasonCode(code="identity_confirmed", title=_DEFAULT_TITLES["identity_confirmed"], decisions=(CaseDecisionKind.APPROVE,)),
    ReasonCode(code="false_positive", title=_DEFAULT_TITLES["false_positive"], decisions=(CaseDecisionKind.APPROVE,)),
    ReasonCode(code="discrepancy_explained", title=_DEFAULT_TITLES["discrepancy_explained"], decisions=(CaseDecisionKind.APPROVE,)),
    ReasonCode(code="true_match", title=_DEFAULT_TITLES["true_match"], decisions=(CaseDecisionKind.REJECT,)),
    ReasonCode(code="not_verified", title=_DEFAULT_TITLES["not_verified"], decisions=(CaseDecisionKind.REJECT,)),
    ReasonCode(
        code="documents_missing", title=_DEFAULT_TITLES["documents_missing"], decisions=(CaseDecisionKind.REQUEST_INFORMATION,)
    ),
    ReasonCode(code="beyond_authority", title=_DEFAULT_TITLES["beyond_authority"], decisions=(CaseDecisionKind.ESCALATE,)),
    ReasonCode(code="other", title=_DEFAULT_TITLES["other"]),
)
"""A starting point: organizations set their own."""


class CaseSettings(Document):
    """How an organization works on cases."""

    enabled: bool = True
    """Whether cases are opened. Open cases can be decided in any case."""
    items: CaseItemPolicies = CaseItemPolicies()
    """Priority and due date by kind of item."""
    second_review: Annotated[tuple[CaseDecisionKind, ...], Field(examples=[["approve", "reject"]])] = ()
    """Decisions that another person has to confirm: `approve`, `reject`, or both."""
    reason_codes: Annotated[tuple[ReasonCode, ...], Field(min_length=1, max_length=MAX_REASON_CODES)] = DEFAULT_REASON_CODES
    """Reasons of decisions."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if any(not kind.is_final for kind in self.second_review):
            raise create_field_error("secondReview", Message("only `approve` and `reject` can need a second review"))
        codes = [reason.code for reason in self.reason_codes]
        if len(set(codes)) < len(codes):
            raise create_field_error("reasonCodes", Message("each code must be different"))
        return self

    def list_reasons(self, decision: CaseDecisionKind) -> list[ReasonCode]:
        """The reasons that a decision may have."""
        return [one for one in self.reason_codes if not one.decisions or decision in one.decisions]

    def get_reason(self, code: str, decision: CaseDecisionKind) -> ReasonCode:
        """The reason with this code. Raises `ValidationFailed` for `reasonCode` if the decision may not have it."""
        reasons = {one.code: one for one in self.list_reasons(decision)}
        if code not in reasons:
            message = Message("is not a reason of this decision; the reasons are {codes}", codes=join_values(reasons))
            raise ValidationFailed.of_field("reasonCode", message)
        return reasons[code]
