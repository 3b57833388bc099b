"""A file of records is foreseen and brought in row by row; what is exported is read back as it was; lists say what is there."""

import io
from collections import Counter
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from bonafide.errors import NotFound, StaleWrite, ValidationFailed
from bonafide.model.records.business_record import SystemFields
from bonafide.runtime import Runtime
from bonafide.services.records import business_records, change_feed, csv_format, pending_imports
from bonafide.services.records.csv_import import ImportAction, ImportReport, apply_import, preview_import
from bonafide.services.records.csv_reader import RecordFile, read_records
from bonafide.services.records.pending_imports import build_import_result, format_refusals_file
from bonafide.services.records.record_list import list_newest_records
from bonafide.store.records.businesses import RecordFilter
from bonafide.store.work import jobs
from tests.support.services.business_records import AUTHOR, sent, trail
from tests.support.services.runtimes import ManualClock, principal_of

pytestmark = pytest.mark.anyio
HEADER = "externalId,name,jurisdiction,registrationNumber,city\n"
FILE = (
    HEADER
    + "crm-1,Acme Ltd.,ON,1000017,Toronto\n"
    + "crm-2,Birch Inc.,Narnia,,\n"
    + "crm-3,Cedar Ltd.,,,Lévis\n"
    + "crm-1,Acme Limited,,,\n"
    + "crm-4,Dogwood Ltd.,ON,1000017,\n"
)


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
async def north(runtime: Runtime) -> UUID:
    return (await principal_of(runtime, "north")).organization_id


@pytest.fixture
async def south(runtime: Runtime) -> UUID:
    return (await principal_of(runtime, "south")).organization_id


def file_of(text: str | bytes, *, clear_empty: bool = False) -> RecordFile:
    return read_records(io.BytesIO(text if isinstance(text, bytes) else text.encode()), clear_empty=clear_empty)


async def imported(runtime: Runtime, organization_id: UUID, text: str | bytes, **how: bool) -> ImportReport:
    return await apply_import(runtime, organization_id, file_of(text, **how).rows, AUTHOR, shown=10)


async def foreseen(runtime: Runtime, organization_id: UUID, text: str) -> ImportReport:
    return await preview_import(runtime, organization_id, file_of(text).rows, 10, 100)


async def listed(runtime: Runtime, organization_id: UUID, **chosen: Any) -> list[str | None]:
    page = await list_newest_records(runtime, organization_id, RecordFilter(**chosen), 10, None)
    assert page.older is None
    return [record.name for record in page.records]


PLAIN_LAYOUT = csv_format.CsvLayout(is_marked=False)


async def exported(runtime: Runtime, organization_id: UUID, layout: csv_format.CsvLayout = PLAIN_LAYOUT, **chosen: Any) -> bytes:
    pieces = csv_format.export_records(runtime, organization_id, RecordFilter(**chosen), layout)
    return b"".join([piece async for piece in pieces])


def told(outcome: ImportReport) -> dict[int, str]:
    """Why each refused row was, by its line."""
    return {row.line: row.problems[0].message for row in outcome.rows[ImportAction.REFUSED]}


# ---------------------------------------------------------------------------------------------------------- bringing in


async def test_what_is_foreseen_is_what_is_done_and_nothing_before(runtime: Runtime, north: UUID) -> None:
    await sent(runtime, north, externalId="crm-3", name="Cedar Ltd.", city="Québec")
    before = await foreseen(runtime, north, FILE)
    assert before.counts == Counter({ImportAction.NEW: 2, ImportAction.CHANGED: 1, ImportAction.REFUSED: 2})
    (changed,) = before.rows[ImportAction.CHANGED]
    assert [(change.field, change.old, change.new) for change in changed.changes] == [("address.city", "Québec", "Lévis")]
    assert await listed(runtime, north) == ["Cedar Ltd."]
    done = await imported(runtime, north, FILE)
    # The row whose number is another's is only known to be so once that other is stored.
    assert done.counts == Counter({ImportAction.NEW: 1, ImportAction.CHANGED: 1, ImportAction.REFUSED: 3})
    assert sorted(told(done)) == [3, 5, 6]
    assert "is not a jurisdiction" in told(done)[3]
    assert told(done)[5] == "is the same record as line 2"
    assert "a different externalId" in told(done)[6]


async def test_the_same_file_again_changes_nothing(runtime: Runtime, north: UUID) -> None:
    await imported(runtime, north, FILE)
    again = await imported(runtime, north, FILE)
    assert (again.counts[ImportAction.UNCHANGED], again.counts[ImportAction.NEW], again.counts[ImportAction.CHANGED]) == (2, 0, 0)


async def test_each_change_is_in_the_trail_with_its_author(runtime: Runtime, north: UUID) -> None:
    record = await sent(runtime, north, externalId="crm-3", name="Cedar Ltd.")
    await imported(runtime, north, FILE)
    assert ("address.city", None, "Lévis") in await trail(runtime, north, record.id)
    last = await change_feed.read_last_changes(runtime, north, record.id)
    assert (last["address.city"].actor, last["address.city"].new) == (AUTHOR.actor, "Lévis")
    assert "address.street" not in last


async def test_an_id_names_the_record_and_may_give_it_another_external_id(runtime: Runtime, north: UUID, south: UUID) -> None:
    record = await sent(runtime, north, externalId="crm-1", name="Acme Ltd.")
    foreign = await sent(runtime, south, name="Theirs")
    done = await imported(runtime, north, f"id,externalId\n{record.id},crm-9\n{foreign.id},crm-8\n")
    assert (done.counts[ImportAction.CHANGED], told(done)) == (1, {3: business_records.UNKNOWN})
    assert (await business_records.find_record(runtime, north, business_id=record.id)).external_id == "crm-9"
    assert (await business_records.find_record(runtime, south, business_id=foreign.id)).external_id is None


async def test_a_row_that_expects_another_version_is_refused(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    record = await sent(runtime, north, externalId="crm-1", name="Acme Ltd.")
    text = f"externalId,name,expectedUpdatedAt\ncrm-1,Acme Limited,{record.updated_at.isoformat()}\n"
    clock.advance(seconds=5)
    assert (await imported(runtime, north, text)).counts[ImportAction.CHANGED] == 1
    assert told(await imported(runtime, north, text)) == {2: StaleWrite.default_message}


async def test_an_empty_cell_clears_only_where_it_is_told_to(runtime: Runtime, north: UUID) -> None:
    await sent(runtime, north, externalId="crm-1", name="Acme Ltd.", city="Toronto")
    text = "externalId,city\ncrm-1,\n"
    assert (await imported(runtime, north, text)).counts[ImportAction.UNCHANGED] == 1
    assert (await imported(runtime, north, text, clear_empty=True)).counts[ImportAction.CHANGED] == 1
    record = await business_records.find_record(runtime, north, external_id="crm-1")
    assert (record.address.city, record.name) == (None, "Acme Ltd.")


async def test_a_file_of_too_many_rows_is_refused(runtime: Runtime, north: UUID) -> None:
    rows = "".join(f"crm-{n},Business {n},,,\n" for n in range(101))
    with pytest.raises(ValidationFailed, match="has more than 100 rows"):
        await foreseen(runtime, north, HEADER + rows)


async def test_the_refused_rows_are_put_right_in_their_file_and_sent_again(runtime: Runtime, north: UUID) -> None:
    file = file_of(
        "name,externalId,notes\nAcme,crm-1,fine\n...,crm-2,'=1+1\nOne cell\nLévis,crm-3\n".encode() + b"L\xe9vis,crm-4,x\n"
    )
    done = await apply_import(runtime, north, file.rows, AUTHOR)
    content = format_refusals_file(file.columns, done.rows[ImportAction.REFUSED], ";")
    lines = content.decode(errors="replace").splitlines()
    assert lines[0] == "\ufeffrefusedBecause;name;externalId;notes"
    assert lines[1] == "name: must have at least one letter or digit;...;crm-2;'=1+1"
    assert lines[2].endswith(";One cell")
    assert b"L\xe9vis;crm-4;x" in content
    right = content.replace(b"...", b"Birch").replace(b"L\xe9vis", "Lévis".encode()).replace(b";One cell", b";Pine;;")
    again = file_of(right.replace(b";crm-3", b";crm-3;"))
    assert (await apply_import(runtime, north, again.rows, AUTHOR)).counts == Counter({ImportAction.NEW: 4})
    assert (await business_records.find_record(runtime, north, external_id="crm-2")).notes == "=1+1"


# ------------------------------------------------------------------------------------------------------------ exporting


async def test_what_is_exported_is_brought_in_unchanged(runtime: Runtime, north: UUID) -> None:
    await sent(
        runtime, north, externalId="crm-1", name="=Acme; Ltd.", operatingNames=["a; b", "c\\"], notes="two\nlines", isArchived=True
    )
    await imported(runtime, north, HEADER + "".join(f"crm-{n},Business {n},,,\n" for n in range(2, 20)))
    content = await exported(runtime, north)
    assert content.startswith(b"id,externalId,name,")
    assert not any(sign in content for sign in (b"\n=", b",=", b'"='))
    assert (await imported(runtime, north, content)).counts == Counter({ImportAction.UNCHANGED: 19})


async def test_a_file_for_a_spreadsheet_has_its_mark_and_its_delimiter(runtime: Runtime, north: UUID) -> None:
    await sent(runtime, north, name="Acme")
    content = await exported(runtime, north, csv_format.CsvLayout(";", is_marked=True))
    assert content.startswith(b"\xef\xbb\xbfid;externalId;name;")
    assert (await imported(runtime, north, content)).counts == Counter({ImportAction.UNCHANGED: 1})


@pytest.mark.slow
async def test_an_export_has_every_record_that_the_filter_lets_through_once(runtime: Runtime, north: UUID, south: UUID) -> None:
    more = csv_format.BATCH_SIZE + 1
    rows = "".join(f"crm-{n},Business {n},{n % 2}\n" for n in range(more))
    await imported(runtime, north, f"externalId,name,isMonitored\n{rows}")
    names = [line.split(b",")[2] for line in (await exported(runtime, north)).splitlines()[1:]]
    assert (len(names), len(set(names))) == (more, more)
    assert len((await exported(runtime, north, monitored=True)).splitlines()) == 1 + more // 2
    assert len((await exported(runtime, south)).splitlines()) == 1


# -------------------------------------------------------------------------------------------------------------- listing


async def test_records_are_listed_newest_change_first_and_filtered(runtime: Runtime, north: UUID, south: UUID) -> None:
    await sent(runtime, north, externalId="crm-1", name="Café 100% Ltd.", jurisdiction="ON", registrationNumber="1000017")
    await sent(runtime, north, externalId="crm-2", name="Birch_Inc.", isMonitored=True, notes='"hasUnresolvedDiscrepancies":true')
    away = await sent(runtime, north, externalId="crm-3", name="Cedar", isArchived=True)
    await sent(runtime, north, externalId="crm-1", notes="Called")
    assert await listed(runtime, north) == ["Café 100% Ltd.", "Cedar", "Birch_Inc."]
    assert await listed(runtime, north, archived=False) == ["Café 100% Ltd.", "Birch_Inc."]
    assert await listed(runtime, north, monitored=True) == ["Birch_Inc."]
    assert await listed(runtime, north, text="café") == ["Café 100% Ltd."]
    assert await listed(runtime, north, text="CRM-2") == ["Birch_Inc."]
    assert await listed(runtime, north, text="00001") == ["Café 100% Ltd."]
    assert await listed(runtime, north, text="100%") == ["Café 100% Ltd."]
    assert await listed(runtime, north, text="_") == ["Birch_Inc."]
    assert await listed(runtime, north, text="called") == []
    assert await listed(runtime, north, discrepancies=True) == []
    async with runtime.store.write() as connection:
        fields = SystemFields(has_unresolved_discrepancies=True)
        await business_records.record_system_fields(connection, north, away.id, fields, AUTHOR, runtime.clock())
    assert await listed(runtime, north, discrepancies=True) == ["Cedar"]
    assert await listed(runtime, north, discrepancies=False) == ["Café 100% Ltd.", "Birch_Inc."]
    assert await listed(runtime, south) == []


async def test_a_list_has_pages(runtime: Runtime, north: UUID) -> None:
    for n in range(5):
        await sent(runtime, north, name=f"Business {n}")
    seen, cursor = list[str | None](), None
    for _ in range(3):
        page = await list_newest_records(runtime, north, RecordFilter(), 2, cursor)
        seen, cursor = [*seen, *(record.name for record in page.records)], page.older
    assert seen == [f"Business {n}" for n in reversed(range(5))]
    assert cursor is None


# ----------------------------------------------------------------------------------------------------------- kept files


async def test_a_file_is_kept_for_an_hour_for_its_own_organization(
    runtime: Runtime, north: UUID, south: UUID, clock: ManualClock
) -> None:
    key = await pending_imports.store_import(runtime, north, b"name\nAcme\n")
    assert await pending_imports.read_import(runtime, north, key) == b"name\nAcme\n"
    for organization_id, asked in ((south, key), (north, f"{key[:-1]}x"), (north, "../signing.key"), (north, "")):
        with pytest.raises(NotFound):
            await pending_imports.read_import(runtime, organization_id, asked)
    clock.advance(hours=1)
    with pytest.raises(NotFound):
        await pending_imports.read_import(runtime, north, key)


async def test_what_became_of_it_takes_the_place_of_the_file(runtime: Runtime, north: UUID) -> None:
    key = await pending_imports.store_import(runtime, north, FILE.encode())
    assert await pending_imports.read_import_result(runtime, north, key) is None
    result = build_import_result(await imported(runtime, north, FILE))
    await pending_imports.store_import_result(runtime, north, key, result, b"refused")
    assert await pending_imports.read_import_result(runtime, north, key) == result
    assert await pending_imports.read_refusals(runtime, north, key) == b"refused"
    assert [row.line for row in result.rows_of_action(ImportAction.REFUSED)] == [3, 5, 6]
    with pytest.raises(NotFound):
        await pending_imports.read_import(runtime, north, key)


async def test_what_nobody_came_back_for_is_forgotten_by_a_job(runtime: Runtime, north: UUID, clock: ManualClock) -> None:
    key = await pending_imports.store_import(runtime, north, b"name\n")
    async with runtime.store.write() as connection:
        assert await jobs.claim(connection, "w", clock.now, timedelta(seconds=1), [pending_imports.FORGET_JOB]) is None
    clock.advance(hours=1)
    async with runtime.store.write() as connection:
        job = await jobs.claim(connection, "w", clock.now, timedelta(seconds=1), [pending_imports.FORGET_JOB])
    assert job is not None
    await pending_imports.delete_import(runtime, job.organization_id, job.key)
    assert not await runtime.files.exists(north, f"imports/{key}.csv")
