"""One thread for all: who has used the most of it waits, whatever the order of arrival."""

import time
from concurrent.futures import Future
from functools import partial
from threading import Event

import pytest

from bonafide.concurrency.fair_thread import FairThread
from tests.support.waiting import TIMEOUT_S

STEP_S = 0.005


def compute(done: list[str], name: str) -> None:
    began = time.perf_counter()
    while time.perf_counter() - began < STEP_S:
        pass
    done.append(name)


def order(thread: FairThread, callers: list[tuple[str, float]]) -> list[str]:
    """The order in which functions of these callers ran that had all been queued before the first began."""
    held, done = Event(), list[str]()
    holding = thread.submit(lambda: held.wait(TIMEOUT_S), "holder")
    queued: list[Future[None]] = [thread.submit(partial(compute, done, name), name, weight) for name, weight in callers]
    held.set()
    holding.result(TIMEOUT_S)
    for future in queued:
        future.result(TIMEOUT_S)
    return done


def test_a_burst_of_one_caller_does_not_delay_another() -> None:
    done = order(FairThread("test"), [*[("flood", 1.0)] * 20, ("other", 1.0), ("other", 1.0)])
    assert done.index("other") <= 1
    assert done[:6].count("other") == 2


def test_functions_of_one_caller_run_in_their_order() -> None:
    thread, done = FairThread("test"), list[int]()
    for future in [thread.submit(partial(done.append, number), "north") for number in range(50)]:
        future.result(TIMEOUT_S)
    assert done == list(range(50))


def test_time_is_shared_by_weight() -> None:
    done = order(FairThread("test"), [*[("light", 1.0)] * 30, *[("heavy", 3.0)] * 30])
    assert 12 <= done[:20].count("heavy") <= 17


def test_an_error_reaches_who_waits_and_what_was_cancelled_is_not_run() -> None:
    thread, held, done = FairThread("test"), Event(), list[str]()
    holding = thread.submit(lambda: held.wait(TIMEOUT_S), "north")
    failing = thread.submit(lambda: 1 // 0, "north")
    cancelled = thread.submit(lambda: done.append("cancelled"), "north")
    assert cancelled.cancel()
    held.set()
    holding.result(TIMEOUT_S)
    with pytest.raises(ZeroDivisionError):
        failing.result(TIMEOUT_S)
    thread.submit(lambda: done.append("next"), "north").result(TIMEOUT_S)
    assert done == ["next"]


@pytest.mark.slow
def test_callers_that_are_idle_are_forgotten() -> None:
    thread = FairThread("test")
    order_of_many = [thread.submit(lambda: None, str(number)) for number in range(3000)]
    for future in (*order_of_many, thread.submit(lambda: None, "last")):
        future.result(TIMEOUT_S)
    thread.submit(lambda: None, "next").result(TIMEOUT_S)
    assert len(thread._used_s) <= 1
