"""What several tests of matching ask for."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture
def no_collection() -> Iterator[None]:
    """As after `gc.freeze()`: only the counts of references free an object."""
    gc.disable()
    yield
    gc.enable()
