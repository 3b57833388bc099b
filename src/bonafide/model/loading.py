"""One load of one source, the files of its index as they are distributed between machines, and the sources of a combined index.

A load's provenance is carried by every value served from it. Names of generations and segments are each machine's own; what is the
same on all machines is identified by digests. No file is read here.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field

from bonafide.i18n.message import Message, load_messages
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document, Instant
from bonafide.model.entry import SourceKind


class Route(StrEnum):
    """How a source was looked at."""

    LIVE = "live"
    """It was asked for this very answer."""
    BULK = "bulk"
    """In the data of it that was downloaded from its publisher and is indexed here."""
    IMPORT = "import"
    """In a file of it that the operator has brought."""
    MANUAL = "manual"
    """A person has looked at it (a manual check)."""


_GENERATION_DIGITS = 16
_MESSAGES = "messages"
"""The key of a manifest for the templates of messages."""


class LoadedFile(Document):
    """One file that a load was made from."""

    name: str
    """Name of the file."""
    url: str
    """URL of the file at its publisher."""
    sha256: str
    """SHA-256 digest of the file."""
    size: int
    """Size in bytes."""
    retrieved_at: Instant
    """When the file was downloaded."""
    as_of: date | None
    """Date of the data, if the publisher states one."""


class RejectedRow(Document):
    """One row that could not be read, with where and why."""

    resource: str
    line: int
    reason: Message


class LoadStorage(Document):
    """How a load was stored: what has changed since the load before it, and the segments that now hold all of it.

    `written` entries went into a new segment: those that are new or have changed, or all where too much had.
    """

    added: int
    changed: int
    removed: int
    written: int
    segments: int


class LoadRecord(Document):
    """A load: what it was made from, what became of every row (`rows == entries + merged + rejected`), and how it was stored."""

    source: str
    kind: SourceKind
    world: World
    loaded_at: Instant
    retrieved_at: Instant
    as_of: date | None
    files: tuple[LoadedFile, ...]
    rows: int
    entries: int
    merged: int
    rejected: int
    reasons: dict[str, int]
    rejections: tuple[RejectedRow, ...]
    unknown_terms: dict[str, int]
    notes: tuple[Message, ...]
    stored: LoadStorage

    def to_manifest(self) -> dict[str, Any]:
        """The record as the manifest of its generation has it, with the templates of its messages."""
        stored = self.to_stored()
        return {**json.loads(stored.body), **({_MESSAGES: stored.messages} if stored.messages is not None else {})}

    @classmethod
    def from_manifest(cls, manifest: dict[str, Any]) -> "LoadRecord":
        """The record of a manifest; those of earlier releases have no templates, and their messages stay in English."""
        fields = {name: value for name, value in manifest.items() if name != _MESSAGES}
        return cls.model_validate(fields, context=load_messages(manifest.get(_MESSAGES)))

    @property
    def route(self) -> Route:
        """How the data came here; an imported file has no address on the Internet."""
        return Route.IMPORT if any(file.url.startswith("file:") for file in self.files) else Route.BULK

    @cached_property
    def generation_id(self) -> str:
        """An identifier of the load: 16 hexadecimal digits, derived from its time, entries and files, the same on all machines."""
        parts = (self.source, self.loaded_at.isoformat(), str(self.entries), *(file.sha256 for file in self.files))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:_GENERATION_DIGITS]

    @property
    def day(self) -> date:
        """The day to which the data is dated: the publisher's own, or else the day it was retrieved."""
        return self.as_of if self.as_of is not None else self.retrieved_at.date()

    def age_days(self, today: date) -> int:
        """How old the data is."""
        return compute_age_days(self.world, self.as_of, self.retrieved_at, today)

    def is_stale(self, limit_days: int | None, today: date) -> bool:
        """Whether the data is older than its source's metadata allows; a source without a limit never is."""
        return limit_days is not None and self.age_days(today) > limit_days


def compute_age_days(world: World, as_of: date | None, retrieved_at: datetime, today: date) -> int:
    """How old data of this date is.

    Publishers of the made-up Canada date their data to a day of its own, so there it ages from the day it was retrieved.
    """
    return (today - (as_of if as_of is not None and world is World.LIVE else retrieved_at.date())).days


@dataclass(frozen=True, slots=True)
class LiveOrigin:
    """Where the answer of a live source is from: it was said at this instant, and holds to this day."""

    retrieved_at: datetime

    @property
    def route(self) -> Route:
        """Asked."""
        return Route.LIVE

    @property
    def as_of(self) -> date:
        """The day it was said."""
        return self.retrieved_at.date()


@dataclass(frozen=True, slots=True)
class ManualOrigin:
    """Where the result of a manual check is from: a person has seen it at this instant."""

    retrieved_at: datetime

    @property
    def route(self) -> Route:
        """Seen."""
        return Route.MANUAL

    @property
    def as_of(self) -> date:
        """The day it was seen."""
        return self.retrieved_at.date()


DataOrigin = LoadRecord | LiveOrigin | ManualOrigin
"""The provenance of what a look-up has found."""


@dataclass(frozen=True, slots=True)
class LoadAttempt:
    """How the last attempt to load a source ended."""

    attempted_at: datetime
    problem: Message | None = None
    """Why it failed; None when it did not."""
    failures: int = 0
    """Attempts in a row that have failed, this one included."""


class RunOutcome(StrEnum):
    """How one try to load a source ended."""

    LOADED = "loaded"
    REFUSED = "refused"
    """It was read, and the checks did not trust it."""
    FAILED = "failed"
    """It could not be fetched or read."""
    INTERRUPTED = "interrupted"
    """The process ended, or had no room left on its disk."""


class SourceRun(Document):
    """One try to load a source: when, how it ended, and how many entries and rejected rows it found, where it got so far."""

    started_at: Instant
    finished_at: Instant
    outcome: RunOutcome
    entries: int | None = None
    rejected: int | None = None
    note: Message | None = None
    """Why it failed; null for a load."""


class LoadProblem(StrEnum):
    """Why a source can't be loaded."""

    FAILED = "failed"
    """Its files could not be fetched or read."""
    DRIFTED = "drifted"
    """Its files have another structure or size than expected, so that they were refused."""


class SourceCondition(Document):
    """The condition of a source as it was last announced, and the date of its data in use."""

    problem: LoadProblem | None
    """Why it can't be loaded; null if the last load succeeded."""
    is_stale: bool
    """Whether its data is older than it should be."""
    as_of: date | None
    """Date of the data, if the publisher states one."""
    retrieved_at: Instant
    """When the data was retrieved."""

    @property
    def is_good(self) -> bool:
        """Whether the last load succeeded and the data is not too old."""
        return self.problem is None and not self.is_stale


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
RelativePath = Annotated[str, Field(pattern="^(?:[A-Za-z0-9][A-Za-z0-9._-]*/){0,2}[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=200)]
"""Below a source's folder, and never outside of it: no part begins with a dot."""


class InventoryFile(Document):
    """One file: where it belongs, its size in bytes, and its digest in hexadecimal."""

    path: RelativePath
    size: Annotated[int, Field(ge=0)]
    sha256: Sha256


class Inventory(Document):
    """All files of one generation of one source."""

    format: Literal[1] = 1
    files: tuple[InventoryFile, ...]

    @cached_property
    def content(self) -> bytes:
        """The description that travels: the same inventory gives the same bytes."""
        return self.to_json().encode()

    @cached_property
    def digest(self) -> str:
        """What the description is known by."""
        return hashlib.sha256(self.content).hexdigest()

    def below(self, folder: str) -> list[InventoryFile]:
        """The files in a folder, whatever is below it included."""
        return [file for file in self.files if file.path.startswith(f"{folder}/")]


class InstalledGeneration(Document):
    """What a machine remembers of a source: the publication that it took or made last, and the generation that this is here.

    `generation` is null when what is in use here is of another origin.
    """

    sequence: int
    description: Sha256 | None
    generation: str | None
    inventory: Inventory | None


REGISTERS, OTHERS = "joint-registers", "joint-others"
GROUPS: Mapping[str, frozenset[SourceKind]] = {
    REGISTERS: frozenset({SourceKind.REGISTRY}),
    OTHERS: frozenset({SourceKind.REGULATOR, SourceKind.LISTING}),
}
"""Which sources are searched together, by the key of their joint index: those whose best entries are wanted among each other, and
those each of whose own are."""


class CombinedIndexRecord(Document):
    """The sources of a combined index by key, each with the identity of its generation (`services/indexing/combined_index`)."""

    made_at: Instant
    generations: dict[str, str]
