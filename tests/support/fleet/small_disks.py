"""Disks that can be full: small file systems in memory, where this machine lets us mount them."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MEGABYTE = 1024 * 1024
FILLER = "filler"


class SmallDisk:
    """A file system of its own at a folder; or only the folder, where nothing may be mounted."""

    def __init__(self, folder: Path, *, is_mounted: bool) -> None:
        self.folder, self.is_mounted = folder, is_mounted

    def fill(self, leaving: int = 0) -> None:
        """Write until nothing more can be written, then give so many bytes back."""
        with (self.folder / FILLER).open("ab", buffering=0) as filler, suppress(OSError):
            while True:
                filler.write(bytes(64 * 1024))
        with (self.folder / FILLER).open("ab", buffering=0) as filler, suppress(OSError):
            while leaving == 0:
                filler.write(bytes(1024))
        if leaving:
            os.truncate(self.folder / FILLER, max(0, (self.folder / FILLER).stat().st_size - leaving))

    def free(self) -> None:
        """Give all of it back."""
        (self.folder / FILLER).unlink(missing_ok=True)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[SmallDisk]:
    """A disk of this many bytes at the folder while the block runs."""
    folder.mkdir(exist_ok=True)
    mount, umount = shutil.which("mount"), shutil.which("umount")
    is_mounted = False
    if os.geteuid() == 0 and mount is not None and umount is not None:
        command = [mount, "-t", "tmpfs", "-o", f"size={size}", "bonafide-test", str(folder)]
        is_mounted = subprocess.run(command, check=False, capture_output=True).returncode == 0  # noqa: S603 - our own words
    try:
        yield SmallDisk(folder, is_mounted=is_mounted)
    finally:
        if is_mounted and umount is not None:
            subprocess.run([umount, "--lazy", str(folder)], check=False, capture_output=True)  # noqa: S603 - our own words
