"""The formats in which the ownership of a business is exported and imported."""

from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from bonafide.model.base import Document
from bonafide.model.ownership.statement import Claimant
from bonafide.model.query import Text


class OwnershipFormat(StrEnum):
    """A format of an export."""

    JSON = "json"
    """The document of this API, with the roll-up."""
    BODS = "bods"
    """Statements of the Beneficial Ownership Data Standard 0.4."""
    FTM = "ftm"
    """FollowTheMoney entities, one per line."""
    CSV = "csv"
    """A table for spreadsheets: a row for each interest."""
    PARQUET = "parquet"
    """Apache Parquet: a row for each interest."""
    SVG = "svg"
    """A diagram, in the language of the request."""


class OwnershipFileOptions(Document):
    """What an imported file doesn't say, or what counts instead of what it says."""

    claimed_by: Annotated[
        Claimant | None,
        Field(
            description="Files only: who says so. By default, the source that all BODS statements have, or the column `claimedBy` "
            "of CSV, or else `declared`.",
            examples=["registry"],
        ),
    ] = None
    as_of: Annotated[
        date | None,
        Field(
            description="Files only: the day on which it is true. Required with CSV. By default, the latest `statementDate` of "
            "BODS.",
            examples=["2026-11-01"],
        ),
    ] = None
    declared_by: Annotated[
        Text | None,
        Field(
            description="Files only: who made the statement. By default, the one name in `assertedBy` of BODS.",
            examples=["Jean Tremblay, director"],
        ),
    ] = None
    subject: Annotated[
        Text | None,
        Field(
            description="BODS only: the `recordId` of the business. By default, the record with the ID of the business, or the "
            "`declarationSubject` that all statements have. Required if that record has the ID of another business.",
            examples=["rec-northern-holdings"],
        ),
    ] = None
