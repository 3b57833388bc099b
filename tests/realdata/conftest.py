"""Every real file loaded once into one installation, every query asked once; the tests read what came of it.

Figures that a test records are printed at the end of the run, whether output is captured or not.
"""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from time import perf_counter

import pytest
from figures import Report
from real_answers import Outcome, ask_all
from real_files import REAL_SOURCES, RealData, load, served_entries
from real_queries import queries

from bonafide.model.entry import SourceKind
from bonafide.model.organization import KeyRequest
from bonafide.runtime import open_runtime
from bonafide.services import accounts
from bonafide.settings import Settings
from recorded_figures import FIGURES

PATIENCE_S = 60.0
"""The machine may be busy; how long searches take is printed, not asserted."""


@pytest.fixture(scope="session")
async def real(anyio_backend: str, shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RealData]:
    """All real files, loaded into the world of live data."""
    folder = tmp_path_factory.mktemp("realdata")
    patience = {"lookup_timeout_s": PATIENCE_S, "search_deadline_s": PATIENCE_S}
    # What is loaded is measured: no test asks a real register.
    settings = Settings(data_dir=folder / "data", database_url=None, ask_live=False, **patience)
    async with open_runtime(settings) as runtime:
        records, lists_s = {}, 0.0
        for source in REAL_SOURCES:
            started = perf_counter()
            records[source.key] = await load(runtime, source, shared_data, folder)
            if runtime.sources[source.key].metadata.kind is SourceKind.SANCTIONS:
                lists_s += perf_counter() - started
        entries = {source.key: served_entries(runtime, source) for source in REAL_SOURCES}
        key = await accounts.create_key(runtime, KeyRequest(organization="north"))
        yield RealData(runtime, await accounts.authenticate(runtime, key.text), records, entries, lists_s)


@pytest.fixture(scope="session")
async def outcomes(real: RealData) -> list[Outcome]:
    """What came of every query."""
    return await ask_all(real, queries(real))


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Report:
    """Prints a text now, for whoever runs with `-s`, and again in the summary at the end."""

    def say(text: str) -> None:
        print(f"\n{text}")  # noqa: T201 - figures are for people
        record_property(FIGURES, text)

    return say
