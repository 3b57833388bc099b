import errno
from pathlib import Path

import pytest

from bonafide.model.loading import InventoryFile
from bonafide.services.indexing.disk_space import check_disk_space, is_full_disk

MORE_THAN_ANY_DISK = 1 << 60


def wanted(folder: Path, size: int) -> dict[Path, InventoryFile]:
    return {folder / "file": InventoryFile(path="generations/1/file", size=size, sha256="0" * 64)}


def test_what_fits_may_come(tmp_path: Path) -> None:
    check_disk_space({})
    check_disk_space(wanted(tmp_path, 1))


def test_what_does_not_fit_is_told_before_any_of_it_comes(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as raised:
        check_disk_space(wanted(tmp_path, MORE_THAN_ANY_DISK))
    assert is_full_disk(raised.value)


@pytest.mark.parametrize("error", [OSError(errno.EIO, "damaged"), ValueError("else")])
def test_other_trouble_is_no_full_disk(error: Exception) -> None:
    assert not is_full_disk(error)
