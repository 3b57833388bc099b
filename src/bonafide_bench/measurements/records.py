"""`bonafide bench records`: upsert throughput of business records, and latency of a page at several positions of the change feed.

Runs on the configured database with a temporary organization, which is deleted afterwards; use a database whose size may change.
The baseline is the smallest possible transaction (`SELECT 1`), run between the measurements. Ratios to it are comparable between
machines and network distances; milliseconds are not. Nothing is asserted.
"""

import gc
import json
from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import perf_counter_ns
from uuid import UUID, uuid4

from sqlalchemy import bindparam, insert, select

from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord, FeedPosition
from bonafide.runtime import Runtime
from bonafide.services.loading.refresh import Progress
from bonafide.services.records import change_feed
from bonafide.services.records.business_records import RecordEdit, apply_edits, upsert
from bonafide.store.database import tables
from bonafide.store.database.rows import select_json_rows
from bonafide.store.records.businesses import FeedFilter, build_search_text
from bonafide_bench.measurements.figures import LatencyFigures
from bonafide_bench.seeding.organization import create_bench_organization

PAGE = 100
MAX_PAGES = 200
"""The maximum number of pages measured at each position, alternating between positions."""
ROWS_AT_ONCE = 5000
WARM_UP = 20
TICK = timedelta(milliseconds=1)
BENCH = Author("system:bench")


@dataclass(slots=True)
class _CallTimer:
    """The durations of one kind of call."""

    taken: list[int] = field(default_factory=list)

    async def time(self, work: Awaitable[object]) -> None:
        """Record the duration of the work."""
        started = perf_counter_ns()
        await work
        self.taken.append(perf_counter_ns() - started)


@dataclass(frozen=True, slots=True)
class RecordsReport:
    """One run: milliseconds of a page at each feed position, of each kind of upsert, and of the baseline."""

    records: int
    database: str
    yardstick: LatencyFigures
    pages: dict[str, LatencyFigures]
    upserts: dict[str, LatencyFigures]


async def run_records_bench(runtime: Runtime, size: int, upserts: int, told: Progress) -> RecordsReport:
    """Measure with `size` records and `upserts` upserts of each kind."""
    async with create_bench_organization(runtime, "records") as (organization_id, _):
        first = runtime.clock().replace(microsecond=0) - size * TICK
        await fill_records(runtime, organization_id, size, first, told)
        yard = _CallTimer()
        pages = await _measure_pages(runtime, organization_id, size, first, yard)
        changes = await _measure_upserts(runtime, organization_id, upserts, yard, told)
        async with runtime.store.read() as connection:
            database = connection.dialect.name
    return RecordsReport(size, database, LatencyFigures.of(yard.taken), pages, changes)


async def fill_records(runtime: Runtime, organization_id: UUID, size: int, first: datetime, told: Progress) -> None:
    """Insert records a millisecond apart in the feed, without numbers and audit log, which the feed does not read."""
    cells = {column.name: column.type for column in tables.businesses.c if column.name != "organization_id"}
    for start in range(0, size, ROWS_AT_ONCE):
        rows = json.dumps([_build_row(n, first + n * TICK) for n in range(start, min(start + ROWS_AT_ONCE, size))])
        async with runtime.store.write() as connection:
            owner = bindparam("organization_id", type_=tables.businesses.c.organization_id.type)
            chosen = select(owner, *select_json_rows(connection.dialect.name, "rows", cells))
            added = insert(tables.businesses).from_select(["organization_id", *cells], chosen)
            await connection.execute(added, {"organization_id": organization_id, "rows": rows})
        told("records", min(start + ROWS_AT_ONCE, size), size)


def _build_row(number: int, instant: datetime) -> dict[str, object]:
    sent = _build_upsert(number)
    blank = BusinessRecord(id=uuid4(), created_at=instant, updated_at=instant)
    record = blank.model_copy(update=sent.apply_to(blank))
    return {
        "id": record.id.hex,
        "external_id": record.external_id,
        "is_monitored": record.is_monitored,
        "is_archived": record.is_archived,
        "updated_at": instant.isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "document": record.to_json(),
        "sought": build_search_text(record.registration_number, record.external_id, record.name),
        "has_discrepancies": record.has_unresolved_discrepancies,
    }


def _build_upsert(number: int, **changes: object) -> BusinessUpsert:
    """A record as a customer's system sends it."""
    fields = {
        "external_id": f"crm-{number}",
        "name": f"Exemple {number} Ltée",
        "operating_names": (f"Exemple {number}",),
        "jurisdiction": "QC",
        "registration_number": str(1160000000 + number),
        "entity_type": "Société par actions",
        "street": f"{number % 9999} rue Principale",
        "city": "Montréal",
        "province": "QC",
        "postal_code": "H2X 1Y4",
        "people": ({"name": "Ada Lovelace", "role": "Director"}, {"name": "Grace Hopper", "role": "President"}),
        "website": f"https://exemple-{number}.example",
        "is_monitored": number % 10 == 0,
    }
    return BusinessUpsert.model_validate({**fields, **changes})


async def _measure_pages(
    runtime: Runtime, organization_id: UUID, size: int, first: datetime, yard: _CallTimer
) -> dict[str, LatencyFigures]:
    """Read consecutive pages from the start, from the middle and towards the end of the feed, in turn."""
    count = min(MAX_PAGES, size // PAGE)
    span = count * PAGE
    starts = {"at the start": 0, "in the middle": max(0, (size - span) // 2), "at the end": max(0, size - span)}
    places = {name: change_feed.build_position_after(first + (start - 1) * TICK) for name, start in starts.items()}
    watches = {name: _CallTimer() for name in starts}
    gc.collect()
    for number in range(-WARM_UP, count):
        for name in starts:
            watch = watches[name] if number >= 0 else _CallTimer()
            at = [places[name]]
            await watch.time(_read_page(runtime, organization_id, at))
            places[name] = at[-1] if number >= 0 else places[name]
        await yard.time(runtime.store.ping())
    return {name: LatencyFigures.of(watch.taken) for name, watch in watches.items()}


async def _read_page(runtime: Runtime, organization_id: UUID, at: list[FeedPosition]) -> None:
    """Read and serialize one page; its end position is appended to `at`."""
    page = await change_feed.read_feed(runtime, organization_id, FeedFilter(), at[-1], PAGE)
    page.to_json()
    at.append(change_feed.decode_cursor(page.cursor.next))


async def _measure_upserts(
    runtime: Runtime, organization_id: UUID, count: int, yard: _CallTimer, told: Progress
) -> dict[str, LatencyFigures]:
    """Upsert records sequentially through the service, as one client does."""
    kinds = {"that creates": {}, "that changes": {"notes": "Called", "phone_number": "+1 514 555 0100"}}
    watches = {name: _CallTimer() for name in kinds}
    for name, changes in kinds.items():
        for number in range(count):
            # After all existing records.
            body = _build_upsert(10**8 + number, **changes)
            await watches[name].time(upsert(runtime, organization_id, body, BENCH))
            if number % PAGE == 0:
                await yard.time(runtime.store.ping())
                told(f"upserts {name}", number, count)
    many = await _measure_import(runtime, organization_id, count)
    return {name: LatencyFigures.of(taken) for name, taken in [*((name, watch.taken) for name, watch in watches.items()), many]}


async def _measure_import(runtime: Runtime, organization_id: UUID, count: int) -> tuple[str, list[int]]:
    """Import `count` new records with `PAGE` per transaction; the time of a record is its share of the transaction."""
    watch = _CallTimer()
    for start in range(0, count, PAGE):
        bodies = [_build_upsert(2 * 10**8 + number) for number in range(start, start + PAGE)]
        await watch.time(apply_edits(runtime, organization_id, [RecordEdit(body) for body in bodies], BENCH))
    return f"of an import, {PAGE} at once", [taken // PAGE for taken in watch.taken]
