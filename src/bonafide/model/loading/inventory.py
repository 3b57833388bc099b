"""The files of an index generation as it is distributed between machines, with their digests.

Names of generations and segments are each machine's own; what is the same on all of them is told by the sums. It reads no file.
"""

import hashlib
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from bonafide.model.base import Document

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
