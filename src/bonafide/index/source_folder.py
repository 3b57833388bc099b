"""Where the generations of one source lie on disk, and the steps by which one becomes the one in use.

    <source key>/current                    the id of the generation in use
    <source key>/generations/<id>/          a whole segment and its manifest.json
    <source key>/generations/<id>.draft/    one that is being built, or whose build died

Each step is on disk before the next is taken: the segment and its manifest, the rename that makes a draft a generation, the
pointer. So the pointer names a whole generation whenever a process dies. Opening generations is the business of `generations`.
"""

import json
import re
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from bonafide.errors import SegmentCorrupt
from bonafide.index.files import sync_folder, write_durably

_MANIFEST = "manifest.json"
_DRAFT = ".draft"
_ID_DIGITS = 8
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class SourceFolder:
    """The folder of one source. Raises `ValueError` for a key that can't be the name of a folder."""

    def __init__(self, root: Path, key: str) -> None:
        if _KEY.fullmatch(key) is None:
            raise ValueError(f"{key!r} is not a source key")
        self.key = key
        self._home = root / key
        self.pointer = self._home / "current"
        self.generations = self._home / "generations"

    def pointed(self) -> str | None:
        """The id of the generation in use; None before the first."""
        try:
            return self.pointer.read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            return None

    def upto(self, generation: str) -> list[str]:
        """The ids of this generation, even if it is missing, and of the finished ones before it, newest first.

        Of all finished ones when this is no id: a pointer damaged from outside.
        """
        finished = sorted((path.name for path in self._folders() if _is_id(path.name)), reverse=True)
        return [generation, *(other for other in finished if other < generation)] if _is_id(generation) else finished

    def path(self, generation: str) -> Path:
        """The folder of a generation."""
        return self.generations / generation

    def manifest(self, generation: str) -> dict[str, Any]:
        """What was written at its commit. Raises `SegmentCorrupt` when it can't be read."""
        try:
            return dict(json.loads((self.path(generation) / _MANIFEST).read_bytes()))
        except (OSError, ValueError, TypeError) as error:
            raise SegmentCorrupt(f"{self.key}: the manifest of generation {generation} can't be read: {error}") from error

    def new_draft(self) -> Path:
        """An empty folder to build the next generation in."""
        taken = [path.name.removesuffix(_DRAFT) for path in self._folders()] + [self.pointed() or ""]
        number = max((int(identity) for identity in taken if _is_id(identity)), default=0) + 1
        draft = self.generations / f"{number:0{_ID_DIGITS}}{_DRAFT}"
        draft.mkdir()
        return draft

    def finish(self, draft: Path, manifest: Mapping[str, Any]) -> str:
        """Make a draft a generation; it is not in use yet. Returns its id."""
        write_durably(draft / _MANIFEST, json.dumps(manifest, ensure_ascii=False).encode())
        sync_folder(draft)
        final = draft.rename(draft.with_suffix(""))
        sync_folder(self.generations)
        return final.name

    def point_to(self, generation: str) -> None:
        """Put a finished generation to use."""
        replacement = self.pointer.with_suffix(".new")
        write_durably(replacement, generation.encode())
        replacement.replace(self.pointer)
        sync_folder(self._home)

    def tidy(self, held: Collection[Path]) -> None:
        """Remove leftovers of dead builds, and generations older than the previous one that aren't held.

        The previous one stays for processes that have read the pointer and not yet opened what it named.
        """
        pointed = self.pointed()
        kept = {self.path(generation) for generation in self.upto(pointed)[:2]} if pointed is not None else set()
        for path in self._folders():
            if path not in kept and path not in held:
                # What can't be removed now is tried again next time.
                shutil.rmtree(path, ignore_errors=True)

    def _folders(self) -> list[Path]:
        return list(self.generations.iterdir()) if self.generations.is_dir() else []


def _is_id(name: str) -> bool:
    return len(name) == _ID_DIGITS and name.isdecimal()
