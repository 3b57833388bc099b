"""The registrations over which the sandbox's registers are in trouble, and the register that takes its time."""

import pytest

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.simulated_failures import SimulatedFailure
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.protocols import ProtocolRequest
from bonafide_sandbox.protocols.orgbook import ENDPOINTS
from bonafide_sandbox.protocols.orgbook_records import to_topic_id
from bonafide_sandbox.slow_registers import REFUSAL_TTL_S, SlowRegisters
from bonafide_sandbox.world.simulated_failures import find_report_failure, find_search_failure

[ORGBOOK] = ENDPOINTS
SLOW = next(fixed.business for fixed in KNOWN_BUSINESSES if fixed.business.number == "BC1000033")
REPORT = ProtocolRequest("GET", f"topic/{to_topic_id(SLOW)}/credential-set", {}, {}, b"")


@pytest.mark.parametrize("number", ["BC1000033", "bc 1000033", "1000033"])
def test_one_registration_means_a_slow_register(number: str) -> None:
    assert find_report_failure(Jurisdiction.BC, number) is SimulatedFailure.SLOW


def test_another_means_one_that_fails() -> None:
    assert find_report_failure(Jurisdiction.AB, "2010000041") is SimulatedFailure.FAILING


@pytest.mark.parametrize(("jurisdiction", "number"), [("ON", "1000033"), ("BC", "1000034"), ("AB", "2010000108"), ("AB", "")])
def test_any_other_means_nothing(jurisdiction: str, number: str) -> None:
    assert find_report_failure(Jurisdiction(jurisdiction), number) is None


@pytest.mark.parametrize("name", ["Sandbox Slow Registry Inc.", "Sandbox Failing Registry Inc."])
def test_a_search_for_their_names_meets_no_trouble(name: str) -> None:
    assert find_search_failure(name) is None


def test_every_other_request_for_the_report_is_put_off() -> None:
    registers = SlowRegisters()
    answers = [registers.refusal(ORGBOOK, REPORT) for _ in range(4)]
    assert [answer is not None for answer in answers] == [True, False, True, False]
    refusal = answers[0]
    assert refusal is not None
    assert (refusal.status_code, refusal.headers["retry-after"]) == (429, "1")


def test_who_does_not_come_back_in_a_while_is_put_off_anew() -> None:
    now = 0.0
    registers = SlowRegisters(lambda: now)
    assert registers.refusal(ORGBOOK, REPORT) is not None
    now = REFUSAL_TTL_S
    assert registers.refusal(ORGBOOK, REPORT) is not None
    now += REFUSAL_TTL_S - 1
    assert registers.refusal(ORGBOOK, REPORT) is None


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("search/topic", {"q": "BC1000033"}),
        (f"topic/{to_topic_id(SLOW)}", {}),
        (f"topic/{to_topic_id(SLOW) + 1}/credential-set", {}),
        ("topic/x/credential-set", {}),
    ],
)
def test_searches_and_other_registrations_are_answered_at_once(path: str, params: dict[str, str]) -> None:
    assert SlowRegisters().refusal(ORGBOOK, ProtocolRequest("GET", path, params, {}, b"")) is None
