"""What ownership adds up to: ultimate owners, and ownership by listed parties."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document

BENEFICIAL_OWNERSHIP = 0.25
"""The share that makes a beneficial owner (PCMLTF Regulations, s. 138; CBCA, s. 2.1)."""
DEEMED_OWNERSHIP = 0.5
"""The share that makes a listed person the deemed owner of an entity's property (Special Economic Measures Act, s. 2.1)."""

_DIGITS, _MOST_DIGITS = 2, 4


class ShareRange(Document):
    """The lowest and the highest share that the claims allow, as fractions."""

    min: Annotated[float, Field(ge=0, le=1, examples=[0.25])]
    """Lowest possible share."""
    max: Annotated[float, Field(ge=0, le=1, examples=[0.4])]
    """Highest possible share."""


def describe_fraction(fraction: float) -> Message:
    """`0.25` as 25%, and `0.2499` as 24.99%. It is rounded to a whole number only if it misses that by less than 0.0001%."""
    percent = round(fraction * 100, _DIGITS)
    if percent.is_integer():
        percent = round(fraction * 100, _MOST_DIGITS)
    return Message("{percent}%", percent=int(percent) if percent.is_integer() else percent)


def describe_range(share: ShareRange) -> Message:
    """The range as one figure if both ends are equal, and else as a band."""
    low, high = describe_fraction(share.min), describe_fraction(share.max)
    return low if low == high else Message("{min} to {max}", min=low, max=high)


class OwnershipPath(Document):
    """A chain of direct interests from an owner to the business."""

    parties: Annotated[tuple[str, ...], Field(examples=[["owner-1", "holding", "business"]])]
    """IDs of the parties, the owner first and the business last."""
    kinds: Annotated[tuple[str, ...], Field(examples=[["shares", "control"]])]
    """The kind of each interest of the chain."""
    share: ShareRange | None
    """Product of the shares. Null if an interest of the chain is control without shares."""


class OwnershipBasis(StrEnum):
    """What makes a party an owner at a threshold."""

    SHARES = "shares"
    VOTES = "votes"
    CONTROL = "control"
    """Shares and votes of the parties that it controls, counted in full, or control of the business itself."""


class BeneficialOwner(Document):
    """An ultimate owner: a party that may hold or control at least 25 %, and in which nobody is known to have shares."""

    party: Annotated[str, Field(examples=["owner-1"])]
    """ID of the party."""
    share: ShareRange
    """Effective share of the shares."""
    votes: ShareRange
    """Effective share of the votes."""
    controlled: ShareRange
    """Share of the shares or votes with those of the parties that it controls counted in full; 1 if it controls the business."""
    bases: tuple[OwnershipBasis, ...]
    """Which of the three may reach the threshold."""
    threshold: Annotated[float, Field(examples=[0.25])]
    """The highest threshold that the party may reach: 0.25 or 0.5."""
    is_certain: bool
    """Whether the party reaches 0.25 even at its lowest."""
    is_identified: bool
    """Whether the party is a person or a government. If not, the persons behind it are unknown."""
    paths: tuple[OwnershipPath, ...]
    """The strongest chains of interests."""


class DeemedStatus(StrEnum):
    """Whether listed parties own or control the business."""

    DEEMED = "deemed"
    """They do, by one claimant at least."""
    POSSIBLE = "possible"
    """They may: the upper ends of bands reach half."""
    UNDETERMINED = "undetermined"
    """They may be among the unknown owners and the parties that were not screened, who reach half together with them."""
    NOT_DEEMED = "not_deemed"
    """They don't: identified owners who are not listed hold more than half."""


class DeemedOwnership(Document):
    """Ownership and control of the business by listed parties, in sum."""

    status: Annotated[DeemedStatus, Field(examples=["undetermined"])]
    """Whether listed parties own or control half of the business."""
    share: ShareRange
    """Share of the listed parties in sum; holdings of a business that they own or control by half count in full."""
    parties: Annotated[tuple[str, ...], Field(examples=[["owner-1"]])]
    """IDs of the listed parties that have an interest, directly or indirectly."""
    paths: tuple[OwnershipPath, ...]
    """The strongest chains of each listed party."""


class OwnershipRollUp(Document):
    """What the claims add up to for one business."""

    beneficial_owners: tuple[BeneficialOwner, ...]
    """Ultimate owners that may reach 25 %, the largest first."""
    deemed_sanctioned: DeemedOwnership
    """Ownership by listed parties."""
    unknown_share: ShareRange
    """Share of the shares behind which no person and no government is identified."""
