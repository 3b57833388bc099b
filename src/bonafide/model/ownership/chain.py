"""Chains of interests from parties to a business, with names, so that they can be read without the statements."""

from datetime import date
from operator import not_
from typing import Annotated

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.ownership.roll_up import DeemedStatus, ShareRange


class OwnershipStep(Document):
    """A party of a chain, and its interest in the next one."""

    party: Annotated[str, Field(examples=["owner-1"])]
    """ID of the party in the ownership statements."""
    name: Annotated[str | None, Field(examples=["Northern Holdings Inc."])]
    """Name of the party; null if nobody states it."""
    interest: Annotated[str | None, Field(examples=["shares"])]
    """Nature of its interest in the next party; null for the last party, which is the business."""
    share: ShareRange | None
    """Lowest and highest share that the claimants state; null if nobody states one."""
    left_out: Annotated[int, Field(examples=[12], exclude_if=not_)] = 0
    """Number of parties of a long chain that are left out after this one; omitted if none are."""
    description: Annotated[Message | None, Field(examples=["Northern Holdings Inc. has 60% of the shares of Sandbox Bakery Inc."])]
    """The interest in words; null for the last party."""


class ListedOwnerChain(Document):
    """The strongest chain of interests from an owner that counts as listed to the business."""

    party: Annotated[str, Field(examples=["owner-1"])]
    """ID of the owner in the ownership statements."""
    name: Annotated[str | None, Field(examples=["Jordan Sample"])]
    """Name of the owner."""
    steps: tuple[OwnershipStep, ...]
    """The parties of the chain, the owner first and the business last; of a long one, the first and the last ones."""


class OwnershipScreening(Document):
    """Ownership and control of the business by listed parties, which is a result of its own beside the hits of each party."""

    status: Annotated[DeemedStatus, Field(examples=["deemed"])]
    """Whether owners with open hits own or control half of the business in sum."""
    share: ShareRange
    """Share of these owners in sum; holdings of a business that they own or control by half count in full."""
    description: Annotated[
        Message, Field(examples=["Owners with open hits own or control 55% of the business, which is half or more."])
    ]
    """The result in words."""
    paths: tuple[ListedOwnerChain, ...]
    """The chain of each of these owners."""
    reason: Annotated[Message | None, Field(examples=["2 owners could not be screened and may be listed."])]
    """Why the status is incomplete; null if all named owners were screened."""
    as_of: Annotated[date, Field(examples=["2026-11-23"])]
    """The day on which the interests are in force that add up."""
