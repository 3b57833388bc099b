"""Labels and colours of the codes of ownership discrepancies."""

from datetime import datetime
from math import ceil
from types import MappingProxyType

from bonafide.i18n.message import Message
from bonafide.model.ownership.discrepancies import Discrepancy, DiscrepancyStatus, RiskRating
from bonafide.model.ownership.owner_comparison import DifferenceKind
from bonafide.model.ownership.statement import InterestKind

_DAY_S = 24 * 60 * 60
KIND = MappingProxyType({
    DifferenceKind.MISSING_OWNER: Message("Missing in the register"),
    DifferenceKind.EXTRA_OWNER: Message("Not declared"),
    DifferenceKind.CONTRADICTING: Message("Contradicting"),
    DifferenceKind.IMMATERIAL: Message("Immaterial"),
})  # fmt: skip
KIND_MEANING = MappingProxyType({
    DifferenceKind.MISSING_OWNER: Message("Declared, and the register doesn’t name the person."),
    DifferenceKind.EXTRA_OWNER: Message("In the register, and the declaration doesn’t name the person."),
    DifferenceKind.CONTRADICTING: Message("Both name the person, and what they state can’t both be true."),
    DifferenceKind.IMMATERIAL: Message("Both name the person, and only the form differs."),
})  # fmt: skip
KIND_COLOUR = MappingProxyType({
    DifferenceKind.MISSING_OWNER: "bad",
    DifferenceKind.EXTRA_OWNER: "bad",
    DifferenceKind.CONTRADICTING: "warn",
    DifferenceKind.IMMATERIAL: "",
})  # fmt: skip
STATUS = MappingProxyType({
    DiscrepancyStatus.OPEN: Message("Open"),
    DiscrepancyStatus.RESOLVED: Message("Resolved"),
    DiscrepancyStatus.REPORTED: Message("Reported"),
})  # fmt: skip
STATUS_COLOUR = MappingProxyType({
    DiscrepancyStatus.OPEN: "warn",
    DiscrepancyStatus.RESOLVED: "good",
    DiscrepancyStatus.REPORTED: "note",
})  # fmt: skip
RATING = MappingProxyType({
    RiskRating.LOW: Message("Low risk"),
    RiskRating.MEDIUM: Message("Medium risk"),
    RiskRating.HIGH: Message("High risk"),
})  # fmt: skip
INTEREST = MappingProxyType({
    InterestKind.SHARES: Message("Shares"),
    InterestKind.VOTES: Message("Votes"),
    InterestKind.CONTROL: Message("Control by other means"),
    InterestKind.TRUSTEE: Message("Trustee"),
    InterestKind.SETTLOR: Message("Settlor"),
    InterestKind.BENEFICIARY: Message("Beneficiary"),
    InterestKind.DIRECTOR: Message("Director"),
})  # fmt: skip


def count_days_left(due_at: datetime, now: datetime) -> int:
    """The days until a due date that hasn't passed, rounded up: on the last day it is 1.

    A part of a second is ignored: the instants of the audit log may be milliseconds ahead of the clock.
    """
    return max(1, ceil(int((due_at - now).total_seconds()) / _DAY_S))


def get_subject_name(discrepancy: Discrepancy) -> str:
    """The name of the person of whom a discrepancy is, as declared or else as in the register."""
    side = discrepancy.declared if discrepancy.declared is not None else discrepancy.registry
    return side.name if side is not None else ""
