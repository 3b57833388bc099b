"""The interface of a writer of publishers' files, and CSV output."""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute

BUFFER_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class TargetFile:
    """A file to write: its source, its resource name within that source, and its path in the world's folder."""

    source: str
    resource: str
    path: str
    route: DeliveryRoute
    url: str | None = None
    """The URL, if the source reads it from a page instead of its metadata."""


class SourceWriter(Protocol):
    """Writes the files of one source, business by business."""

    @property
    def targets(self) -> Sequence[TargetFile]:
        """Return the files."""

    def take(self, business: SandboxBusiness) -> None:
        """Receive the next business of the register. Businesses that the files do not contain are ignored."""

    def close(self) -> None:
        """Finish the files."""


class ListWriter(SourceWriter, Protocol):
    """Writes the files of a regulator's list or a sanctions list."""

    def list_known(self, fixed: KnownBusiness) -> None:
        """Add a fixed business that is on the list."""


@dataclass(frozen=True, slots=True)
class RegisterWriterFactory:
    """Creates a writer of a register's files. Modules define their factories in `WRITERS`, where they are discovered."""

    register: Jurisdiction
    create: Callable[[Path], SourceWriter]
    """Called with the world's folder."""


@dataclass(frozen=True, slots=True)
class ListWriterFactory:
    """Creates a writer of a list's files. Modules define their factories in `WRITERS`, where they are discovered."""

    source: str
    """The key of the list's source."""
    registers: tuple[Jurisdiction, ...]
    """The registers whose businesses are passed to the writer."""
    create: Callable[[Path, int], ListWriter]
    """Called with the world's folder and seed."""
    follows_register: bool = False
    """Whether the list states what the registers state on the day. Otherwise its holders change by themselves."""

    def open(self, folder: Path, seed: int, _day: int) -> ListWriter:
        """Create the writer of the list on a day."""
        return self.create(folder, seed)


@dataclass(frozen=True, slots=True)
class StandaloneListWriterFactory:
    """Creates a writer of a list that contains no generated businesses. Defined in `WRITERS` as those of other lists."""

    source: str
    """The key of the list's source."""
    create: Callable[[Path, int, int], ListWriter]
    """Called with the world's folder, seed and day."""
    registers: tuple[Jurisdiction, ...] = ()
    follows_register: bool = False

    def open(self, folder: Path, seed: int, day: int) -> ListWriter:
        """Create the writer of the list on a day."""
        return self.create(folder, seed, day)


AnyListWriterFactory = ListWriterFactory | StandaloneListWriterFactory


class CsvFile:
    """A CSV file. The header is written on creation."""

    def __init__(self, path: Path, header: Sequence[str], *, encoding: str = "utf-8", delimiter: str = ",") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w", encoding=encoding, newline="", buffering=BUFFER_BYTES)
        self._writer = csv.writer(self._file, delimiter=delimiter, lineterminator="\n")
        self._writer.writerow(header)

    def write(self, cells: Iterable[object]) -> None:
        """Write a row."""
        self._writer.writerow(cells)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()
