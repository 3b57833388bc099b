"""The folders of a source's generations and segments, and the steps by which a generation becomes the current one.

    <source key>/current               the id of the generation in use
    <source key>/generations/<id>/     its segments, and which of their documents are deleted (see `manifest`)
    <source key>/segments/<id>/        a segment of one or several generations
    …/<id>.draft/                      one that is being written, or that an interrupted writer left behind

Each step is synced to disk before the next one: the segment, its rename, the generation that refers to it, its rename, the pointer.
So the pointer always refers to a complete generation, even after a crash. `manifest` and
`segment_files` read the files.
"""

import re
import shutil
from collections.abc import Collection
from pathlib import Path

from bonafide.index.format.segment_files import sync_folder, write_durably

_DRAFT = ".draft"
_ID_DIGITS = 8
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

PointerState = tuple[int, int]
"""The state of a pointer: the file's inode and modification time."""


class SourceFolder:
    """The folder of one source. Raises `ValueError` for a key that is not a valid folder name."""

    def __init__(self, root: Path, key: str) -> None:
        if _KEY.fullmatch(key) is None:
            raise ValueError(f"{key!r} is not a source key")
        self.key = key
        self._home = root / key
        self.pointer = self._home / "current"
        self.generations = self._home / "generations"
        self.segments = self._home / "segments"

    def prepare(self) -> None:
        """Create the folders and sync them."""
        self.generations.mkdir(parents=True, exist_ok=True)
        self.segments.mkdir(exist_ok=True)
        sync_folder(self._home)
        sync_folder(self._home.parent)

    def get_pointer_state(self) -> PointerState | None:
        """The present state of the pointer, at the cost of one `stat`; None before the first generation."""
        try:
            status = self.pointer.stat()
        except FileNotFoundError:
            return None
        return (status.st_ino, status.st_mtime_ns)

    def get_current_id(self) -> str | None:
        """The id of the generation in use; None before the first."""
        try:
            return self.pointer.read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            return None

    def list_up_to(self, generation: str) -> list[str]:
        """The ids of this generation, even if it is missing, and of the finished ones before it, newest first.

        Returns all finished ones if this is not a valid id, which means that the pointer is damaged.
        """
        finished = sorted((path.name for path in _list_folders(self.generations) if _is_id(path.name)), reverse=True)
        return [generation, *(other for other in finished if other < generation)] if _is_id(generation) else finished

    def next_id(self) -> str:
        """An id for a new generation and its new segment, higher than any other."""
        paths = [*_list_folders(self.generations), *_list_folders(self.segments)]
        taken = [path.name.removesuffix(_DRAFT) for path in paths] + [self.get_current_id() or ""]
        return f"{max((int(identity) for identity in taken if _is_id(identity)), default=0) + 1:0{_ID_DIGITS}}"

    def finish(self, draft: Path) -> Path:
        """Rename a draft, whose files are on disk, to its final name; nothing uses it yet. Returns its path."""
        sync_folder(draft)
        final = draft.rename(draft.with_suffix(""))
        sync_folder(final.parent)
        return final

    def set_current(self, generation: str) -> None:
        """Make a finished generation the current one."""
        replacement = self.pointer.with_suffix(".new")
        write_durably(replacement, generation.encode())
        replacement.replace(self.pointer)
        sync_folder(self._home)

    def tidy(self, generations: Collection[str], segments: Collection[str] | None) -> None:
        """Remove all other generations, segments and drafts; with `segments` None, keep all finished segments."""
        for path in [*_list_folders(self.generations), *_list_folders(self.segments)]:
            kept = generations if path.parent == self.generations else segments
            if path.name not in kept if kept is not None else path.name.endswith(_DRAFT):
                # A failed removal is retried next time.
                shutil.rmtree(path, ignore_errors=True)


def build_draft_path(final: Path) -> Path:
    """The draft folder of `final`."""
    return final.with_name(final.name + _DRAFT)


def create_draft(final: Path) -> Path:
    """Create an empty draft folder."""
    draft = build_draft_path(final)
    draft.mkdir()
    return draft


def _list_folders(parent: Path) -> list[Path]:
    return list(parent.iterdir()) if parent.is_dir() else []


def _is_id(name: str) -> bool:
    return len(name) == _ID_DIGITS and name.isdecimal()
