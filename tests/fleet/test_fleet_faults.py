"""A fleet under load, of which one part after another dies: what was acknowledged stays, nothing is done twice, no answer is wrong.

The tests run in this order and over one fleet; the last ones look at everything that was promised while the others ran. Times are
printed, not asserted. With `BONAFIDE_TEST_WHOLE=1` each fault comes three times, with ten times as much load.
"""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.support.fleet.consistency_checks import Promises
from tests.support.fleet.local_fleet import ORGANIZATION, Fleet, running_fleet
from tests.support.fleet.processes import NO_FAKETIME, Part, missing, wait_for
from tests.support.fleet.small_disks import SmallDisk
from tests.support.recorded_figures import FIGURES
from tests.support.sampling import WHOLE

pytestmark = pytest.mark.slow
HOUR = "3600"
JUMPED_S = 2.0
"""For which a clock is wrong, and more: a machine looks at it every second."""
NO_DISKS = "a small disk can't be mounted here: it takes root, and a system that lets it"
TIMEOUT = "Sandbox Timeout Ltd."
"""A search for it takes as long as a look-up may."""
A_MOMENT_S = 0.3
"""In which a worker claims a job, or a statement that was sent comes to its end."""
ROUNDS = range(3 if WHOLE else 1)
rounds = pytest.mark.parametrize("attempt", ROUNDS)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory, sandbox_data: Path) -> Iterator[Fleet]:
    with running_fleet(tmp_path_factory.mktemp("fleet"), sandbox_data) as running:
        yield running


# ------------------------------------------------------------------------------------------------------------ processes


@rounds
def test_an_api_node_is_killed(fleet: Fleet, attempt: int) -> None:
    for machine in fleet.machines[: 2 if WHOLE else 1]:
        fleet.endures("API node killed", machine.node.kill, machine.node.start, is_redundant=True)


@rounds
@pytest.mark.parametrize("number", [0, 1])
def test_a_worker_is_killed_with_jobs_under_way(fleet: Fleet, number: int, attempt: int) -> None:
    worker = fleet.machines[number].worker
    while not held_by(fleet, worker.pid):
        fleet.order([TIMEOUT])
        sleep(A_MOMENT_S)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)  # what it holds now it holds when it dies
    sleep(A_MOMENT_S)  # what it had sent is done by then
    held, killed_at = held_by(fleet, worker.pid), fleet.now()
    fleet.endures("worker killed", worker.kill, worker.start, is_redundant=True)
    wait_for("the end of what it held", lambda: fleet.is_done(held))
    fleet.note(f"what it held ({len(held)}) was done {fleet.done_after(held, killed_at):.1f} s after at the latest")


def held_by(fleet: Fleet, pid: int | None) -> list[str]:
    """The jobs that a worker has under way, by their keys."""
    return [str(key) for (key,) in fleet.rows("SELECT key FROM jobs WHERE state = 'running' AND worker LIKE %s", f"%:{pid}:%")]


@rounds
def test_the_pooler_is_killed(fleet: Fleet, attempt: int) -> None:
    fleet.endures("PgBouncer killed", fleet.pooler.kill, fleet.pooler.start, is_redundant=False)


# ------------------------------------------------------------------------------------------------------------ the database


@rounds
@pytest.mark.parametrize("how", ["kill", "stop"])
def test_the_database_is_killed_or_restarted(fleet: Fleet, how: str, attempt: int) -> None:
    ended: Callable[[], None] = getattr(fleet.postgres, how)
    fleet.endures("PostgreSQL killed" if how == "kill" else "PostgreSQL restarted", ended, fleet.postgres.start, is_redundant=False)


# ------------------------------------------------------------------------------------------------------------ what is dispensable


@rounds
def test_valkey_is_killed(fleet: Fleet, attempt: int) -> None:
    began_at = monotonic()
    before = shared_failures(fleet)
    fleet.endures("Valkey killed", fleet.valkey.kill, fleet.valkey.start, is_redundant=True)
    fleet.valkey_was_away.append((began_at, monotonic()))
    assert shared_failures(fleet) > before


def shared_failures(fleet: Fleet) -> float:
    """How often the nodes had to go on without it, as their metrics say."""
    lines = [line for machine in fleet.machines for line in machine.node.metrics().splitlines()]
    return sum(float(line.split()[-1]) for line in lines if line.startswith("bonafide_shared_store_failures_total{"))


@rounds
def test_the_object_store_is_killed(fleet: Fleet, attempt: int) -> None:
    broken_at = monotonic()
    fleet.endures("object store killed", felt(fleet, fleet.bucket.kill), fleet.bucket.start, is_redundant=False)
    assert {attempt.kind for attempt in fleet.journal.refused_since(broken_at)} == {"print"}


def felt(fleet: Fleet, breaks: Callable[[], None]) -> Callable[[], None]:
    """Break something, and wait until somebody is refused for it."""

    def until_felt() -> None:
        broken_at = monotonic()
        breaks()
        wait_for("a refusal", lambda: fleet.journal.refused_since(broken_at) != [])

    return until_felt


# ------------------------------------------------------------------------------------------------------------ full disks


def full(disk: SmallDisk) -> Part:
    """A disk as a part: full when it is broken."""
    if not disk.is_mounted:
        pytest.skip(NO_DISKS)

    class Disk:
        def kill(self) -> None:
            disk.fill()

        def start(self) -> None:
            disk.free()

    return Disk()


def test_the_disk_of_a_node_is_full_when_a_generation_is_published(fleet: Fleet) -> None:
    disk, node = full(fleet.disks["node"]), fleet.machines[0].node
    wanted = fleet.sequence_published("nb") + 1
    broken_at = monotonic()

    def publish() -> None:
        disk.kill()
        fleet.load_again("nb")
        wait_for("the publication", lambda: fleet.sequence_published("nb") == wanted)
        wait_for("the node to notice", lambda: (node.readiness() or {})["shared index"]["status"] == "degraded")

    fleet.endures("disk of a node full", publish, disk.start, is_redundant=True)
    mended_at = monotonic()
    wait_for("the generation", lambda: (node.readiness() or {})["shared index"]["status"] == "ok")
    fleet.note(f"the generation was there {monotonic() - mended_at:.1f} s later")
    assert [attempt for attempt in fleet.journal.refused_since(broken_at) if attempt.status] == []


def test_the_disk_of_the_object_store_is_full(fleet: Fleet) -> None:
    disk = full(fleet.disks["bucket"])
    broken_at = monotonic()
    fleet.endures("disk of the object store full", felt(fleet, disk.kill), disk.start, is_redundant=False)
    assert {attempt.kind for attempt in fleet.journal.refused_since(broken_at)} == {"print"}


def test_the_disk_of_the_database_is_full(fleet: Fleet) -> None:
    disk = full(fleet.disks["database"])

    def mend() -> None:
        disk.start()
        fleet.postgres.start()  # as its service manager does where it has given up

    fleet.endures("disk of PostgreSQL full", felt(fleet, disk.kill), mend, is_redundant=False)


# ------------------------------------------------------------------------------------------------------------ the clock


@pytest.mark.parametrize("offset", [f"+{HOUR}", f"-{HOUR}"])
def test_the_clock_of_a_machine_jumps(fleet: Fleet, offset: str) -> None:
    if not fleet.clock.is_movable:
        missing(NO_FAKETIME)

    def jump() -> None:
        fleet.clock.set(offset)
        sleep(JUMPED_S)

    fleet.endures(f"clock of a machine {offset} s", jump, lambda: fleet.clock.set("+0"), is_redundant=True)


# ------------------------------------------------------------------------------------------------------------ what was promised


@pytest.fixture(scope="module")
def promises(fleet: Fleet) -> Iterator[Promises]:
    """What is to be kept, now that nothing new is promised."""
    fleet.load.stop()
    made = Promises(fleet)
    yield made
    made.close()


def test_no_answer_was_wrong(promises: Promises, record_property: Callable[[str, object], None]) -> None:
    record_property(FIGURES, promises.figures())
    assert promises.journal.wrong == []


def test_every_search_is_there_with_its_bytes(promises: Promises) -> None:
    assert promises.journal.later <= promises.journal.searches.keys()
    assert promises.unfinished_orders() == []
    assert promises.lost_searches() == []
    assert promises.lost_selections() == []
    assert promises.lost_prints() == []


def test_every_verification_has_ended_once(promises: Promises) -> None:
    assert promises.journal.accepted.keys() == promises.journal.verifications.keys()
    assert promises.lost_verifications() == []
    notes = promises.notes_of_verifications()
    # A node may die between accepting one and saying so: that one is made as well.
    assert notes.keys() >= promises.journal.noted
    assert set(notes.values()) == {1}


def test_every_change_of_a_record_was_made_once_and_in_order(promises: Promises) -> None:
    for external_id, record in promises.journal.records.items():
        assert promises.changes_of(record) == [str(number) for number in record.acknowledged], external_id
        assert promises.kept(external_id) == str(record.acknowledged[-1])


def test_the_change_feed_has_each_record_once_and_in_order(promises: Promises) -> None:
    feed = promises.feed()
    assert sorted(record["externalId"] for record in feed) == sorted(promises.journal.records)
    assert [record["updatedAt"] for record in feed] == sorted({record["updatedAt"] for record in feed})


def test_the_trail_of_the_organization_is_whole(fleet: Fleet, promises: Promises) -> None:
    with fleet.command("audit", "verify", "--organization", ORGANIZATION, "--test") as command:
        command.process.join()
        assert command.process.exitcode == 0, command.written()


def test_every_job_was_done_once_and_none_is_left(fleet: Fleet, promises: Promises) -> None:
    wait_for("the end of every job", lambda: fleet.rows("SELECT 1 FROM jobs WHERE state IN ('queued', 'running')") == [])
    assert fleet.rows("SELECT key FROM jobs WHERE state <> 'done'") == []
    assert fleet.rows("SELECT key FROM jobs GROUP BY key, kind HAVING count(*) > 1") == []


def test_a_small_limit_held_whenever_valkey_was_up(promises: Promises) -> None:
    assert promises.windows_over_the_limit() == {}
    assert any(statuses[429] for statuses in promises.journal.passes.values())
