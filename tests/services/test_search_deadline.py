"""A search's deadline counts from its arrival and bounds whatever it asks: it ends as an answer that says so, and never hangs."""

import asyncio
from dataclasses import replace

import pytest

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.errors import SourceErrorCode, SourceTimeout
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.query import SearchRequest
from bonafide.model.search.result import SearchResult, SearchStatus
from bonafide.runtime import Runtime
from bonafide.services.lookup.live_query import LiveQueryFailed, get_throttle, query_live_source
from bonafide.services.lookup.website_analysis import analyse_website
from bonafide.services.search.execution import create_search, read_search
from bonafide.sources.framework.live import LiveContext
from tests.support.waiting import LOOKUP_S

pytestmark = pytest.mark.anyio
DEADLINE_S = 2.0
"""Twice what a search keeps for the rest."""
SLOW = SearchRequest(name="Sandbox Timeout Ltd.")
"""Its registers never answer."""


def hurried(runtime: Runtime) -> Runtime:
    settings = runtime.settings.model_copy(update={"search_deadline_s": DEADLINE_S, "lookup_timeout_s": LOOKUP_S})
    return replace(runtime, settings=settings)


def test_a_deadline_only_shortens() -> None:
    assert Deadline.after(1000).within(5) == 5
    assert 0 < Deadline.after(5).within(1000) <= 5
    assert Deadline.after(-1).remaining_s == 0
    assert Deadline.after(5).less(1000).within(3) == 0
    assert NO_DEADLINE.within(7) == 7


async def test_what_has_not_answered_in_time_is_an_error_of_its_check(runtime: Runtime, north: Principal) -> None:
    answer = await create_search(hurried(runtime), north, SLOW, respond_async=False)
    document = answer.document.parse(SearchResult)
    assert document.meta.status is SearchStatus.COMPLETED_WITH_ERRORS
    assert document.errors is not None
    assert document.errors.business_registry is not None
    assert document.errors.business_registry.code is SourceErrorCode.TIMEOUT


async def test_what_it_has_waited_for_its_turn_counts(runtime: Runtime, north: Principal) -> None:
    answer = await create_search(hurried(runtime), north, SLOW, respond_async=False, waited_s=DEADLINE_S)
    document = answer.document.parse(SearchResult)
    assert document.meta.status is SearchStatus.ERROR
    assert document.errors is not None
    assert document.errors.general is not None
    assert (document.errors.general.code, document.errors.general.retryable) == (SourceErrorCode.TIMEOUT, True)
    assert await read_search(runtime, north.organization_id, answer.search_id) == answer.document


async def test_a_live_source_has_what_is_left_and_is_not_blamed_for_it(served_runtime: Runtime) -> None:
    source = next(source for source in served_runtime.sources.values() if source.live is not None)

    async def silence(_: LiveContext) -> None:
        await asyncio.Event().wait()

    with pytest.raises(LiveQueryFailed) as failed:
        await query_live_source(served_runtime, World.SANDBOX, source, silence, Deadline.after(0.05))
    assert isinstance(failed.value.error, SourceTimeout)
    await get_throttle(served_runtime, World.SANDBOX, source).wait_for_slot(0.0)


async def test_a_web_site_has_what_is_left(served_runtime: Runtime) -> None:
    analysed = await analyse_website(served_runtime, World.SANDBOX, "https://somebody.example/", Deadline.after(0))
    assert analysed.analysis is None
    assert analysed.error is not None
    assert (analysed.error.code, analysed.error.retryable) == (SourceErrorCode.TIMEOUT, True)
