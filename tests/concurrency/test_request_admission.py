"""Requests in progress and incoming bodies are limited separately; too many bodies of one sender end its oldest."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack

import pytest

from bonafide.concurrency.request_admission import GRACE_S, MIN_RECEIVING_S, IncomingBody, RequestAdmission
from bonafide.errors import ServerBusy

pytestmark = pytest.mark.anyio


@pytest.fixture
async def stack() -> AsyncIterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


async def test_a_request_whose_body_arrives_is_not_in_progress(stack: ExitStack) -> None:
    admission = RequestAdmission(1, 10, 10)
    stack.enter_context(admission.count_request())
    with pytest.raises(ServerBusy), admission.count_request():
        pass
    with admission.count_incoming(IncomingBody(30, 1), ["north"]):
        assert (admission.in_progress, admission.incoming) == (0, 1)
        with admission.count_request():
            pass
    assert (admission.in_progress, admission.incoming) == (1, 0)


async def test_a_complete_body_finds_the_limit_reached() -> None:
    admission = RequestAdmission(1, 10, 10)
    with ExitStack() as mine, ExitStack() as other:
        mine.enter_context(admission.count_request())
        mine.enter_context(admission.count_incoming(IncomingBody(30, 1), ["north"]))
        other.enter_context(admission.count_request())
        with pytest.raises(ServerBusy):
            mine.close()
    assert (admission.in_progress, admission.incoming) == (0, 0)


async def test_a_caller_has_at_most_half_of_the_requests(stack: ExitStack) -> None:
    refused: list[str] = []
    admission = RequestAdmission(4, 10, 10, refused.append)
    for _ in range(2):
        stack.enter_context(admission.count_caller("north"))
    with pytest.raises(ServerBusy), admission.count_caller("north"):
        pass
    with admission.count_caller("south"):
        pass
    assert refused == ["requests"]


async def test_a_request_whose_body_arrives_is_not_counted_for_its_caller(stack: ExitStack) -> None:
    admission = RequestAdmission(2, 10, 10)
    with ExitStack() as mine, ExitStack() as other:
        mine.enter_context(admission.count_request())
        mine.enter_context(admission.count_caller("north"))
        mine.enter_context(admission.count_incoming(IncomingBody(30, 1), ["north"]))
        other.enter_context(admission.count_caller("north"))
        with pytest.raises(ServerBusy):
            mine.close()
    with admission.count_caller("north"):
        pass


async def test_the_oldest_bodies_of_a_sender_end_early(stack: ExitStack) -> None:
    refused: list[str] = []
    admission = RequestAdmission(10, 100, 2, refused.append)
    mine = [IncomingBody(30, 1) for _ in range(4)]
    others = IncomingBody(30, 1)
    stack.enter_context(admission.count_incoming(others, ["south"]))
    for body in mine:
        stack.enter_context(admission.count_incoming(body, ["north", "north's session"]))
    assert [body.is_ended_early for body in mine] == [True, True, False, False]
    assert not others.is_ended_early
    assert (admission.incoming, refused) == (3, ["bodies"] * 2)


async def test_the_oldest_body_of_all_ends_early(stack: ExitStack) -> None:
    admission = RequestAdmission(10, 2, 2)
    bodies = [IncomingBody(30, 1) for _ in range(3)]
    for number, body in enumerate(bodies):
        stack.enter_context(admission.count_incoming(body, [str(number)]))
    assert [body.is_ended_early for body in bodies] == [True, False, False]


async def test_the_deadline_of_a_body_moves_with_its_bytes_up_to_its_time_limit() -> None:
    began = asyncio.get_running_loop().time()
    body = IncomingBody(timeout_s=30, min_rate=100)
    assert body.deadline - began == pytest.approx(GRACE_S, abs=1)
    body.add(1000)
    assert body.deadline - began == pytest.approx(GRACE_S + 10, abs=1)
    body.add(1_000_000)
    assert body.deadline - began == pytest.approx(30, abs=1)
    body.end_early()
    assert body.deadline - began == pytest.approx(MIN_RECEIVING_S, abs=1)


async def test_a_body_that_is_waited_for_ends_early() -> None:
    body = IncomingBody(timeout_s=600, min_rate=0.001)

    async def wait() -> None:
        async with asyncio.timeout_at(body.deadline) as limit:
            with body.watch(limit):
                asyncio.get_running_loop().call_soon(body.end_early)
                await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await wait()
    body.end_early()  # nothing waits any more
