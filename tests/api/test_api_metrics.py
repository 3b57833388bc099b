"""Metrics are bounded, cheap, and include everything that the alarms of `docs/howto/operations.md` name."""

import math
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from timeit import repeat
from typing import Any

import httpx2
import pytest
import yaml
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from bonafide.app.application import create_app
from bonafide.app.worker import work_once
from bonafide.errors import SourceErrorCode
from bonafide.model.accounts.notifications import MailKind
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.retention import RetentionKind
from bonafide.model.search.result import SearchStatus
from bonafide.model.search.website import WebsiteStatus
from bonafide.model.verification.results import ResultStatus
from bonafide.model.webhooks import DeliveryStatus, DisabledReason
from bonafide.observability.metrics import Metrics
from bonafide.runtime import Runtime
from bonafide.services.jobs.queue import JobOutcome
from bonafide.services.operations.gauge_collector import JOB_KINDS, OTHER_JOB_KIND
from bonafide.store.database.engine import Store
from bonafide.store.retention.erasable_tables import ERASED_TABLES
from bonafide.store.work import jobs
from bonafide.store.work.jobs import NewJob
from bonafide.web.routing import RouteTable
from tests.support.api.clients import BASE, ManualClock, NewKey
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.recorded_figures import FIGURES

pytestmark = [pytest.mark.anyio, ON_SQLITE_ONLY]
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "operations.md"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD")
OF_THE_SCRAPE = {"instance", "job", "part", "severity"}
"""Labels that Prometheus adds."""
BAKERY = {"jurisdiction": "ON", "registrationNumber": "1000017"}
NAMES = ("Jane Roe", "Sandbox Bakery", "9876543-2")
FROM_DATABASE = (
    *("bonafide_oldest_due_job_seconds", "bonafide_dead_jobs", "bonafide_oldest_pending_mail_seconds"),
    *("bonafide_oldest_webhook_delivery_seconds", "bonafide_disabled_webhook_endpoints"),
    *("bonafide_monitored_records_never_evaluated", "bonafide_monitored_queries_due", "bonafide_monitored_queries_overdue"),
)
"""Gauges without labels whose values are read from the database."""


@pytest.fixture
async def measured(sandbox_runtime: Runtime, store: Store) -> Runtime:
    """A runtime whose store counts in its metrics, as an opened one's does."""
    return replace(sandbox_runtime, metrics=store._metrics)


@pytest.fixture
async def caller(measured: Runtime, new_key: NewKey) -> Any:
    key = await new_key(world=World.SANDBOX)
    transport = httpx2.ASGITransport(create_app(measured))
    async with httpx2.AsyncClient(transport=transport, base_url=BASE, headers={"X-API-Key": key}) as client:
        yield client


async def families(caller: httpx2.AsyncClient) -> dict[str, Metric]:
    """What is told, by name."""
    return {family.name: family for family in text_string_to_metric_families((await caller.get("/metrics")).text)}


def value(found: dict[str, Metric], sample: str, **labels: str) -> float:
    """One number."""
    samples = [one for family in found.values() for one in family.samples if one.name == sample]
    (only,) = [one.value for one in samples if labels.items() <= one.labels.items()]
    return only


async def use_everything(runtime: Runtime, caller: httpx2.AsyncClient) -> None:
    """A call of each kind that is counted."""
    await caller.post("/v1/search", json={"name": NAMES[1], "website": "https://a.example", "sanctionsScreening": True})
    await caller.post("/v1/sanctions", json={"name": NAMES[0]})
    await caller.post("/v1/search", json={"name": NAMES[1]}, headers={"Prefer": "respond-async"})
    assert (await caller.post("/v1/verify", json={"legalName": "Sandbox Bakery Inc.", **BAKERY})).is_success
    assert (await caller.post("/v1/business-reports", json=BAKERY)).is_success
    while await work_once(runtime, "worker"):
        pass
    runtime.metrics.count_index_fetch_failure(World.SANDBOX, "on")
    runtime.metrics.count_index_publish_failure(World.SANDBOX, "on")
    runtime.metrics.count_damaged_index(World.SANDBOX, "on")
    runtime.metrics.observe_delivery(DeliveryStatus.FAILED, 0.1)
    runtime.metrics.count_disabled_endpoint(DisabledReason.GONE)
    runtime.metrics.count_mail(MailKind.DIGEST, "accepted")


# ------------------------------------------------------------------------------------------------------------ labels


@pytest.mark.slow
async def test_labels_come_from_closed_sets(
    measured: Runtime, caller: httpx2.AsyncClient, record_property: Callable[[str, object], None]
) -> None:
    await use_everything(measured, caller)
    for method, path, how in _strange_requests():
        await caller.request(method, path, **how)
    found = await families(caller)
    closed = _closed_sets(measured)
    for family in found.values():
        for sample in family.samples:
            strange = {name: text for name, text in sample.labels.items() if not closed[name](text)}
            assert strange == {}, sample
    record_property(FIGURES, f"series of one process after a fuzzed run: {sum(len(family.samples) for family in found.values())}")


def _strange_requests() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Requests with somebody's words wherever a request has words."""
    dice = Random(1867)  # noqa: S311 - the same requests each time
    paths = ("/v1/search", "/v1/verify", "/v1/sanctions", "/v1/businesses", "/v1/search/{}", "/{}", "/v1/{}/{}", "/console/{}")
    for _ in range(150):
        word = dice.choice((*NAMES, "../../etc", "\u202e", "%00", "a" * 500, str(dice.random())))
        body = {dice.choice(("name", "registrationNumber", "source", "jurisdiction", word)): word}
        headers = {"X-Request-Id": dice.choice(("mine", str(dice.random()))), "Prefer": dice.choice(("respond-async", "wait=1"))}
        method = dice.choice((*METHODS, "BREW", word[:3].upper() if word[:3].isalpha() else "X"))
        yield method, dice.choice(paths).format(word, word), {"json": body, "headers": headers, "params": {"query": word}}


def _closed_sets(runtime: Runtime) -> dict[str, Callable[[str], bool]]:
    """What each label may be."""
    templates = {entry.route.template for entry in RouteTable(create_app(runtime))._entries} | {"unmatched"}
    sources = {*runtime.sources, "website"}
    codes = {code.value for code in SourceErrorCode}
    statuses = {*SearchStatus, *WebsiteStatus, *codes}
    outcomes = {
        *JobOutcome,
        *ResultStatus,
        *DeliveryStatus,
        *codes,
        "answered",
        "hit",
        "miss",
        "clear",
        "matches",
        "incomplete",
        "failed",
        "renewed",
    }
    return {
        "route": templates.__contains__,
        "method": {*METHODS, "OTHER"}.__contains__,
        "status": lambda text: text in statuses or re.fullmatch(r"[1-5]\d\d", text) is not None,
        "source": sources.__contains__,
        "world": {*World}.__contains__,
        "outcome": outcomes.__contains__,
        "cache": {"api_key", "report", "pdf", "screening_roll", "live_answers"}.__contains__,
        "kind": {*JOB_KINDS, OTHER_JOB_KIND, *MailKind, *RetentionKind}.__contains__,
        "table": ERASED_TABLES.__contains__,
        "reason": {*DisabledReason}.__contains__,
        "result": {"accepted", "deferred", "refused", "cancelled"}.__contains__,
        "state": {"queued", "running"}.__contains__,
        "mode": {"read", "write"}.__contains__,
        "full": {"requests", "work", "jobs", "bodies"}.__contains__,
        "use": {"rate_limit", "pace", "live_answers"}.__contains__,
        "pool": {"read", "write", "shared"}.__contains__,
        "le": lambda text: float(text) >= 0,
        "version": lambda text: re.fullmatch(r"\d+\.\d+\.\d+", text) is not None,
        "schema": lambda text: re.fullmatch(r"\d{4}", text) is not None,
    }


# ------------------------------------------------------------------------------------------------------------ alarms


def _blocks() -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


async def test_every_alarm_is_about_what_a_running_service_tells(measured: Runtime, caller: httpx2.AsyncClient) -> None:
    await use_everything(measured, caller)
    told: dict[str, set[str]] = {"up": set()}
    values: set[tuple[str, str]] = set()
    for family in (await families(caller)).values():
        for sample in family.samples:
            told.setdefault(sample.name, set()).update(sample.labels)
            values.update(sample.labels.items())
    rules = [rule for group in yaml.safe_load(_blocks()[1])["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) >= 15
    for rule in rules:
        used = re.findall(r"\b(up|bonafide_\w+|process_\w+)(?:\{([^}]*)\})?", rule["expr"])
        assert used, rule
        for name, selector in used:
            assert name in told, (rule["alert"], name)
            pairs = re.findall(r"(\w+)(=~|!=|=)\"([^\"]*)\"", selector)
            assert {label for label, _, _ in pairs} - OF_THE_SCRAPE <= told[name], (rule["alert"], name)
        grouped = {label.strip() for labels in re.findall(r"by \(([^)]*)\)", rule["expr"]) for label in labels.split(",")}
        shown = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]))
        known = set().union(*(told[name] for name, _ in used)) | OF_THE_SCRAPE
        assert (grouped | shown) <= known, rule["alert"]
        assert {("route", text) for text in re.findall(r"route=\"([^\"]*)\"", rule["expr"])} <= values


async def test_every_alarm_has_its_line_of_what_to_do_and_every_metric_its_meaning(caller: httpx2.AsyncClient) -> None:
    page = PAGE.read_text("utf-8")
    for alarm in re.findall(r"- alert: (\w+)", page):
        assert f"\n| {alarm} | " in page, alarm
    table = page[page.index("| Metric |") : page.index("## Alerts")]
    names = set(re.findall(r"# TYPE (bonafide_\w+) ", (await caller.get("/metrics")).text))
    documented = {
        name for name in names if f"`{name}`" in table or f"`{name}_total`" in table or f"`…_{name.rpartition('_')[2]}`" in table
    }
    assert {name for name in names - documented if not name.endswith("_created")} == set()


def test_prometheus_itself_takes_the_rules(tmp_path: Path, database_url: str) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed")
    rules = tmp_path / "alarms.yml"
    rules.write_text(_blocks()[1], encoding="utf-8")
    subprocess.run([promtool, "check", "rules", rules], check=True)  # noqa: S603 - found above


# ------------------------------------------------------------------------------------------------------------ numbers


async def test_the_queue_is_told_as_the_database_has_it(measured: Runtime, caller: httpx2.AsyncClient, clock: ManualClock) -> None:
    await caller.post("/v1/search", json={"name": NAMES[1]}, headers={"Prefer": "respond-async"})
    organization_id = (await _a_job(measured)).organization_id
    async with measured.store.write() as connection:
        await jobs.enqueue(connection, organization_id, NewJob("of-tomorrow", "a", "", measured.clock(), 1))
    clock.move(seconds=7)
    found = await families(caller)
    assert value(found, "bonafide_jobs", kind="search", state="queued") == 1
    assert value(found, "bonafide_jobs", kind="other", state="queued") == 1
    assert value(found, "bonafide_oldest_due_job_seconds") == 7
    assert await work_once(measured, "worker")
    found = await families(caller)
    assert value(found, "bonafide_jobs", kind="search", state="queued") == 0
    assert value(found, "bonafide_job_seconds_count", kind="search", outcome="done") == 1


async def _a_job(runtime: Runtime) -> jobs.Job:
    """The job that is there, claimed and given back."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        job = await jobs.claim(connection, "looker", now, timedelta(seconds=1), JOB_KINDS)
        assert job is not None
        await jobs.release_all(connection, "looker", now)
    return job


async def test_a_job_that_died_is_told_for_a_while(measured: Runtime, caller: httpx2.AsyncClient, clock: ManualClock) -> None:
    await caller.post("/v1/search", json={"name": NAMES[1]}, headers={"Prefer": "respond-async"})
    await _a_job(measured)
    async with measured.store.write() as connection:
        job = await jobs.claim(connection, "clumsy", measured.clock(), timedelta(seconds=1), JOB_KINDS)
        assert job is not None
        await jobs.fail(connection, job, measured.clock(), "ValueError", retryable=False)
    assert value(await families(caller), "bonafide_dead_jobs") == 1
    clock.move(minutes=16)
    assert value(await families(caller), "bonafide_dead_jobs") == 0


async def test_a_database_that_is_away_leaves_no_old_answer(measured: Runtime, caller: httpx2.AsyncClient) -> None:
    found = await families(caller)
    assert (value(found, "bonafide_database_up"), value(found, "bonafide_build")) == (1, 1)
    await measured.store.close()
    found = await families(caller)
    assert value(found, "bonafide_database_up") == 0
    assert found["bonafide_jobs"].samples == []
    for name in FROM_DATABASE:
        assert math.isnan(value(found, name)), name


async def test_memories_are_counted_by_hit_and_miss(measured: Runtime, caller: httpx2.AsyncClient) -> None:
    await use_everything(measured, caller)
    search_id = (await caller.post("/v1/search", json={"name": NAMES[1]})).json()["meta"]["searchId"]
    for _ in range(2):
        assert (await caller.post("/v1/pdf", json={"searchId": search_id})).is_success
    found = await families(caller)
    counted = {
        (cache, outcome): value(found, "bonafide_cache_requests_total", cache=cache, outcome=outcome)
        for cache in ("api_key", "pdf", "screening_roll")
        for outcome in ("hit",)
    }
    assert min(counted.values()) >= 1
    assert value(found, "bonafide_cache_requests_total", cache="pdf", outcome="miss") == 1
    assert value(found, "bonafide_pdf_render_seconds_count") == 1
    assert value(found, "bonafide_http_requests_in_flight") == 1


async def test_the_index_is_told_as_this_process_reads_it(measured: Runtime, caller: httpx2.AsyncClient) -> None:
    await caller.post("/v1/search", json={"name": NAMES[1]})
    found = await families(caller)
    (generation,) = {measured.generations[World.SANDBOX].current("on")}
    assert generation is not None
    here = {"world": "sandbox", "source": "on"}
    assert value(found, "bonafide_index_entries", **here) == len(generation.index)
    assert value(found, "bonafide_index_generation", **here) == 1
    assert value(found, "bonafide_index_bytes", **here) > 10_000
    assert value(found, "bonafide_source_stale", **here) in {0, 1}


def test_measuring_costs_a_few_microseconds_a_request(database_url: str, record_property: Callable[[str, object], None]) -> None:
    metrics = Metrics()

    def request() -> None:
        metrics.gauges.requests_in_flight += 1
        metrics.count_cache("api_key", hit=True)
        metrics.observe_transaction("read", 0.0001, 0.001)
        metrics.observe_request("GET", "/v1/search/{id}", 200, 0.0021)
        metrics.gauges.requests_in_flight -= 1

    rounds = 10_000
    cost_us = min(repeat(request, number=rounds, repeat=3)) / rounds * 1e6
    record_property(FIGURES, f"measuring a request with one transaction: {cost_us:.1f} us")
