"""The operator's acceptance of a source's terms: recorded once, with its text, and refused for what has none."""

from dataclasses import replace

import pytest

from bonafide.errors import ConfigurationError
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.catalog.coverage import SourceTerms, read_coverage
from bonafide.services.loading.source_terms import record_acceptances
from bonafide.settings import Settings
from bonafide.store.records import source_rows
from tests.support.services.live_register import KEY, Register, with_register
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
TERMS = {"version": "2026-11", "text": "Ask only with our leave.", "url": None}


def accepting(runtime: Runtime, **versions: str) -> Runtime:
    return replace(runtime, settings=runtime.settings.model_copy(update={"accepted_terms": versions, "terms_accepted_by": "Ann"}))


async def kept(runtime: Runtime) -> list[source_rows.TermsAcceptance]:
    async with runtime.store.read() as connection:
        return await source_rows.list_acceptances(connection)


async def told(runtime: Runtime) -> SourceTerms | None:
    overview = await read_coverage(runtime, World.LIVE)
    return next(source.terms for source in overview.sources if source.source == KEY)


async def test_it_is_recorded_once_with_who_when_and_the_text(empty_runtime: Runtime, clock: ManualClock) -> None:
    async with with_register(empty_runtime, Register(), terms=TERMS) as runtime:
        await record_acceptances(accepting(runtime, **{KEY: "2026-11"}))
        first = clock.now
        clock.advance(days=1)
        await record_acceptances(accepting(runtime, **{KEY: "2026-11"}))
        assert await kept(runtime) == [source_rows.TermsAcceptance(KEY, "2026-11", "Ann", "Ask only with our leave.", first)]
        assert await told(runtime) == SourceTerms(**TERMS, accepted_by="Ann", recorded_at=first)


async def test_another_version_is_no_acceptance(empty_runtime: Runtime) -> None:
    async with with_register(empty_runtime, Register(), terms=TERMS) as runtime:
        await record_acceptances(accepting(runtime, **{KEY: "2025-01"}))
        assert await kept(runtime) == []
        assert await told(runtime) == SourceTerms(**TERMS, accepted_by=None, recorded_at=None)


@pytest.mark.parametrize("key", ["nowhere", "fed", "agcoCannabis"])
async def test_a_source_without_terms_can_not_be_accepted(empty_runtime: Runtime, key: str) -> None:
    with pytest.raises(ConfigurationError, match=f"'{key}' is not a source with terms"):
        await record_acceptances(accepting(empty_runtime, **{key: "1"}))


def test_the_settings_say_who_accepted() -> None:
    with pytest.raises(ValueError, match="terms_accepted_by"):
        Settings(accepted_terms={"pe": "2026-11"})
