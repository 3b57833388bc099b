"""Verifications as their users meet them, over real HTTP, and what becomes of them when processes are killed at random points."""

import json
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from sqlalchemy import make_url

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.store.database.schema_migration import upgrade
from bonafide_sandbox.generator.business import BusinessKind, LifecycleStatus
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.world.builder import DEFAULT_SEED
from tests.support.api.responses import without_signed_urls
from tests.support.sampling import WHOLE
from tests.support.servers.forked_services import Forked, forked
from tests.support.servers.ports import free_port
from tests.support.servers.service_processes import KEY_HEADER, SIZE, command, run, wait_until
from tests.support.waiting import TIMEOUT_S

BAKERY = {"legalName": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
SLOW = {"legalName": "Sandbox Slow Registry Inc.", "jurisdiction": "BC", "registrationNumber": "BC1000033"}
FAILING = {"legalName": "Sandbox Failing Registry Inc.", "jurisdiction": "AB", "registrationNumber": "2010000041"}
DISSOLVED = {"legalName": "Sandbox Dissolved Corp.", "jurisdiction": "FED", "registrationNumber": "1000058"}
SERVICE_KILLS, WORKER_KILLS = (10, 15) if WHOLE else (5, 8)
LIFE_S = 1.5
"""How long each may live at most, from when it is ready."""
PAUSE_S = 0.25
"""Between two verifications that are asked for."""
DEADLINE_S = 3600
"""So long that every verification completes, though workers that live for seconds get little done."""
END_S = 1800
"""Ends the test when one worker that lives does not finish what the others have left."""


def made(caller: httpx2.Client, claim: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """A verification from asking to its end: the states it was seen in, and the last answer."""
    answer = caller.post("/verify", json=claim).raise_for_status()
    body, seen = answer.json(), [str(answer.status_code)]
    while body.get("pending"):
        time.sleep(0.02)
        body = caller.get(f"/verify/{body.get('reportFetchId')}").raise_for_status().json()
        if body.get("status", "completed") != seen[-1]:
            seen.append(body.get("status", "completed"))
    return seen, body


# ------------------------------------------------------------------------------------------------------------ the demo


def test_the_bakery_is_verified_at_once(north: httpx2.Client) -> None:
    seen, body = made(north, BAKERY)
    assert (seen, body["results"]["status"]) == (["200"], "verified")


def test_the_slow_register_makes_it_wait_and_it_completes(north: httpx2.Client) -> None:
    for _ in range(2):
        seen, body = made(north, SLOW)
        assert seen[0] == "202"
        # Whoever asks seldom, as a slow machine does, may see neither.
        assert set(seen[1:-1]) <= {"pending", "processing", "waiting_for_registry"}
        assert seen[-1] == "completed"
        assert body["results"]["status"] == "verified"


def test_the_failing_register_ends_it_with_a_reason(north: httpx2.Client) -> None:
    seen, body = made(north, FAILING)
    assert (seen[0], seen[-1], body["status"]) == ("202", "failed", "failed")
    assert body["error"] != ""


def test_the_dissolved_corporation_is_inactive(north: httpx2.Client) -> None:
    assert made(north, DISSOLVED)[1]["results"]["status"] == "inactive"


# ------------------------------------------------------------------------------------------------------------ kill -9


@dataclass
class Customer:
    """Asks for one verification after another whenever the service is there, and keeps what it was promised."""

    url: str
    key: str
    claims: Iterator[dict[str, Any]]
    accepted: list[str] = field(default_factory=list)
    ended: dict[str, bytes] = field(default_factory=dict)
    enough: threading.Event = field(default_factory=threading.Event)

    def client(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.url, headers={KEY_HEADER: self.key}, timeout=TIMEOUT_S)

    def ask_until_enough(self) -> None:
        with self.client() as caller:
            for claim in self.claims:
                if self.enough.wait(PAUSE_S):
                    return
                try:
                    answer = caller.post("/verify", json=claim)
                    if answer.is_success:
                        self.accepted.append(answer.json()["reportFetchId"])
                    self.poll(caller, self.accepted[-5:])
                except httpx2.TransportError:
                    continue  # the service is gone for now: what it had not answered it had not promised

    def has_accepted(self, count: int) -> bool:
        return len(self.accepted) >= count

    def poll(self, caller: httpx2.Client, ids: list[str]) -> None:
        for one in ids:
            answer = caller.get(f"/verify/{one}")
            assert answer.status_code != 404, f"{one} was accepted and is lost"
            if answer.is_success and not answer.json().get("pending"):
                document = without_signed_urls(answer.content)
                assert self.ended.setdefault(one, document) == document, f"{one} has ended twice"


@dataclass(frozen=True)
class Installation:
    """Where processes find the database, the made-up Canada and each other."""

    data_dir: Path
    port: int
    environment: dict[str, str]

    @contextmanager
    def running(self, *words: str) -> Iterator[Forked]:
        """A process, killed at the end."""
        with forked(
            self.data_dir.parent / f"{uuid4().hex}.log", *words, "--data-dir", self.data_dir, **self.environment
        ) as process:
            yield process

    def kill_services(self, seed: int, customer: Customer) -> None:
        """One service after another, each killed at a random point of its life; every other has accepted something by then."""
        lives = random.Random(seed)  # noqa: S311 - a seed that is printed, so that a failure can be had again
        for number in range(SERVICE_KILLS):
            with self.running(*self.serve), customer.client() as caller:
                wait_until(partial(is_up, caller))
                wanted = len(customer.accepted) + number % 2
                wait_until(partial(customer.has_accepted, wanted))
                time.sleep(lives.uniform(0, LIFE_S))

    def kill_workers(self, seed: int) -> None:
        """One worker after another, likewise."""
        lives = random.Random(seed)  # noqa: S311 - as above
        for _ in range(WORKER_KILLS):
            with self.running("worker") as worker:
                wait_until(partial(has_started, worker))
                time.sleep(lives.uniform(0, LIFE_S))

    @property
    def serve(self) -> tuple[str, ...]:
        return "serve", "--port", str(self.port)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def key(self) -> str:
        words = ("keys", "create", "--organization", "Killed", "--test", "--rate-limit", "1000000", "--json")
        ended = run(*words, "--data-dir", self.data_dir, **self.environment)
        key: str = json.loads(ended.out)["key"]
        return key


@pytest.fixture(scope="module")
def sandbox_url(live_world: Path) -> Iterator[str]:
    """The made-up Canada's live registers, which nobody kills."""
    port = free_port()
    with command("sandbox", live_world, "--size", SIZE, "--serve", str(port)), httpx2.Client(timeout=TIMEOUT_S) as caller:

        def answers() -> bool:
            try:
                return caller.get(f"http://127.0.0.1:{port}/").status_code == 404
            except httpx2.TransportError:
                return False

        wait_until(answers)
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def installation(empty_database_url: str, tmp_path: Path, sandbox_url: str) -> Installation:
    """Nothing is loaded, so that processes start soon."""
    url = make_url(empty_database_url)
    upgrade(url)
    environment = {
        "BONAFIDE_DATABASE_URL": url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False),
        "BONAFIDE_SANDBOX_URL": sandbox_url,
        "BONAFIDE_RENEW": "off",
        "BONAFIDE_VERIFICATION_DEADLINE_S": str(DEADLINE_S),
    }
    return Installation(tmp_path / "data", free_port(), environment)


def claims_on(numbers: list[str], business_id: str) -> Iterator[dict[str, Any]]:
    """For ever, each of a register that is asked anew."""
    for number in cycle(numbers):
        yield {"businessId": business_id, "registrationNumber": number, "maxAge": 0}


def registered_in_british_columbia() -> list[str]:
    every = create_businesses(DEFAULT_SEED, 0, int(SIZE))
    mine = (
        one.number
        for one in every
        if one.register is Jurisdiction.BC and one.kind is BusinessKind.COMPANY and one.standing is LifecycleStatus.ACTIVE
    )
    return list(islice(mine, 6))


@pytest.mark.slow
def test_processes_killed_at_random_points_lose_no_verification_and_finish_none_twice(installation: Installation) -> None:
    seed = int(os.environ.get("BONAFIDE_TEST_SEED", random.SystemRandom().randrange(2**32)))
    print(f"\nBONAFIDE_TEST_SEED={seed}")  # noqa: T201 - pytest shows it when the test fails
    customer = Customer(installation.url, installation.key(), iter(()))
    with installation.running(*installation.serve):
        business_id = kept_record(customer)
        customer.claims = claims_on(registered_in_british_columbia(), business_id)
    threads = [
        threading.Thread(target=installation.kill_services, args=[seed, customer]),
        threading.Thread(target=installation.kill_workers, args=[seed + 1]),
    ]
    asking = threading.Thread(target=customer.ask_until_enough)
    for thread in (asking, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    customer.enough.set()
    asking.join()
    print(f"{len(customer.accepted)} accepted, {len(customer.ended)} ended while processes died")  # noqa: T201
    assert len(customer.accepted) >= SERVICE_KILLS // 2
    with ExitStack() as stack:
        stack.enter_context(installation.running(*installation.serve))
        stack.enter_context(installation.running("worker"))
        caller = stack.enter_context(customer.client())
        wait_until(lambda: is_up(caller))
        wait_until(partial(has_ended, customer, caller), END_S)
        customer.poll(caller, customer.accepted)
        assert Counter(b'"results":' in body for body in customer.ended.values()) == {True: len(customer.accepted)}
        notes = noted(caller, business_id)
        # A service may die between accepting one and saying so: that one is made as well.
        assert notes.keys() >= set(customer.accepted)
        assert set(notes.values()) == {1}


def kept_record(customer: Customer) -> str:
    """The id of a stored business whose verifications are noted in its trail."""
    record = {"name": "Whoever It Is", "jurisdiction": "BC"}
    with customer.client() as caller:
        wait_until(lambda: is_up(caller))
        found: str = caller.post("/businesses", json=record).raise_for_status().json()["business"]["id"]
        return found


def is_up(caller: httpx2.Client) -> bool:
    try:
        return caller.get("/businesses").status_code < 500
    except httpx2.TransportError:
        return False


def has_started(worker: Forked) -> bool:
    return "worker.started" in worker.written()


def has_ended(customer: Customer, caller: httpx2.Client) -> bool:
    """Whether all that was accepted has ended."""
    customer.poll(caller, still_under_way(customer))
    return not still_under_way(customer)


def still_under_way(customer: Customer) -> list[str]:
    return [one for one in customer.accepted if one not in customer.ended]


def noted(caller: httpx2.Client, business_id: str) -> dict[str, int]:
    """How often each verification was noted on the record as its latest."""
    notes: Counter[str] = Counter()
    offset = 0
    while True:
        page = caller.get(f"/businesses/{business_id}/audit", params={"limit": 100, "offset": offset}).raise_for_status().json()
        notes.update(entry["new"] for entry in page["entries"] if entry["field"] == "latestVerificationId")
        offset += len(page["entries"])
        if not page["pagination"]["hasMore"]:
            return dict(notes)
