"""Two names, however they are spelled, mean that the sandbox's registers are in trouble."""

import pytest

from bonafide.sources.framework.simulated_failures import SimulatedFailure
from bonafide_sandbox.world.simulated_failures import find_search_failure


@pytest.mark.parametrize("name", ["Sandbox Timeout Ltd.", "SANDBOX TIMEOUT LIMITED", "sandbox  timeout", "Sandbox Timeout Ltée"])
def test_one_name_means_that_no_answer_comes(name: str) -> None:
    assert find_search_failure(name) is SimulatedFailure.TIMEOUT


@pytest.mark.parametrize("name", ["Sandbox Outage Ltd.", "Sandbox Outage Inc"])
def test_the_other_means_that_the_registers_are_out_of_service(name: str) -> None:
    assert find_search_failure(name) is SimulatedFailure.OUTAGE


@pytest.mark.parametrize(
    "name", ["Sandbox Bakery Inc.", "Timeout Ltd.", "Sandbox Timeouts Ltd.", "Sandbox", "", "1234567 Canada Inc."]
)
def test_any_other_name_means_nothing(name: str) -> None:
    assert find_search_failure(name) is None
