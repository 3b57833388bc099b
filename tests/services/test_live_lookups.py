"""A search that asks a live register: what it finds, what it says when the register fails, and when it may not be asked."""

from dataclasses import replace

import pytest
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from bonafide.errors import SourceErrorCode
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import Route
from bonafide.model.search.result import Coverage, CoverageStatus, SearchResult
from bonafide.runtime import Runtime
from tests.support.services.live_register import KEY, PAGE, Register, with_register
from tests.support.services.runtimes import principal_of, search
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
TERMS = {"version": "2026-11", "text": "Ask only with our leave.", "url": "https://register.example.org/terms"}


async def found(runtime: Runtime, **request: object) -> SearchResult:
    north = await principal_of(runtime, "north", World.LIVE)
    return await search(runtime, north, **{"name": "Cod and Capelin", **request})


def row(result: SearchResult, key: str = KEY) -> Coverage:
    return next(row for row in result.meta.coverage if row.source == key)


async def test_what_it_says_is_ranked_with_the_rest_and_dated_to_the_moment(empty_runtime: Runtime, register: Register) -> None:
    async with with_register(empty_runtime, register) as runtime:
        result = await found(runtime)
    assert result.businesses is not None
    best = result.businesses[0]
    assert (best.legal_name.name, best.source, best.route) == ("Cod & Capelin Ltd.", KEY, Route.LIVE)
    assert (best.retrieved_at, best.as_of) == (runtime.clock(), runtime.clock().date())
    assert (row(result).status, row(result).route, row(result).matches) == (
        CoverageStatus.SEARCHED,
        Route.LIVE,
        len(result.businesses),
    )
    assert register.asked == ["/register.example.org/api/names?q=Cod+and+Capelin"]


async def test_a_register_that_is_not_wanted_is_not_asked(empty_runtime: Runtime, register: Register) -> None:
    async with with_register(empty_runtime, register) as runtime:
        result = await found(runtime, jurisdictions=["ON"])
        await found(runtime, businessRegistry=False)
    assert row(result).status is CoverageStatus.NOT_REQUESTED
    assert register.asked == []


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (PlainTextResponse("", 429, {"Retry-After": "7"}), SourceErrorCode.RATE_LIMITED),
        (PlainTextResponse("", 503), SourceErrorCode.UPSTREAM_ERROR),
        (PlainTextResponse("", 403), SourceErrorCode.AUTH_ERROR),
        (PlainTextResponse("", 301, {"Location": "/register.example.org/api/v2/names"}), SourceErrorCode.UPSTREAM_ERROR),
        (PlainTextResponse("", 302, {"Location": "https://guard.example.net/captcha"}), SourceErrorCode.UNAVAILABLE),
        (PlainTextResponse("", 404), SourceErrorCode.PARSE_ERROR),
        (HTMLResponse("<html>Are you a person?</html>"), SourceErrorCode.UNAVAILABLE),
        (PlainTextResponse("{"), SourceErrorCode.PARSE_ERROR),
        (PlainTextResponse("[]"), SourceErrorCode.UNKNOWN),
    ],
    ids=["asked to slow down", "out of order", "refused", "moved", "sent away", "gone", "a challenge", "no JSON", "our fault"],
)
async def test_its_failure_is_an_error_and_never_an_empty_answer(
    empty_runtime: Runtime, register: Register, broken: Response, code: SourceErrorCode
) -> None:
    register.broken = broken
    async with with_register(empty_runtime, register) as runtime:
        result = await found(runtime)
    assert result.errors is not None
    assert result.errors.business_registry is not None
    assert result.errors.business_registry.code is code
    assert (row(result).status, row(result).route) == (CoverageStatus.FAILED, None)
    assert row(result).note == result.errors.business_registry.message
    assert len(register.asked) == 1


@pytest.mark.slow
async def test_one_that_does_not_answer_within_its_own_deadline_is_a_timeout(empty_runtime: Runtime, register: Register) -> None:
    register.pause_s = TIMEOUT_S
    async with with_register(empty_runtime, register, timeout_s=0.2) as runtime:
        result = await found(runtime)
    assert result.errors is not None
    assert result.errors.business_registry is not None
    assert result.errors.business_registry.code is SourceErrorCode.TIMEOUT
    assert "within 0.2 s" in (row(result).note or "")


async def test_one_that_asked_us_to_slow_down_is_not_asked_again_until_then(empty_runtime: Runtime, register: Register) -> None:
    register.broken = PlainTextResponse("", 429, {"Retry-After": "60"})
    async with with_register(empty_runtime, register) as runtime:
        await found(runtime)
        register.broken = None
        again = await found(runtime)
    assert again.errors is not None
    assert again.errors.business_registry is not None
    assert again.errors.business_registry.code is SourceErrorCode.RATE_LIMITED
    assert len(register.asked) == 1


async def test_without_the_operators_acceptance_it_is_not_asked_and_says_why(empty_runtime: Runtime, register: Register) -> None:
    async with with_register(empty_runtime, register, terms=TERMS) as runtime:
        result = await found(runtime)
        older = runtime.settings.model_copy(update={"accepted_terms": {KEY: "2025-01"}, "terms_accepted_by": "Ann"})
        outdated = await found(replace(runtime, settings=older))
    for answer in (result, outdated):
        assert row(answer).status is CoverageStatus.NOT_AVAILABLE
        note = row(answer).note or ""
        assert "(`accepted_terms`, version 2026-11)" in note
        assert TERMS["text"].rstrip(".") in note
        assert note.endswith(f"You can search it yourself: {PAGE}")
    assert register.asked == []


async def test_with_the_operators_acceptance_it_is_asked(empty_runtime: Runtime, register: Register) -> None:
    async with with_register(empty_runtime, register, terms=TERMS) as runtime:
        accepted = runtime.settings.model_copy(update={"accepted_terms": {KEY: "2026-11"}, "terms_accepted_by": "Ann"})
        result = await found(replace(runtime, settings=accepted))
    assert row(result).status is CoverageStatus.SEARCHED


async def test_where_no_sandbox_is_served_its_live_registers_say_so(empty_runtime: Runtime, register: Register) -> None:
    async with with_register(empty_runtime, register) as runtime:
        north = await principal_of(runtime, "north", World.SANDBOX)
        result = await search(replace(runtime, fetchers={}), north, name="Cod and Capelin")
    assert row(result).status is CoverageStatus.NOT_AVAILABLE
    assert (row(result).note or "").startswith("The sandbox isn’t running")
