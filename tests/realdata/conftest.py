"""Every real file loaded once into one installation, every query asked once; the tests read what came of it.

Figures that a test records are printed at the end of the run, whether output is captured or not.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter

import pytest

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.entry import SourceKind
from bonafide.runtime import open_runtime
from bonafide.services.accounts import api_access
from bonafide.services.loading.refresh import get_current_load
from bonafide.settings import Settings
from tests.support.realdata.files import REAL_SOURCES, RealData, ServedEntries, load
from tests.support.realdata.outcome_tables import Report
from tests.support.realdata.queries import queries
from tests.support.realdata.search_outcomes import Outcome, ask_all
from tests.support.recorded_figures import FIGURES
from tests.support.session_cache import cached_folder
from tests.support.waiting import TIMEOUT_S

INDEX, LISTS_S = "index", "lists_s"


@pytest.fixture(scope="module")
async def real(anyio_backend: str, shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RealData]:
    """All real files, loaded into the world of live data. Opened for each module, so that its memory is free afterwards."""
    made = cached_folder(tmp_path_factory, "realdata", partial(load_real, shared_data))
    folder = tmp_path_factory.mktemp("realdata")
    (folder / INDEX).symlink_to(made / INDEX)
    async with open_runtime(settings_in(folder)) as runtime:
        records = {source.key: get_current_load(runtime, World.LIVE, runtime.sources[source.key]) for source in REAL_SOURCES}
        loaded = {key: record for key, record in records.items() if record is not None}
        key = await api_access.create_key(runtime, KeyRequest(organization="north"))
        lists_s = float((made / LISTS_S).read_text())
        yield RealData(runtime, await api_access.authenticate(runtime, key.text), loaded, ServedEntries(runtime), lists_s)


def settings_in(folder: Path) -> Settings:
    """What is loaded is measured: no test asks a real register."""
    return Settings(data_dir=folder, database_url=None, ask_live=False, lookup_timeout_s=TIMEOUT_S, search_deadline_s=TIMEOUT_S)


def load_real(shared_data: Path, folder: Path) -> None:
    """Load them in a thread of its own, for this one has a loop already, and note how long the lists took."""
    with ThreadPoolExecutor(1) as thread:
        lists_s = thread.submit(asyncio.run, load_all(shared_data, folder)).result()
    (folder / LISTS_S).write_text(str(lists_s))


async def load_all(shared_data: Path, folder: Path) -> float:
    """Load every file; gives the seconds that the lists took."""
    lists_s = 0.0
    async with open_runtime(settings_in(folder)) as runtime:
        for source in REAL_SOURCES:
            started = perf_counter()
            await load(runtime, source, shared_data, folder)
            if runtime.sources[source.key].metadata.kind is SourceKind.SANCTIONS:
                lists_s += perf_counter() - started
    return lists_s


@pytest.fixture(scope="module")
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
