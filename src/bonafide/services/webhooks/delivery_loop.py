"""Send due deliveries: a loop of the worker that leases endpoints, and a task for each of them that sends its deliveries.

One worker at a time sends the deliveries of an endpoint, several at once. Each endpoint may always send a few; whatever it sends
beyond these counts towards the limits of its organization and of the process. So an endpoint that does not respond delays no other.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from time import monotonic
from uuid import UUID

from bonafide.errors import BonafideError
from bonafide.i18n.language import Language
from bonafide.model.events.event import Event
from bonafide.model.webhooks import DeliveryAttempt, DeliveryError, EndpointConfiguration, WebhookKind
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.events.feed import to_event
from bonafide.services.webhooks.attempts import AttemptResult
from bonafide.services.webhooks.messages import ComposeChatMessage, build_standard_body, determine_language
from bonafide.services.webhooks.result_writer import ResultWriter
from bonafide.services.webhooks.secret_encryption import decrypt_secret
from bonafide.services.webhooks.signatures import ID, build_signed_headers
from bonafide.services.webhooks.webhook_client import WebhookClient, WebhookRequest
from bonafide.store.records import events
from bonafide.store.records.webhook_endpoints import StoredWebhookEndpoint
from bonafide.store.work import webhook_deliveries
from bonafide.store.work.webhook_deliveries import EndpointReference, StoredDelivery

LEASE = timedelta(seconds=8)
"""How long the deliveries of an endpoint wait after their worker was killed; a running worker renews its leases in time."""
RENEW_EVERY_S = 2.5
CHECK_EVERY_S = 1.0
"""Between two looks for due deliveries without a notification: those of a worker that has died, and on a pooled database."""
SHORTEST_PAUSE_S = 0.02
PROGRESS_TIMEOUT_S = 0.5
RETRY_AFTER_S = 1.0
"""After the database was unavailable."""
MAX_ENDPOINTS = 256
"""Endpoints whose deliveries this process sends at once. When there are more, each has its turn."""
TURN_S = 5.0
"""How long an endpoint is served while others wait for their turn."""
RESERVED = 2
"""Deliveries to one endpoint that may always be under way at once, and the most to an endpoint whose last attempt has failed."""
UNTRIED_LIMIT, ENDPOINT_LIMIT = 6, 16
"""Deliveries to one endpoint under way at once: until it has responded quickly, and after that."""
QUICK_MS = 1000
MAX_UNSTORED = 500
"""Deliveries to one endpoint whose result is not stored yet."""
ORGANIZATION_LIMIT, PROCESS_LIMIT = 48, 384
"""Deliveries under way at once, those that are reserved aside."""
BATCH = 100
"""Deliveries of one endpoint that are read at once."""
_log = get_logger(__name__)


@dataclass(slots=True)
class _DeliveryCount:
    """Deliveries under way beyond those that are reserved, of one organization or of the process."""

    limit: int
    under_way: int = 0
    endpoints: int = 0
    """Endpoints that are served."""


@dataclass(frozen=True, slots=True)
class _DueBatch:
    """Due deliveries of an endpoint with their events, and what is needed to send them."""

    endpoint: StoredWebhookEndpoint
    configuration: EndpointConfiguration
    secrets: tuple[str, ...] | None
    """Those that sign; None if they can't be decrypted."""
    language: Language
    deliveries: list[tuple[StoredDelivery, Event]]


@dataclass(slots=True)
class _EndpointState:
    """The state of the deliveries to one endpoint that a task has begun."""

    is_failing: bool = False
    is_quick: bool = False
    """Whether the last attempt was responded to quickly."""
    is_gone: bool = False
    """Whether the endpoint has returned 410."""
    sending: int = 0
    unstored: set[int] = field(default_factory=set)
    """The numbers of the deliveries that are sent, or whose result is not stored yet."""
    progress: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a delivery has been sent or its result has been stored."""

    @property
    def limit(self) -> int:
        """How many deliveries may be under way."""
        if self.is_failing:
            return RESERVED
        return ENDPOINT_LIMIT if self.is_quick else UNTRIED_LIMIT

    def update(self, attempt: DeliveryAttempt) -> None:
        """Set what follows from an attempt."""
        self.is_failing = attempt.error is not None
        self.is_quick = attempt.duration_ms <= QUICK_MS
        self.is_gone = self.is_gone or attempt.status == HTTPStatus.GONE


async def run_delivery_loop(runtime: Runtime, worker: str, compose: ComposeChatMessage) -> None:
    """Send deliveries as they are due, until cancelled. Leases are then released, and deliveries under way are sent again."""
    client = WebhookClient(runtime.settings, runtime.clock)
    try:
        await DeliveryLoop(runtime, worker, compose, client).run()
    finally:
        await client.close()
        with suppress(BonafideError):  # the database is unavailable: the leases expire
            async with runtime.store.write() as connection:
                await webhook_deliveries.release_all(connection, worker)


class DeliveryLoop:
    """The deliveries that one worker sends. `worker` is its name, which no other worker has."""

    def __init__(self, runtime: Runtime, worker: str, compose: ComposeChatMessage, client: WebhookClient) -> None:
        self._runtime = runtime
        self._worker = worker
        self._compose = compose
        self._client = client
        self._results = ResultWriter(runtime)
        self._active: set[EndpointReference] = set()
        self._organizations: dict[UUID, _DeliveryCount] = {}
        self._process = _DeliveryCount(PROCESS_LIMIT)

    async def run(self) -> None:
        """Send deliveries until cancelled."""
        async with asyncio.TaskGroup() as tasks, self._runtime.store.listen(webhook_deliveries.CHANNEL) as changes:
            tasks.create_task(self._results.run())
            tasks.create_task(self._renew_loop())

            def end(_: asyncio.Task[None]) -> None:
                changes.wake()  # deliveries may have been created while the lease ended

            while True:
                try:
                    pause_s = await self._compute_pause_s()
                    claimed = await self._claim() if pause_s <= 0 else []
                except BonafideError as error:
                    _log.warning("database.unavailable", problem=error.message)
                    pause_s, claimed = RETRY_AFTER_S, []
                for endpoint in claimed:
                    tasks.create_task(self._serve_endpoint(endpoint)).add_done_callback(end)
                if not claimed:
                    await changes.wait(max(pause_s, SHORTEST_PAUSE_S))

    async def _compute_pause_s(self) -> float:
        """Compute how many seconds there is nothing to claim unless a change is notified: 0 or less when an endpoint is due."""
        if len(self._active) >= MAX_ENDPOINTS:
            return CHECK_EVERY_S
        now = self._runtime.clock()
        due_at = await webhook_deliveries.find_next_due(self._runtime.store, now, now + timedelta(seconds=CHECK_EVERY_S))
        return CHECK_EVERY_S if due_at is None else (due_at - now).total_seconds()

    async def send_due(self) -> int:
        """Send what is due now, and return the number of endpoints that had due deliveries. Raises `ServerBusy`."""
        storing = asyncio.create_task(self._results.run())
        try:
            claimed = await self._claim()
            await asyncio.gather(*(self._serve_endpoint(endpoint) for endpoint in claimed))
        finally:
            storing.cancel()
            await asyncio.wait([storing])
        return len(claimed)

    async def _claim(self) -> list[EndpointReference]:
        """Lease endpoints with due deliveries. One that this process still serves, although its lease had ended, is left out."""
        now, free = self._runtime.clock(), MAX_ENDPOINTS - len(self._active)
        # Not durable: a lease that is lost in a power failure has no worker any more.
        async with self._runtime.store.write(durable=False) as connection:
            leased = await webhook_deliveries.claim_endpoints(connection, self._worker, now, LEASE, free)
        claimed = [endpoint for endpoint in leased if endpoint not in self._active]
        self._active.update(claimed)
        return claimed

    async def _renew_loop(self) -> None:
        while True:
            await asyncio.sleep(RENEW_EVERY_S)
            if self._active:
                with suppress(BonafideError):  # the database is unavailable: a lease outlasts two renewals
                    async with self._runtime.store.write(durable=False) as connection:
                        await webhook_deliveries.renew_leases(connection, self._worker, self._runtime.clock(), LEASE)

    async def _serve_endpoint(self, endpoint: EndpointReference) -> None:
        """Send the due deliveries of an endpoint, and release it when none is left."""
        try:
            with self._count_endpoint(endpoint.organization_id) as organization:
                await self._send_all_due(endpoint, organization)
        except Exception:  # noqa: BLE001 - one bad endpoint must not stop the worker; the log has the traceback
            _log.exception("webhook_endpoint.failed", organization=str(endpoint.organization_id), endpoint=str(endpoint.id))
            await asyncio.sleep(RETRY_AFTER_S)
        finally:
            self._active.discard(endpoint)
        with suppress(BonafideError):  # the database is unavailable: the lease expires
            async with self._runtime.store.write(durable=False) as connection:
                await webhook_deliveries.release_endpoint(connection, endpoint, self._worker, self._runtime.clock())

    @contextmanager
    def _count_endpoint(self, organization_id: UUID) -> Iterator[_DeliveryCount]:
        """The deliveries of the organization, counted as long as one of its endpoints is served."""
        count = self._organizations.setdefault(organization_id, _DeliveryCount(ORGANIZATION_LIMIT))
        count.endpoints += 1
        try:
            yield count
        finally:
            count.endpoints -= 1
            if count.endpoints == 0:
                del self._organizations[organization_id]

    async def _send_all_due(self, endpoint: EndpointReference, organization: _DeliveryCount) -> None:
        state, until = _EndpointState(), monotonic() + TURN_S
        async with asyncio.TaskGroup() as sending:
            while True:
                if len(self._active) >= MAX_ENDPOINTS and monotonic() > until:
                    return  # what is under way is awaited
                batch = await self._load_due(endpoint, frozenset(state.unstored))
                if batch is None:
                    return
                if not state.unstored:
                    state.is_failing = batch.endpoint.failing_since is not None
                if not batch.deliveries:
                    if not state.unstored:
                        return
                    await _wait_for_progress(state)
                for delivery, event in batch.deliveries:
                    while (counts := self._take_slot(state, organization)) is None:
                        await _wait_for_progress(state)
                    if state.is_gone:
                        _free_slot(state, counts)
                        return
                    state.unstored.add(delivery.number)
                    sending.create_task(self._deliver(endpoint, state, counts, batch, (delivery, event)))

    def _take_slot(self, state: _EndpointState, organization: _DeliveryCount) -> tuple[_DeliveryCount, ...] | None:
        """Count another delivery: returns the counts that it is part of, or None if it may not begin yet."""
        if state.sending >= state.limit or len(state.unstored) >= MAX_UNSTORED:
            return None
        counts = () if state.sending < RESERVED else (organization, self._process)
        if any(count.under_way >= count.limit for count in counts):
            return None
        state.sending += 1
        for count in counts:
            count.under_way += 1
        return counts

    async def _load_due(self, endpoint: EndpointReference, unstored: frozenset[int]) -> _DueBatch | None:
        """The next due deliveries; None if this worker has lost the lease, or if the endpoint is disabled or deleted.

        `unstored` are those that had been sent without a stored result before this reads: what it reads may be older than results
        that are stored meanwhile.
        """
        now = self._runtime.clock()
        async with self._runtime.store.read() as connection:
            row = await webhook_deliveries.get_leased(connection, endpoint, self._worker)
            if row is None:
                return None
            found = await webhook_deliveries.list_due(connection, endpoint, now, BATCH + len(unstored))
            due = [delivery for delivery in found if delivery.number not in unstored]
            sequences = {delivery.sequence for delivery in due}
            stored = await events.list_numbered(connection, endpoint.organization_id, sequences) if due else []
            configuration = EndpointConfiguration.model_validate_json(row.document)
            language = Language.ENGLISH
            if due and configuration.kind is WebhookKind.SLACK:
                language = await determine_language(connection, endpoint.organization_id)
        by_sequence = {event.sequence: to_event(event) for event in stored}
        if len(by_sequence) < len(sequences):
            # Deliveries may be created of events that are being deleted, by retention or an erasure.
            async with self._runtime.store.write() as connection:
                await webhook_deliveries.drop(connection, endpoint, sequences - by_sequence.keys())
        deliveries = [(delivery, by_sequence[delivery.sequence]) for delivery in due if delivery.sequence in by_sequence]
        return _DueBatch(row, configuration, self._decrypt_secrets(endpoint, row, now), language, deliveries)

    def _decrypt_secrets(self, endpoint: EndpointReference, row: StoredWebhookEndpoint, now: datetime) -> tuple[str, ...] | None:
        """The secrets that sign now, the newest first; None if the newest one can't be decrypted."""
        encrypted = [row.secret] if row.secret is not None else []
        expires_at = row.previous_secret_expires_at
        if row.previous_secret is not None and expires_at is not None and expires_at > now:
            encrypted.append(row.previous_secret)
        key = self._runtime.signing_key
        decrypted = [decrypt_secret(key, endpoint.organization_id, endpoint.id, one) for one in encrypted]
        if decrypted and decrypted[0] is None:
            return None
        return tuple(secret for secret in decrypted if secret is not None)

    async def _deliver(
        self,
        endpoint: EndpointReference,
        state: _EndpointState,
        counts: tuple[_DeliveryCount, ...],
        batch: _DueBatch,
        due: tuple[StoredDelivery, Event],
    ) -> None:
        """Attempt a delivery and store the result."""
        delivery, event = due
        try:
            try:
                attempt = await self._attempt(batch, event)
                state.update(attempt)
            finally:
                _free_slot(state, counts)
                state.progress.set()
            await self._results.store(AttemptResult(endpoint, delivery, attempt))
        finally:
            state.unstored.discard(delivery.number)
            state.progress.set()

    async def _attempt(self, batch: _DueBatch, event: Event) -> DeliveryAttempt:
        if batch.secrets is None:
            error = DeliveryError.SECRET_UNREADABLE
            return DeliveryAttempt(at=self._runtime.clock(), status=None, duration_ms=0, error=error, response_start=None)
        if batch.configuration.kind is WebhookKind.SLACK:
            body = self._compose_message(event, batch.language)
            headers = {ID: str(event.id)}
        else:
            body = build_standard_body(event)
            headers = build_signed_headers(str(event.id), int(self._runtime.clock().timestamp()), body, batch.secrets)
        return await self._client.send(WebhookRequest(batch.configuration.url, headers, body))

    def _compose_message(self, event: Event, language: Language) -> bytes:
        try:
            return self._compose(event, self._runtime.settings.base_url, language)
        except Exception:  # noqa: BLE001 - an event that can't be described is announced by its type; the log has the traceback
            _log.exception("chat_message.failed", event_type=event.type)
            return json.dumps({"text": event.type}).encode()


def _free_slot(state: _EndpointState, counts: tuple[_DeliveryCount, ...]) -> None:
    state.sending -= 1
    for count in counts:
        count.under_way -= 1


async def _wait_for_progress(state: _EndpointState) -> None:
    """Return when a delivery has ended, and at the latest when it is time to look for further due ones."""
    state.progress.clear()
    with suppress(TimeoutError):
        async with asyncio.timeout(PROGRESS_TIMEOUT_S):
            await state.progress.wait()
