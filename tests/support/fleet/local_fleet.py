"""A fleet on this machine, under load: two nodes and workers, PostgreSQL behind PgBouncer, Valkey, a bucket, made-up registers.

Machine 1 has published the made-up Canada; machine 2 began empty, has a clock of its own, and was ready when it had caught up.
"""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep

import httpx2
import psycopg
from sqlalchemy import URL

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.runtime import build_generation_stores, open_runtime
from bonafide.services.accounts.api_access import create_key
from bonafide.settings import Settings
from bonafide.store.database.schema_migration import upgrade
from tests.support.fleet.journal import Journal
from tests.support.fleet.load import KINDS, LIMIT, Load
from tests.support.fleet.processes import ApiNode, Bucket, Clock, DurablePostgres, WorkerNode, is_open, wait_for
from tests.support.fleet.small_disks import MEGABYTE, SmallDisk, small_disk
from tests.support.sampling import WHOLE
from tests.support.servers.forked_services import Forked, forked
from tests.support.servers.pgbouncer import Pooler, pooling
from tests.support.servers.ports import HOST, free_port
from tests.support.servers.postgres import as_psycopg
from tests.support.servers.s3 import BUCKET
from tests.support.servers.valkey import ValkeyServer, running_server
from tests.support.waiting import TIMEOUT_S

ORGANIZATION = "Fleet"
SOURCES = ("fed", "on", "qc", "nb", "fintracMsb", "rbqLicences", "un-sanctions-consolidated")
WINDOW_S = 4
LOAD_S = 10.0 if WHOLE else 1.0
"""Of undisturbed load after each fault."""
WANTED_S = 10
"""Within which every kind of request is to succeed again; it is said, and not asserted."""
AWAY_S = 5.0 if WHOLE else 1.0
"""For which a part is away that comes back."""


@dataclass(frozen=True, slots=True)
class Endured:
    """How a fault went: times in seconds, counted from the moment at which the part broke, or was whole again."""

    title: str
    away_s: float
    first_refusal_s: float | None
    recovered_s: float
    slowest: str
    gap_s: float
    gap_kind: str
    unanswered: int
    refused: int
    note: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """As a row of the table."""
        first = f"{self.first_refusal_s:.2f}" if self.first_refusal_s is not None else "-"
        times = f"{self.away_s:.1f}", first, f"{self.recovered_s:.1f}", self.slowest, f"{self.gap_s:.1f} ({self.gap_kind})"
        late = "above 10 s" if self.recovered_s > WANTED_S else ""
        return self.title, *times, str(self.unanswered), str(self.refused), "; ".join(filter(None, (late, self.note)))


@dataclass(frozen=True)
class Machine:
    """A data directory, and the two processes over it."""

    node: ApiNode
    worker: WorkerNode


@dataclass
class Fleet:
    """All parts, running, and what has become of them."""

    postgres: DurablePostgres
    pooler: Pooler
    valkey: ValkeyServer
    bucket: Bucket
    machines: tuple[Machine, Machine]
    clock: Clock
    disks: dict[str, SmallDisk]
    database: URL
    load: Load
    environment: dict[str, str]
    folder: Path
    sandbox: Path
    keys: tuple[str, str]
    ordered: list[str] = field(default_factory=list)
    valkey_was_away: list[tuple[float, float]] = field(default_factory=list)
    endured: list[Endured] = field(default_factory=list)

    @property
    def journal(self) -> Journal:
        """What the clients know."""
        return self.load.journal

    def endures(
        self, title: str, breaks: Callable[[], None], mends: Callable[[], None], *, is_redundant: bool, note: str = ""
    ) -> Endured:
        """Break a part under load, mend it, and wait until every kind of request succeeds again.

        What another part stands in for counts from the break; what nothing stands in for, from when it is back.
        """
        broken_at = monotonic()
        breaks()
        sleep(AWAY_S)
        mends()
        back_at = monotonic()
        since = broken_at if is_redundant else back_at
        recovered = {kind: self._recovered(kind, since) for kind in KINDS}
        for kind in KINDS:
            self._recovered(kind, back_at)
        sleep(LOAD_S)
        slowest = max(KINDS, key=lambda kind: recovered[kind])
        gaps = {kind: self.journal.longest_gap(kind, broken_at) for kind in KINDS}
        widest = max(KINDS, key=lambda kind: gaps[kind])
        failed = self.journal.refused_since(broken_at)
        first = min((attempt.ended_at - broken_at for attempt in failed), default=None)
        endured = Endured(
            title, back_at - broken_at, first, recovered[slowest], slowest, gaps[widest], widest,
            sum(attempt.status == 0 for attempt in failed), sum(attempt.status != 0 for attempt in failed), note,
        )  # fmt: skip
        self.endured.append(endured)
        return endured

    def _recovered(self, kind: str, since: float) -> float:
        """After how many seconds what was begun then succeeded; waits for it."""
        wait_for(f"a success of {kind}", lambda: self.journal.succeeded(kind, since) is not None)
        ended_at = self.journal.succeeded(kind, since)
        assert ended_at is not None
        return ended_at - since

    def rows(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """What the database itself says."""
        with as_psycopg(self.database) as connection:
            return connection.execute(statement, values or None).fetchall()

    def note(self, text: str) -> None:
        """What else is to be said of the fault that was endured last."""
        self.endured[-1] = replace(self.endured[-1], note=text)

    def order(self, names: list[str]) -> None:
        """Searches that workers do; what becomes of them is looked at in the end."""
        headers = {"X-API-Key": self.keys[0], "Prefer": "respond-async"}
        for name in names:
            answer = httpx2.post(f"{self.machines[0].node.url}/v1/search", json={"name": name}, headers=headers, timeout=TIMEOUT_S)
            self.ordered.append(answer.raise_for_status().json()["meta"]["searchId"])

    def is_done(self, keys: list[str]) -> bool:
        """Whether the jobs of these keys are."""
        return self.rows("SELECT 1 FROM jobs WHERE key = ANY(%s) AND state <> 'done'", keys) == []

    def now(self) -> datetime:
        """The present, as the database has it."""
        ((found,),) = self.rows("SELECT clock_timestamp()")
        assert isinstance(found, datetime)
        return found

    def done_after(self, keys: list[str], since: datetime) -> float:
        """How many seconds later the last of these jobs was done; 0 where there is none."""
        ended = [row[0] for row in self.rows("SELECT finished_at FROM jobs WHERE key = ANY(%s)", keys)]
        return max([(one - since).total_seconds() for one in ended if isinstance(one, datetime)], default=0.0)

    def sequence_published(self, source: str) -> int:
        """The number of a source's newest publication."""
        ((found,),) = self.rows("SELECT sequence FROM published_generations WHERE source = %s", source)
        return int(str(found))

    def load_again(self, source: str) -> None:
        """A new generation of a source, made and published by machine 2: its register with a row less."""
        lines = next(self.sandbox.joinpath(source).glob("*.csv")).read_bytes().splitlines(keepends=True)
        shorter = self.folder / "shorter.csv"
        shorter.write_bytes(b"".join(lines[:-1]))
        with self.command("sync", source, "--sandbox", "--force", "--file", str(shorter)) as command:
            command.process.join()
            assert command.process.exitcode == 0, command.written()

    @contextmanager
    def command(self, *words: str) -> Iterator[Forked]:
        """`bonafide …` on machine 2."""
        with forked(self.folder / "command.log", *words, **self.environment) as process:
            yield process

    def table(self) -> str:
        """The figures, for people."""
        head = ("fault", "away s", "first failure s", "recovered s", "slowest", "longest wait s", "no answer", "503", "")
        rows = [head, *(one.cells for one in self.endured)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


@contextmanager
def running_fleet(folder: Path, sandbox_data: Path) -> Iterator[Fleet]:
    """All of it, under load, while the block runs. Skips the test where a program is missing."""
    with ExitStack() as stack:
        disks = {
            name: stack.enter_context(small_disk(place, size * MEGABYTE))
            for name, place, size in (
                ("node", folder / "one", 64),
                ("bucket", folder / "disk", 256),
                ("database", _short_folder(stack), 400),
            )
        }
        postgres = DurablePostgres(disks["database"].folder)
        stack.callback(postgres.stop)
        postgres.start()
        database = postgres.server.create_database()
        upgrade(database)
        pooler = stack.enter_context(pooling(postgres.server))
        valkey_folder = _folder(folder, "valkey")
        valkey = stack.enter_context(running_server(valkey_folder))
        bucket = Bucket(_folder(folder, "s3"), disks["bucket"].folder)
        stack.callback(bucket.kill)
        bucket.start()
        environment = {
            "BONAFIDE_DATABASE_URL": pooler.address_of(database.set(drivername="postgresql")),
            "BONAFIDE_DATABASE_POOLED": "true",
            "BONAFIDE_VALKEY_URL": valkey.url,
            "BONAFIDE_VALKEY_TIMEOUT_S": "5",  # a busy machine is not a Valkey that is away
            "BONAFIDE_FILES_URL": f"s3://{BUCKET}/files",
            "BONAFIDE_FILES_OPTIONS": json.dumps(bucket.options),
            "BONAFIDE_INDEX_URL": f"s3://{BUCKET}/index",
            "BONAFIDE_INDEX_POLL_S": "1",
            "BONAFIDE_SIGNING_KEY": "the same on all machines",
            "BONAFIDE_SANDBOX_URL": _sandbox(stack, folder, sandbox_data),
            "BONAFIDE_RATE_LIMIT_WINDOW_S": str(WINDOW_S),
            "BONAFIDE_VERIFICATION_DEADLINE_S": "3600",
            "BONAFIDE_RENEW": "off",
        }
        _copy_of(sandbox_data, folder / "one")
        clock = Clock(folder / "clock")
        machines = _machines(stack, folder, environment, clock)
        keys = asyncio.run(_keys(database, _folder(folder, "keys")))
        load = Load((machines[0].node.url, machines[1].node.url), *keys)
        with load.running():
            yield Fleet(
                postgres, pooler, valkey, bucket, machines, clock, disks, database, load,
                {**environment, "BONAFIDE_DATA_DIR": str(folder / "two")}, folder, sandbox_data / "sandbox" / "1000", keys,
            )  # fmt: skip


def _copy_of(sandbox_data: Path, data_dir: Path) -> None:
    """As much of the made-up Canada as the load asks for, so that it soon is in the bucket and on the other machine."""
    for source in SOURCES:
        shutil.copytree(sandbox_data / "index" / "sandbox" / source, data_dir / "index" / "sandbox" / source)
    shutil.copytree(sandbox_data / "reference", data_dir / "reference")


def _folder(parent: Path, name: str) -> Path:
    made = parent / name
    made.mkdir()
    return made


def _short_folder(stack: ExitStack) -> Path:
    """For PostgreSQL, whose socket's path must fit 107 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="bonafide-fleet-", dir="/tmp"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _sandbox(stack: ExitStack, folder: Path, sandbox_data: Path) -> str:
    port = free_port()
    words = ("sandbox", str(sandbox_data / "sandbox" / "1000"), "--size", "1000", "--serve", str(port))
    process = stack.enter_context(forked(folder / "sandbox.log", *words))
    wait_for("the sandbox", lambda: is_open(port) or not process.process.is_alive())
    return f"http://{HOST}:{port}"


def _machines(stack: ExitStack, folder: Path, environment: dict[str, str], clock: Clock) -> tuple[Machine, Machine]:
    machines = (
        _machine(folder / "one", environment, None),
        _machine(folder / "two", environment, clock if clock.is_movable else None),
    )
    for machine in machines:
        stack.callback(machine.node.kill)
        stack.callback(machine.worker.kill)
    machines[0].node.start()
    _wait_until_published(machines[0].node, environment)
    machines[1].node.start()
    for machine in machines:
        machine.worker.start()
    return machines


def _machine(data_dir: Path, environment: dict[str, str], clock: Clock | None) -> Machine:
    logs = [data_dir.with_name(f"{kind}-{data_dir.name}.log") for kind in ("node", "worker")]
    return Machine(ApiNode(logs[0], data_dir, environment, clock), WorkerNode(logs[1], data_dir, environment, clock))


def _wait_until_published(node: ApiNode, environment: dict[str, str]) -> None:
    """Everything that its machine has is in the bucket."""
    wanted = sum(len(generations.keys()) for generations in build_generation_stores(node.data_dir).values())
    url = environment["BONAFIDE_DATABASE_URL"]

    def is_published() -> bool:
        with psycopg.connect(url, prepare_threshold=None) as connection:
            row = connection.execute("SELECT count(*) FROM published_generations").fetchone()
        return row is not None and row[0] >= wanted

    wait_for("the index in the bucket", is_published)


async def _keys(database: URL, data_dir: Path) -> tuple[str, str]:
    settings = Settings(data_dir=data_dir, database_url=database.render_as_string(hide_password=False))
    async with open_runtime(settings) as runtime:
        unlimited, limited = [
            await create_key(
                runtime, KeyRequest(organization=ORGANIZATION, label=f"limit {limit}", rate_limit=limit, world=World.SANDBOX)
            )
            for limit in (1_000_000, LIMIT)
        ]
        return unlimited.text, limited.text
