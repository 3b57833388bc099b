"""A fleet under load, of which one part after another dies: what was acknowledged stays, nothing is done twice, no answer is wrong.

The tests run in this order and over one fleet; the last ones look at everything that was promised while the others ran. Times are
printed, not asserted. `BONAFIDE_TEST_WHOLE=1` gives each fault more of the same.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from fleet_parts import wait_for
from small_fleet import Fleet, running_fleet

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory, sandbox_data: Path) -> Iterator[Fleet]:
    with running_fleet(tmp_path_factory.mktemp("fleet"), sandbox_data) as running:
        yield running


def test_the_fleet_answers(fleet: Fleet) -> None:
    fleet.endures("nothing", lambda: None, lambda: None, is_redundant=True)


def test_a_node_is_killed(fleet: Fleet) -> None:
    node = fleet.machines[0].node
    fleet.endures("API node, kill -9", node.kill, node.start, is_redundant=True)
