"""What a restored installation answers, what a backup holds that was taken while others wrote, and backups of earlier releases."""

import asyncio
import itertools
import re
import shutil
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from bonafide.app.application import create_ready_app
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.accounts import api_access
from bonafide.services.backup.integrity_check import check_backup
from bonafide.services.records import audit_check, business_records
from bonafide.store.backup.folder import build_table_path, read_lines
from bonafide.store.database.schema_migration import upgrade
from bonafide_bench.seeding.seed_data import SeedData, seed_organization
from tests.support.backup import table_rows
from tests.support.backup.installations import KINDS, RESTORED_AT, NewPlace, Place, quietly
from tests.support.loaded_sandbox import LOADED_AT
from tests.support.store.earlier_releases import filled_up_to

BASE = "http://bonafide.test"


# ------------------------------------------------------------------------------------------------------------ answers


def test_a_restored_service_gives_the_same_answers_byte_for_byte(sandbox_data: Path, new_place: NewPlace, tmp_path: Path) -> None:
    first, second = (new_place(kind, public_url=BASE) for kind in ("sqlite", "postgresql"))
    for place in (first, second):
        shutil.copytree(sandbox_data / "index", place.settings.data_dir / "index")
    shutil.copyfile(sandbox_data / "bonafide.sqlite3", first.settings.data_dir / "bonafide.sqlite3")
    key, ids = asyncio.run(used(first))
    before = asyncio.run(answers(first, key, ids, {}))
    assert before.keys() > {"pdf", "signed"}
    # The PDFs are kept by now.
    first.back_up(tmp_path / "made")
    assert second.restore(tmp_path / "made").notes == []
    after = asyncio.run(answers(second, key, ids, before))
    assert {what for what in before if before[what] != after[what]} == set()


@asynccontextmanager
async def client_of(place: Place, key: str) -> AsyncIterator[tuple[Runtime, httpx2.AsyncClient]]:
    headers = {"Authorization": f"Bearer {key}"}
    async with open_runtime(place.settings, clock=lambda: LOADED_AT) as runtime:
        transport = httpx2.ASGITransport(await create_ready_app(runtime))
        async with httpx2.AsyncClient(transport=transport, base_url=f"{BASE}/v1", headers=headers) as client:
            yield runtime, client


async def used(place: Place) -> tuple[str, SeedData]:
    """Use the installation as its callers do; returns a key, and the ids of what was made."""
    async with client_of(place, "") as (runtime, client):
        wanted = KeyRequest(organization="North", world=World.SANDBOX, rate_limit=10_000)
        created = await api_access.create_key(runtime, wanted)
        client.headers["Authorization"] = f"Bearer {created.text}"
        return created.text, await seed_organization(client, created.key.id)


async def answers(place: Place, key: str, ids: SeedData, known: dict[str, bytes]) -> dict[str, bytes]:
    """What is answered at every address that shows something; `known` are the signed ones of before."""
    paths = [
        *(f"/search/{search}" for search in (ids.search, ids.search_to_review, ids.search_without_match)),
        f"/verify/{ids.verification}",
        f"/verify/{ids.failed_verification}",
        f"/businesses/{ids.business}",
        f"/businesses/{ids.business}/audit",
        f"/sanctions/dismissals/{ids.dismissal}",
        f"/sanctions/{ids.screening}",
        *("/searches", "/search/history", "/businesses", "/settings", "/settings/audit", "/sanctions/dismissals", "/sanctions"),
    ]
    async with client_of(place, key) as (runtime, client):
        found = {path: await got(client, path) for path in paths}
        (address,) = set(re.findall(rb'"reportUrl":"([^"]+)"', found[paths[0]])[:1])
        printed = (await client.post("/pdf", json={"searchId": ids.search})).raise_for_status().json()
        del client.headers["Authorization"]
        found["pdf"] = await got(client, printed["url"])
        # An address that was given out before goes on working.
        found["address"] = known.get("address", address)
        found["signed"] = await got(client, found["address"].decode())
        principal = await api_access.authenticate(runtime, key)
        trail = await audit_check.verify_audit_log(runtime, principal.organization_id)
        found["trail"] = f"{trail.is_whole} {trail.entries} {trail.hash}".encode()
    return found


async def got(client: httpx2.AsyncClient, path: str) -> bytes:
    answer = await client.get(path)
    assert answer.status_code == 200, (path, answer.text)
    return answer.content


# ------------------------------------------------------------------------------------------------------------ in use


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_that_is_taken_while_others_write_is_of_one_instant(kind: str, new_place: NewPlace, tmp_path: Path) -> None:
    place, other = new_place(kind), new_place("sqlite")
    upgrade(place.url)
    written = asyncio.run(backed_up_while_writing(place, tmp_path / "made"))
    manifest, problems = check_backup(tmp_path / "made", quietly)
    assert problems == []
    counts = {table.name: table.rows for table in manifest.tables}
    # Every record is in the trail, and in its numbers; the writers were neither before nor behind it.
    assert 0 < counts["businesses"] == counts["business_numbers"] < written
    assert counts["audit_entries"] == sum(end.entries for end in manifest.trails)
    records = Counter(row[0] for rows in read_lines(tmp_path / "made", build_table_path("businesses")) for row in rows)
    assert len(records) == 2
    # Foreign keys hold, or it could not be restored.
    other.restore(tmp_path / "made")


async def backed_up_while_writing(place: Place, root: Path) -> int:
    """Back up while two organizations write; returns how many records they have in the end."""
    async with open_runtime(place.settings) as runtime:
        owners = [(await api_access.create_key(runtime, KeyRequest(organization=name))).key.organization_id for name in "NS"]
        begun, ended = asyncio.Event(), asyncio.Event()
        writers = [asyncio.create_task(_write(runtime, owner, begun, ended)) for owner in owners]
        await begun.wait()
        await asyncio.to_thread(place.back_up, root)
        ended.set()
        return sum(await asyncio.gather(*writers))


async def _write(runtime: Runtime, owner: UUID, begun: asyncio.Event, ended: asyncio.Event) -> int:
    for number in itertools.count(1):
        fields = {
            "external_id": f"crm-{number}",
            "name": "Maple",
            "jurisdiction": "ON",
            "registration_number": str(1000000 + number),
        }
        await business_records.upsert(runtime, owner, BusinessUpsert.model_validate(fields), Author("test"))
        if number > 10:
            begun.set()
        if ended.is_set():
            return number
    raise AssertionError


# ------------------------------------------------------------------------------------------------------------ earlier releases


@pytest.mark.parametrize("revision", ["0001", "0005"])
@pytest.mark.parametrize("target", KINDS)
def test_a_backup_of_an_earlier_release_is_brought_up_to_date(
    revision: str, target: str, new_place: NewPlace, tmp_path: Path
) -> None:
    source, place = new_place("sqlite"), new_place(target)
    filled_up_to(source.url, revision)
    # One that was migrated already, and is empty, goes back for it.
    upgrade(place.url)
    made = source.back_up(tmp_path / "made")
    assert made.manifest.revision == revision
    done = place.restore(tmp_path / "made")
    upgrade(source.url)
    expected = table_rows.given_back(table_rows.contents(source.url), RESTORED_AT)
    found = table_rows.contents(place.url)
    differing = {name for name, rows in found.items() if rows != expected[name]}
    # The upgrade queues monitored records with its own time.
    assert differing - {"monitoring_targets"} <= set(done.manifest.left_out)
    assert found["searches"]
