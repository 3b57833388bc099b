"""The NAICS index as it is exchanged between machines: one file and a pointer to it.

It is the counterpart of `index.exchange`, which does this for sources. What is in the file is the business of `naics`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from bonafide.errors import SegmentCorrupt
from bonafide.index import compute_sha256, describe_file, hold_exclusive_lock
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import Inventory, InventoryFile
from bonafide.website.industry.naics_index import read_index

NAICS = "naics"
"""How it is known beside the sources."""
KEPT = 2
"""Files that stay: the one in use, and the one before it for a process that has read the pointer and not yet the file."""
_DRAFT = ".draft-"


class NaicsTransfer:
    """The classification of one world, with which nobody else on this machine is busy."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._draft: Path | None = None
        self._final: Path | None = None

    @property
    def current(self) -> str | None:
        """The file in use."""
        return read_pointer(self._home)

    def inventory(self, _known: Inventory | None) -> Inventory:
        """That file."""
        name = self.current or ""
        return Inventory(files=(describe_file(self._home / name, name),))

    def path(self, file: InventoryFile) -> Path:
        """Where it lies."""
        return self._home / file.path

    def begin(self, inventory: Inventory, *, thorough: bool) -> dict[Path, InventoryFile]:
        """Prepare to take one in: where to write it unless it is here. Its name changes with its content."""
        if len(inventory.files) != 1 or "/" in inventory.files[0].path:
            raise SegmentCorrupt("the description of the classification is not of one file")
        file = inventory.files[0]
        self._final = self._home / file.path
        if self._final.is_file() and (not thorough or compute_sha256(self._final) == file.sha256):
            return {}
        self._draft = Path(mkdtemp(prefix=_DRAFT, dir=self._home)) / file.path
        return {self._draft: file}

    def activate(self) -> str:
        """Verify what has come in and put it to use. Raises `SegmentCorrupt`."""
        if self._final is None:
            raise SegmentCorrupt("nothing has come in")
        read_index(self._draft if self._draft is not None else self._final)
        if self._draft is not None:
            self._draft.replace(self._final)
        write_pointer(self._home, self._final)
        return self._final.name

    def discard(self) -> None:
        """Remove what is left of a draft."""
        if self._draft is not None:
            self._draft.unlink(missing_ok=True)
            if self._draft.parent.is_dir():
                self._draft.parent.rmdir()
        self._draft = None


@contextmanager
def open_naics_transfer(home: Path) -> Iterator[NaicsTransfer]:
    """The classification below a folder. Raises `RefreshRefused` while somebody else on this machine is busy with it."""
    home.mkdir(parents=True, exist_ok=True)
    with hold_exclusive_lock(home, NAICS):
        yield NaicsTransfer(home)


def get_naics_folder(data_dir: Path, world: World) -> Path:
    """Where a data directory keeps the classification of a world."""
    return data_dir / "reference" / NAICS / world.value


def read_pointer(home: Path) -> str | None:
    """The name of the file in use; None before the first."""
    try:
        return (home / "current").read_text(encoding="ascii")
    except FileNotFoundError:
        return None


def write_pointer(home: Path, final: Path) -> None:
    """Put a file to use."""
    pointer = home / ".current"
    pointer.write_text(final.name, encoding="ascii")
    pointer.replace(home / "current")


def remove_old_files(home: Path) -> None:
    """Remove the files before the one in use and the one before it, and what dead processes have left."""
    current = read_pointer(home)
    old = sorted((path for path in home.glob("*.npz") if path.name != current), key=lambda path: path.stat().st_mtime_ns)
    for path in old[: max(0, len(old) - (KEPT - 1))]:
        path.unlink(missing_ok=True)
    for folder in home.glob(f"{_DRAFT}*/"):
        for path in folder.iterdir():
            path.unlink(missing_ok=True)
        folder.rmdir()
