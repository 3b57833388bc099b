"""The bench under load serves, reads, searches at a rate, and leaves nothing behind."""

import asyncio
import shutil
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bonafide.runtime import open_runtime
from bonafide.settings import Settings
from bonafide.store.database import tables
from bonafide_bench.harness.load_generator import HttpConnectionPool, HttpLoadOutcome, run_closed_loop
from bonafide_bench.harness.search_requests import HOST, build_request
from bonafide_bench.measurements.load import ROUNDS, HttpLoadSpec, RateFigures, run_load_bench

pytestmark = pytest.mark.anyio


async def test_it_measures_and_cleans_up(sandbox_data: Path, tmp_path: Path) -> None:
    data_dir = shutil.copytree(sandbox_data, tmp_path / "data")
    told: list[str] = []
    async with open_runtime(Settings(data_dir=data_dir)) as runtime:
        report = await run_load_bench(runtime, HttpLoadSpec(processes=1, read_s=0.2, rate=5, search_s=1), told.append)
        async with runtime.store.read() as connection:
            left = (await connection.execute(select(func.count()).select_from(tables.searches))).scalar_one()
    assert report.entries > 1000
    assert (report.database, report.processes, report.offered) == ("sqlite", 1, 5)
    rates = (report.hello, report.reads, report.searches)
    assert [(rate.refused, rate.failed) for rate in rates] == [({}, {})] * 3
    assert all(rate.sent == rate.accepted > 0 and rate.times is not None and rate.times.count == rate.accepted for rate in rates)
    assert (report.rounds, report.round_s, report.search_s) == (ROUNDS, 0.2, 1)
    floors = [rate.floor for rate in rates]
    assert all(floor is None or 0 < floor.ms < 1000 for floor in floors)
    assert report.share == report.reads.per_second / report.hello.per_second > 0
    assert len(report.memory) > 0
    assert told == [
        *(f"{what}, round {n}" for n in range(1, ROUNDS + 1) for what in ("baseline", "reads")),
        "searches",
        "pages touched",
    ]
    assert left == 0


def test_only_accepted_requests_have_latencies_and_a_rate() -> None:
    outcome = HttpLoadOutcome(
        wall_ns=2_000_000_000, taken=[5_000_000] * 4, statuses=Counter({200: 4, 429: 7, 503: 2, 500: 1, 0: 3})
    )
    figures = RateFigures.of(outcome)
    assert (figures.per_second, figures.accepted, figures.sent) == (2, 4, 17)
    assert (figures.refused, figures.failed) == ({429: 7, 503: 2}, {0: 3, 500: 1})
    assert figures.times is not None
    assert (figures.times.count, figures.times.p50) == (4, 5.0)


def test_without_an_accepted_request_there_are_no_latencies() -> None:
    figures = RateFigures.of(HttpLoadOutcome(wall_ns=1_000_000_000, statuses=Counter({503: 9})))
    assert (figures.per_second, figures.times, figures.sent) == (0, None, 9)


async def test_the_generator_counts_refusals_apart() -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        status = "503 Service Unavailable" if b"/refused" in head else "200 OK"
        writer.write(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(respond, HOST, 0) as server:
        port = server.sockets[0].getsockname()[1]
        to = HttpConnectionPool(HOST, port, kept=False)
        paths = ("/accepted", "/refused", "/refused")
        outcome = await run_closed_loop(to, lambda number: build_request("GET", paths[number % 3], "key"), 0.2, 3)
    assert set(outcome.statuses) == {200, 503}
    assert len(outcome.taken) == outcome.statuses[200] < outcome.statuses[503]
