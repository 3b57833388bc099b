"""Days pass in a loaded sandbox: what has changed is loaded, reported entry by entry, and served by a running server."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bonafide.errors import ConfigurationError, RefreshRefused
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import ENTRY_TYPES
from bonafide.runtime import Runtime, open_runtime
from bonafide.server.http_server import bind_sockets
from bonafide.settings import Settings
from bonafide_sandbox.day_advance import advance_days, return_to_first_day
from bonafide_sandbox.demo import HOST, build_address, prepare_sandbox, resolve_sandbox_folder, serve_current_sandbox
from bonafide_sandbox.generator.changes.schedule import LAST_DAY
from bonafide_sandbox.mail_catcher import Mailbox
from bonafide_sandbox.stored_day import StoredDay, lock_sandbox, read_stored_day, resolve_calendar_path, store_day
from bonafide_sandbox.writers.framework.manifest import read_manifest
from tests.support.loaded_sandbox import LOADED_AT, SANDBOX_SIZE, copy_sandbox

DAYS = 4
BAKERY = ("on", "1000017")
TWIN = ("on", "1000025")
LISTING = (
    "www.international.gc.ca/world-monde/assets/office_docs/international_relations-relations_internationales/"
    "sanctions/sema-lmes.xml"
)
LISTED = "Okafor-Lindqvist"
PEOPLE_PAGE = "bakery.sandbox.example/about.html"
pytestmark = pytest.mark.anyio
Entries = dict[tuple[str, str], dict[str, Any]]


def ignore_progress(_what: str, _done: int, _total: int | None) -> None:
    """Nobody watches."""


def loaded_entries(runtime: Runtime) -> Entries:
    """Every entry of the loaded sources of the sandbox, by source and ID."""
    found: Entries = {}
    generations = runtime.generations[World.SANDBOX]
    for key in runtime.sources:
        generation = generations.current(key)
        if generation is None:
            continue
        entry_type = ENTRY_TYPES[generation.manifest.kind]
        for number in generation.index.documents():
            entry = entry_type.model_validate_json(generation.index.payload(number))
            found[key, entry.entry_id] = json.loads(entry.to_json())
    return found


def loaded_at(runtime: Runtime) -> dict[str, str]:
    """The generation in use of each source."""
    found = {key: runtime.generations[World.SANDBOX].get_current_id(key) for key in runtime.sources}
    return {key: generation for key, generation in found.items() if generation is not None}


@dataclass(frozen=True)
class Moved:
    """A sandbox before and after some days, and what was reported of them."""

    days: int
    runtime: Runtime
    client: httpx2.AsyncClient
    """Of the server that was running meanwhile."""
    entries: tuple[Entries, Entries]
    generations: tuple[dict[str, str], dict[str, str]]
    served_before: dict[str, httpx2.Response]
    changes: list[dict[str, Any]]

    @property
    def before(self) -> Entries:
        return self.entries[0]

    @property
    def after(self) -> Entries:
        return self.entries[1]


@pytest.fixture
async def runtime(sandbox_data: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    """A loaded sandbox on day 0 of the test's own."""
    folder = copy_sandbox(sandbox_data, tmp_path / "data")
    async with open_runtime(Settings(data_dir=folder), clock=lambda: LOADED_AT) as opened:
        yield opened


@pytest.fixture
async def empty_runtime(tmp_path: Path) -> AsyncIterator[Runtime]:
    """A data directory with nothing in it."""
    async with open_runtime(Settings(data_dir=tmp_path)) as opened:
        yield opened


@pytest.fixture(scope="module", params=[1, pytest.param(DAYS, marks=pytest.mark.slow)])
async def moved(
    request: pytest.FixtureRequest, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Moved]:
    """The sandbox after one day or four, which pass while its server is running."""
    folder = copy_sandbox(sandbox_data, tmp_path_factory.mktemp("moved") / "data")
    sockets = bind_sockets(HOST, 0)
    async with (
        open_runtime(Settings(data_dir=folder), clock=lambda: LOADED_AT) as opened,
        serve_current_sandbox(opened.settings, opened.sources, sockets, Mailbox()),
        httpx2.AsyncClient(base_url=build_address(sockets)) as client,
    ):
        before, generations = loaded_entries(opened), loaded_at(opened)
        served_before = {path: await client.get(f"/{path}") for path in (LISTING, PEOPLE_PAGE)}
        _, recorder = await advance_days(opened, request.param, ignore_progress)
        yield Moved(
            request.param,
            opened,
            client,
            (before, loaded_entries(opened)),
            (generations, loaded_at(opened)),
            served_before,
            json.loads(recorder.to_json())["changes"],
        )


# ------------------------------------------------------------------------------------------------------------ what is reported


async def test_the_report_is_the_difference_between_the_loaded_generations(moved: Moved) -> None:
    expected = {
        (source, entry_id, field)
        for source, entry_id in moved.before.keys() | moved.after.keys()
        for field in (moved.before.get((source, entry_id)) or moved.after[source, entry_id])
        if moved.before.get((source, entry_id), {}).get(field) != moved.after.get((source, entry_id), {}).get(field)
    }
    reported = {(change["source"], change["entryId"], change["field"]) for change in moved.changes}
    assert len(reported) == len(moved.changes)
    assert reported <= expected
    for source, entry_id, field in expected - reported:
        # A new entry is reported without its empty fields.
        whole = moved.after.get((source, entry_id)) or moved.before[source, entry_id]
        assert ((source, entry_id) in moved.before) != ((source, entry_id) in moved.after)
        assert field in {"entryId", "kind"} or whole[field] in (None, [], {}, "")


async def test_each_change_has_both_values(moved: Moved) -> None:
    for change in moved.changes:
        key = change["source"], change["entryId"]
        assert change.keys() == {"source", "entryId", "field", "from", "to"}
        assert change["from"] == moved.before.get(key, {}).get(change["field"])
        assert change["to"] == moved.after.get(key, {}).get(change["field"])


async def test_the_fixed_changes_are_reported(moved: Moved) -> None:
    fields = {(change["source"], change["entryId"]): set[str]() for change in moved.changes}
    for change in moved.changes:
        fields[change["source"], change["entryId"]].add(change["field"])
    assert fields[BAKERY] == {"people"}
    if moved.days < DAYS:
        return
    assert fields[TWIN] == {"status", "statusCode", "goodStanding"}
    [store] = [
        entry_id
        for source, entry_id in moved.after
        if source == "agcoCannabis" and "Sandbox" in str(moved.after[source, entry_id]["legalName"])
    ]
    assert {"status", "statusCode"} <= fields["agcoCannabis", store]


async def test_only_sources_that_have_changed_are_loaded(moved: Moved) -> None:
    loaded = {key for key, generation in moved.generations[1].items() if moved.generations[0][key] != generation}
    changed = {change["source"] for change in moved.changes}
    assert changed <= loaded
    assert 0 < len(loaded) < len(moved.generations[1])


# ------------------------------------------------------------------------------------------------------------ what is stored


async def test_the_next_start_continues_on_the_stored_day_and_loads_nothing(moved: Moved) -> None:
    await prepare_sandbox(moved.runtime, SANDBOX_SIZE, ignore_progress)
    assert read_stored_day(moved.runtime.settings) == StoredDay(size=SANDBOX_SIZE, day=moved.days)
    assert loaded_at(moved.runtime) == moved.generations[1]
    manifest = read_manifest(resolve_sandbox_folder(moved.runtime.settings, SANDBOX_SIZE))
    assert manifest is not None
    assert manifest.day == moved.days


@pytest.mark.slow
async def test_the_next_start_loads_what_an_interrupted_move_has_left(runtime: Runtime) -> None:
    """The day is stored first: a move that is killed afterwards has loaded nothing yet."""
    store_day(runtime.settings, StoredDay(size=SANDBOX_SIZE, day=1))
    await prepare_sandbox(runtime, SANDBOX_SIZE, ignore_progress)
    assert [person["name"] for person in loaded_entries(runtime)[BAKERY]["people"]][1] == "Anselme Rivebrune"


@pytest.mark.slow
async def test_two_days_at_once_are_the_same_as_one_after_the_other(runtime: Runtime, sandbox_data: Path, tmp_path: Path) -> None:
    await advance_days(runtime, 1, ignore_progress)
    await advance_days(runtime, 1, ignore_progress)
    other = copy_sandbox(sandbox_data, tmp_path / "other")
    async with open_runtime(Settings(data_dir=other), clock=lambda: LOADED_AT) as opened:
        today, _ = await advance_days(opened, 2, ignore_progress)
        assert today == read_stored_day(runtime.settings) == StoredDay(size=SANDBOX_SIZE, day=2)
        assert loaded_entries(opened) == loaded_entries(runtime)
        ours, theirs = (read_manifest(resolve_sandbox_folder(place.settings, SANDBOX_SIZE)) for place in (runtime, opened))
    assert ours is not None
    assert ours == theirs


@pytest.mark.slow
async def test_a_reset_returns_to_day_0(runtime: Runtime) -> None:
    before = loaded_entries(runtime)
    _, forth = await advance_days(runtime, 4, ignore_progress)
    today, back = await return_to_first_day(runtime, ignore_progress)
    assert today.day == 0
    assert loaded_entries(runtime) == before
    undone = [{**change.to_document(), "from": change.after, "to": change.before} for change in forth.changes]
    assert sorted(map(json.dumps, undone)) == sorted(json.dumps(change.to_document()) for change in back.changes)


# ------------------------------------------------------------------------------------------------------------ what is served


async def test_a_running_server_serves_the_new_day(moved: Moved) -> None:
    listing = await moved.client.get(f"/{LISTING}")
    again = await moved.client.get(f"/{LISTING}", headers={"If-None-Match": listing.headers["ETag"]})
    people = await moved.client.get(f"/{PEOPLE_PAGE}")
    assert (listing.status_code, again.status_code, people.status_code) == (200, 304, 200)
    director = "Anselme Rivebrune"
    assert (director in moved.served_before[PEOPLE_PAGE].text, director in people.text) == (False, True)
    is_listed = [LISTED.upper() in response.text for response in (moved.served_before[LISTING], listing)]
    assert is_listed == [False, moved.days == DAYS]


# ------------------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize(("days", "said"), [(0, "must be positive"), (-2, "must be positive"), (LAST_DAY + 1, f"0 to {LAST_DAY}")])
async def test_days_that_the_calendar_does_not_have_are_refused(empty_runtime: Runtime, days: int, said: str) -> None:
    today = StoredDay(size=SANDBOX_SIZE, day=0)
    with lock_sandbox(empty_runtime.settings):
        store_day(empty_runtime.settings, today)
    with pytest.raises(ConfigurationError, match=said):
        await advance_days(empty_runtime, days, ignore_progress)
    assert read_stored_day(empty_runtime.settings) == today


async def test_a_data_directory_without_a_sandbox_is_refused(empty_runtime: Runtime) -> None:
    with pytest.raises(ConfigurationError, match="start `bonafide demo` first"):
        await advance_days(empty_runtime, 1, ignore_progress)


async def test_a_sandbox_that_another_process_moves_is_left_alone(empty_runtime: Runtime) -> None:
    with lock_sandbox(empty_runtime.settings), pytest.raises(RefreshRefused, match="sandbox is being built by another process"):
        await advance_days(empty_runtime, 1, ignore_progress)


async def test_a_damaged_calendar_is_named(empty_runtime: Runtime) -> None:
    with lock_sandbox(empty_runtime.settings):
        resolve_calendar_path(empty_runtime.settings).write_text("{")
    with pytest.raises(ConfigurationError, match=r"calendar\.json is damaged"):
        await prepare_sandbox(empty_runtime, SANDBOX_SIZE, ignore_progress)
