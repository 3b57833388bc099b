"""The schema of `source.yml`: all that a person would look up about a source, and what its parser needs to know.

A publisher changes any of it without notice; none of it stands in code. This module reads no file.
"""

from datetime import date
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from bonafide.model.entity import RoleCategory, StatusCode
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction


class Access(StrEnum):
    """How a source can be read."""

    BULK = "bulk"
    """Downloaded whole from its publisher and indexed here."""
    IMPORT = "import"
    """Only from a file that the operator holds."""
    NONE = "none"
    """By no machine that is known or permitted; a register can still be imported in the canonical layout."""


class Cadence(StrEnum):
    """How often the publisher renews the data."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    IRREGULAR = "irregular"
    SNAPSHOT = "snapshot"
    """Published once and not renewed."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class Publisher(_Strict):
    """Who publishes the data."""

    name: str
    url: str


class Licence(_Strict):
    """Under which terms it may be used; `note` warns of what binds the operator."""

    name: str
    url: str | None = None
    note: str | None = None

    @property
    def warning(self) -> str | None:
        """What the operator is told at every load, and what the load keeps of it; None where nothing binds."""
        return f"{self.name}: {self.note}" if self.note is not None else None


class ResourceMetadata(_Strict):
    """One file that the publisher offers. What stands in braces in `url` (`{year}`) the source's own `fetch` fills in."""

    name: str
    url: str
    format: str
    encoding: str = "utf-8"
    note: str | None = None


class Layout(_Strict):
    """A header that the parser knows. A missing column refuses the file; so does an unknown one, unless `allow_extra`."""

    columns: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    """Columns that are known and deliberately not read."""
    allow_extra: bool = False


class Checks(_Strict):
    """What a load must satisfy to replace the last good one."""

    min_entries: int = 1
    max_rejected_share: float = 0.01
    max_drop_share: float = 0.3
    """How much smaller than the last good load it may be."""
    max_unknown_share: float = 0.02
    """Share of rows that may carry a word the vocabulary does not know."""
    min_fill: dict[str, float] = Field(default_factory=dict)
    """Entry field to the share of entries that must have it."""


class DetailKey(_Strict):
    """One declared key of a regulatory entry's `details`."""

    key: str
    label: str
    type: str = Field(pattern="^(string|number|boolean|date|strings)$")


class SourceMetadata(_Strict):
    """All that a person would look up about a source; the schema of `source.yml`."""

    key: str
    """How it is named in `coverage`, on the command line and in `regulatory`."""
    kind: SourceKind
    title: str
    jurisdiction: Jurisdiction | None = None
    publisher: Publisher
    licence: Licence
    page: str
    """Where a person looks."""
    entry_url: str | None = None
    """The publisher's page of one entry, with `{number}` in it."""
    access: Access
    access_note: str | None = None
    description: str
    cadence: Cadence = Cadence.IRREGULAR
    stale_after_days: int | None = None
    resources: tuple[ResourceMetadata, ...] = ()
    pause_s: float = 0.0
    """Seconds between two downloads, where one load takes many files of one publisher."""
    snapshot_as_of: date | None = None
    """The day of the only data that exists in the source's own layout: what an imported file of that layout is dated to when
    neither it nor the operator says. A file in the canonical layout is never dated by it."""
    layouts: dict[str, Layout] = Field(default_factory=dict)
    checks: Checks = Checks()
    statuses: dict[str, StatusCode] = Field(default_factory=dict)
    """The source's status words, compared without case, to the common codes."""
    roles: dict[str, RoleCategory] = Field(default_factory=dict)
    terms: dict[str, str] = Field(default_factory=dict)
    """Other code words of the source and what they mean."""
    number_label: str | None = None
    """The label of its registration numbers."""
    details: tuple[DetailKey, ...] = ()

    def resource(self, name: str) -> ResourceMetadata:
        """The resource of that name; a `KeyError` for one that is not there is a fault of the source's folder."""
        return {resource.name: resource for resource in self.resources}[name]
