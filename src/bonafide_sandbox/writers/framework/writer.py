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
    """A file that a writer fills: the source it belongs to, what that source calls it, its place in the world's folder."""

    source: str
    resource: str
    path: str
    route: DeliveryRoute
    url: str | None = None
    """Its address, where the source finds that out on a page and no resource of its metadata has it."""


class SourceWriter(Protocol):
    """Fills the files of one source, business by business."""

    @property
    def targets(self) -> Sequence[TargetFile]:
        """The files."""

    def take(self, business: SandboxBusiness) -> None:
        """One of the businesses of its register, in order; a writer passes over those that its files do not have."""

    def close(self) -> None:
        """Finish the files."""


class ListWriter(SourceWriter, Protocol):
    """Fills the files of a list that names businesses beside their register: a regulator's or a sanctions list."""

    def list_known(self, fixed: KnownBusiness) -> None:
        """A fixed business that is on the list."""


@dataclass(frozen=True, slots=True)
class RegisterWriterFactory:
    """Creates a writer of a register's files. A module of writers has its factories in `WRITERS`, where they are discovered."""

    register: Jurisdiction
    create: Callable[[Path], SourceWriter]
    """Takes the world's folder."""


@dataclass(frozen=True, slots=True)
class ListWriterFactory:
    """Creates the writer of a list's files. A module of writers has its factories in `WRITERS`, where they are discovered."""

    source: str
    """The list's key."""
    registers: tuple[Jurisdiction, ...]
    """The registers whose businesses the writer is given."""
    create: Callable[[Path, int], ListWriter]
    """Takes the world's folder and seed."""


class CsvFile:
    """A CSV file with its header written."""

    def __init__(self, path: Path, header: Sequence[str], *, encoding: str = "utf-8", delimiter: str = ",") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w", encoding=encoding, newline="", buffering=BUFFER_BYTES)
        self._writer = csv.writer(self._file, delimiter=delimiter, lineterminator="\n")
        self._writer.writerow(header)

    def write(self, cells: Iterable[object]) -> None:
        """One row."""
        self._writer.writerow(cells)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()
