"""Two names, however they are spelled, mean that the sandbox's registers are in trouble."""

import pytest

from bonafide.sandbox.faults import Trouble, simulated_trouble


@pytest.mark.parametrize("name", ["Sandbox Timeout Ltd.", "SANDBOX TIMEOUT LIMITED", "sandbox  timeout", "Sandbox Timeout Ltée"])
def test_one_name_means_that_no_answer_comes(name: str) -> None:
    assert simulated_trouble(name) is Trouble.TIMEOUT


@pytest.mark.parametrize("name", ["Sandbox Outage Ltd.", "Sandbox Outage Inc"])
def test_the_other_means_that_the_registers_are_out_of_service(name: str) -> None:
    assert simulated_trouble(name) is Trouble.OUTAGE


@pytest.mark.parametrize(
    "name", ["Sandbox Bakery Inc.", "Timeout Ltd.", "Sandbox Timeouts Ltd.", "Sandbox", "", "1234567 Canada Inc."]
)
def test_any_other_name_means_nothing(name: str) -> None:
    assert simulated_trouble(name) is None
