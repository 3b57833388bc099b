"""The NAICS index as it is exchanged between machines: one file and a pointer to it.

It is the counterpart of `index.exchange` for sources. `naics` defines the contents of the file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index import compute_sha256, describe_file, hold_exclusive_lock
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import Inventory, InventoryFile
from bonafide.website.industry.naics_index import read_index

NAICS = "naics"
"""Its key beside those of sources."""
KEPT = 2
"""How many files are kept: the one in use, and the previous one for processes that have just read the old pointer."""
_DRAFT = ".draft-"


class NaicsTransfer:
    """The classification of one world, locked for this process."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._draft: Path | None = None
        self._final: Path | None = None

    @property
    def current(self) -> str | None:
        """The file in use."""
        return read_pointer(self._home)

    def inventory(self, _known: Inventory | None) -> Inventory:
        """The inventory of the file in use."""
        name = self.current or ""
        return Inventory(files=(describe_file(self._home / name, name),))

    def path(self, file: InventoryFile) -> Path:
        """The path of the file."""
        return self._home / file.path

    def begin(self, inventory: Inventory, *, thorough: bool) -> dict[Path, InventoryFile]:
        """Prepare to receive a file: where to write it, or nothing if it exists. Its name changes with its content."""
        if len(inventory.files) != 1 or "/" in inventory.files[0].path:
            raise SegmentCorrupt(Message("The inventory of the classification must have exactly one file."))
        file = inventory.files[0]
        self._final = self._home / file.path
        if self._final.is_file() and (not thorough or compute_sha256(self._final) == file.sha256):
            return {}
        self._draft = Path(mkdtemp(prefix=_DRAFT, dir=self._home)) / file.path
        return {self._draft: file}

    def activate(self) -> str:
        """Verify the received file and put it into use. Raises `SegmentCorrupt`."""
        if self._final is None:
            raise SegmentCorrupt(Message("No file was received."))
        read_index(self._draft if self._draft is not None else self._final)
        if self._draft is not None:
            self._draft.replace(self._final)
        write_pointer(self._home, self._final)
        return self._final.name

    def discard(self) -> None:
        """Delete the draft, if any."""
        if self._draft is not None:
            self._draft.unlink(missing_ok=True)
            if self._draft.parent.is_dir():
                self._draft.parent.rmdir()
        self._draft = None


@contextmanager
def open_naics_transfer(home: Path) -> Iterator[NaicsTransfer]:
    """Lock the classification below a folder. Raises `RefreshRefused` while another process of this machine holds it."""
    home.mkdir(parents=True, exist_ok=True)
    with hold_exclusive_lock(home, NAICS):
        yield NaicsTransfer(home)


def get_naics_folder(data_dir: Path, world: World) -> Path:
    """The folder of the classification of a world."""
    return data_dir / "reference" / NAICS / world.value


def read_pointer(home: Path) -> str | None:
    """The name of the file in use; None before the first."""
    try:
        return (home / "current").read_text(encoding="ascii")
    except FileNotFoundError:
        return None


def write_pointer(home: Path, final: Path) -> None:
    """Point to a file."""
    pointer = home / ".current"
    pointer.write_text(final.name, encoding="ascii")
    pointer.replace(home / "current")


def remove_old_files(home: Path) -> None:
    """Delete all files but the one in use and the previous one, and the drafts of dead processes."""
    current = read_pointer(home)
    old = sorted((path for path in home.glob("*.npz") if path.name != current), key=lambda path: path.stat().st_mtime_ns)
    for path in old[: max(0, len(old) - (KEPT - 1))]:
        path.unlink(missing_ok=True)
    for folder in home.glob(f"{_DRAFT}*/"):
        for path in folder.iterdir():
            path.unlink(missing_ok=True)
        folder.rmdir()
