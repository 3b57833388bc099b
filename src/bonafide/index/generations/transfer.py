"""Export a source's current generation to other machines, and import one built by another machine.

Segments are identified by their headers: existing segments are reused, and imported ones get new names, which may differ between
machines. Files that a reader may have open are never replaced. The caller transfers the files.
"""

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Generic, TypeVar

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index.format.segment_files import HEADER
from bonafide.index.generations.manifest import read_parts, rename_parts
from bonafide.index.generations.source_folder import build_draft_path, create_draft
from bonafide.index.generations.watcher import GenerationWatcher
from bonafide.model.loading import Inventory, InventoryFile

M = TypeVar("M")
_GENERATION, _SEGMENTS = "generation", "segments"
"""Folders of an inventory: the files of the generation, and those of each segment by its name in the manifest."""
_SEGMENTS_DEPTH = 2


class IndexTransfer(Generic[M]):
    """The exchange of one generation of a locked source: an export or an import."""

    def __init__(self, in_use: GenerationWatcher[M]) -> None:
        self._in_use = in_use
        self._source = in_use.source
        self._id = ""
        self._names: dict[str, str] = {}
        self._drafts: list[Path] = []

    @property
    def current(self) -> str | None:
        """The generation in use here."""
        return self._source.get_current_id()

    # -------------------------------------------------------------------------------------------------------- export

    def inventory(self, known: Inventory | None) -> Inventory:
        """All files of the current generation; segments in `known` are not read again. Raises `SegmentCorrupt` or `OSError`."""
        current = self.current or ""
        names = [part.segment for part in read_parts(self._source, current)]
        files = [_describe_in_folder(path, _GENERATION) for path in _list_files(self._source.generations / current)]
        earlier = _group_by_segment(known) if known is not None else {}
        by_header = {segment[HEADER].sha256: segment for segment in earlier.values()}
        for name in names:
            folder = self._source.segments / name
            where = f"{_SEGMENTS}/{name}"
            same = by_header.get(compute_sha256(folder / HEADER))
            if same is not None:
                files += [file.model_copy(update={"path": f"{where}/{inner}"}) for inner, file in same.items()]
            else:
                files += [_describe_in_folder(path, where) for path in _list_files(folder)]
        return Inventory(files=tuple(files))

    def path(self, file: InventoryFile) -> Path:
        """The path of a file of that inventory."""
        folder, _, rest = file.path.partition("/")
        return (self._source.generations / (self.current or "") if folder == _GENERATION else self._source.segments) / rest

    # -------------------------------------------------------------------------------------------------------- import

    def begin(self, inventory: Inventory, *, thorough: bool) -> dict[Path, InventoryFile]:
        """Prepare an import: the missing files, and where to write them.

        Existing segments are recognised by their header and sizes or, with `thorough`, by the checksums of all their files.
        """
        first = int(self._source.next_id())
        self._names, self._drafts = {}, []
        self._id = _format_id(first)
        here = self._segments_here()
        wanted: dict[Path, InventoryFile] = {}
        for name, files in _group_by_segment(inventory).items():
            held = here.get(files[HEADER].sha256)
            if held is not None and _has_same_files(self._source.segments / held, files, thorough=thorough):
                self._names[name] = held
                continue
            self._names[name] = _format_id(first + len(self._drafts))
            draft = self._draft(self._source.segments / self._names[name])
            wanted |= {draft / inner: file for inner, file in files.items()}
        draft = self._draft(self._source.generations / self._id)
        return wanted | {draft / Path(file.path).name: file for file in inventory.below(_GENERATION)}

    def activate(self) -> str:
        """Verify the imported generation and make it current; returns its local id.

        Raises `SegmentCorrupt` if it is unusable; the old one then stays current, and imported segments are kept for a retry.
        """
        *segments, generation = self._drafts
        for draft in segments:
            self._source.finish(draft)
        rename_parts(generation, self._names)
        final = self._source.finish(generation)
        try:
            opened = self._in_use.open(self._id, self._in_use.get_usable())
        except SegmentCorrupt:
            shutil.rmtree(final, ignore_errors=True)
            raise
        self._source.set_current(self._id)
        self._in_use.adopt(opened)
        return self._id

    def discard(self) -> None:
        """Remove partial imports."""
        for draft in self._drafts:
            shutil.rmtree(draft, ignore_errors=True)

    def _draft(self, final: Path) -> Path:
        self._drafts.append(build_draft_path(final))
        return create_draft(final)

    def _segments_here(self) -> dict[str, str]:
        """The names of local segments by the digest of the header, newest last."""
        found = {}
        for folder in sorted(self._source.segments.iterdir()):
            header = folder / HEADER
            if build_draft_path(folder).suffix != folder.suffix and header.is_file():
                found[compute_sha256(header)] = folder.name
        return found


def compute_sha256(path: Path) -> str:
    """The digest of a file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def describe_file(path: Path, place: str) -> InventoryFile:
    """The inventory entry of a file."""
    return InventoryFile(path=place, size=path.stat().st_size, sha256=compute_sha256(path))


def _describe_in_folder(path: Path, folder: str) -> InventoryFile:
    return describe_file(path, f"{folder}/{path.name}")


def _list_files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def _format_id(number: int) -> str:
    return f"{number:08}"


def _group_by_segment(inventory: Inventory) -> dict[str, dict[str, InventoryFile]]:
    """The files of each segment by their own names. Raises `SegmentCorrupt` where a segment has no header."""
    found: dict[str, dict[str, InventoryFile]] = {}
    for file in inventory.below(_SEGMENTS):
        if file.path.count("/") != _SEGMENTS_DEPTH:
            raise SegmentCorrupt(Message("The description of a generation has a file {path} that no segment has.", path=file.path))
        _, name, inner = file.path.split("/")
        found.setdefault(name, {})[inner] = file
    for name, files in found.items():
        if HEADER not in files:
            raise SegmentCorrupt(Message("The description of a generation has no header of its segment {name}.", name=name))
    return found


def _has_same_files(folder: Path, files: Mapping[str, InventoryFile], *, thorough: bool) -> bool:
    try:
        return all(
            (folder / inner).stat().st_size == file.size and (not thorough or compute_sha256(folder / inner) == file.sha256)
            for inner, file in files.items()
        )
    except OSError:
        return False
