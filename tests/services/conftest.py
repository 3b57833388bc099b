"""Services over a real database and the sandbox's made-up Canada of a thousand businesses, loaded once for all tests.

`north` and `south` are two organizations of the sandbox: north owns what a test makes, south must see nothing of it.
"""

import shutil
from pathlib import Path

import pytest
from services_samples import ManualClock, principal_of, runtime_over

from bonafide.model.organization import Principal
from bonafide.runtime import Runtime
from bonafide.store.engine import Store


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def runtime(store: Store, sandbox_data: Path, tmp_path: Path, clock: ManualClock) -> Runtime:
    """Every source loaded."""
    return runtime_over(store, tmp_path, clock, sandbox_data)


@pytest.fixture
def own_runtime(store: Store, sandbox_data: Path, tmp_path: Path, clock: ManualClock) -> Runtime:
    """Every source loaded, in a copy that the test may damage."""
    shutil.copytree(sandbox_data / "index", tmp_path / "index")
    return runtime_over(store, tmp_path, clock)


@pytest.fixture
def empty_runtime(store: Store, tmp_path: Path, clock: ManualClock) -> Runtime:
    """No source loaded."""
    return runtime_over(store, tmp_path, clock)


@pytest.fixture
async def north(runtime: Runtime) -> Principal:
    return await principal_of(runtime, "north")


@pytest.fixture
async def south(runtime: Runtime) -> Principal:
    return await principal_of(runtime, "south")
