"""What every test may ask for. Real data lies beside the checkout and is not part of it; tests that read it skip where it is missing."""

import os
from pathlib import Path

import pytest

SHARED_DATA = Path(os.environ.get("BONAFIDE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real sample files; skips the test, and says so, where it is missing."""
    if not SHARED_DATA.is_dir():
        pytest.skip("real sample data is not beside this checkout (set BONAFIDE_SHARED_DATA to its folder)")
    return SHARED_DATA
