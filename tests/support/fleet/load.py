"""Clients of a fleet, as they should be: what fails is sent again, to the other node, under the same idempotency key.

They run in a thread of their own, each kind of request one after another, and write down what they are answered.
"""

import asyncio
import hashlib
import json
import random
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx2

from tests.support.api.responses import without_signed_urls
from tests.support.fleet.journal import Attempt, Journal, Record, Success
from tests.support.waiting import TIMEOUT_S

NAME, FOUND = "Sandbox Bakery", "Sandbox Bakery Inc."
SLOW = {"legalName": "Sandbox Slow Registry Inc.", "jurisdiction": "BC", "registrationNumber": "BC1000033"}
FAILING = {"legalName": "Sandbox Failing Registry Inc.", "jurisdiction": "AB", "registrationNumber": "2010000041"}
PAUSE_S = 0.15
"""Before a request is sent again, and between two looks at what is under way."""
UNANSWERED = httpx2.Response(503)
KINDS = ("search", "search later", "read", "verify", "upsert", "select", "print", "limit")
LIMIT = 5
RECORDS = 2


class Client:
    """Sends each request until it is answered for good, to one node after the other."""

    def __init__(self, nodes: tuple[str, str], key: str, journal: Journal) -> None:
        self.nodes, self.journal = nodes, journal
        self._turn = count(random.randrange(2))  # noqa: S311 - which node is first
        self._http = httpx2.AsyncClient(headers={"X-API-Key": key}, timeout=TIMEOUT_S)

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def once(self, kind: str, method: str, path: str, **more: Any) -> httpx2.Response:
        """One request to the node whose turn it is; a 503 where there was no answer."""
        node, sent_at = next(self._turn) % 2, monotonic()
        try:
            answer = await self._http.request(method, self.nodes[node] + path, **more)
            status = answer.status_code
        except httpx2.TransportError:
            answer, status = UNANSWERED, 0
        self.journal.attempts.append(Attempt(kind, sent_at, monotonic(), status, node))
        if status >= 500 and status != 503:
            self.journal.wrong.append(f"{kind}: {method} {path} was answered with {status}: {answer.text[:200]}")
        return answer

    async def until_answered(self, kind: str, method: str, path: str, **more: Any) -> httpx2.Response:
        """The answer, after however many attempts."""
        headers = dict(more.pop("headers", {}))
        if method == "POST":
            headers["Idempotency-Key"] = uuid4().hex
        while True:
            answer = await self.once(kind, method, path, headers=headers, **more)
            if answer.status_code < 500 and answer.status_code != 429 and not _is_under_way(answer):
                break
            await asyncio.sleep(PAUSE_S)
        if not answer.is_success:
            self.journal.wrong.append(f"{kind}: {method} {path} was answered with {answer.status_code}: {answer.text[:200]}")
        return answer


def _is_under_way(answer: httpx2.Response) -> bool:
    """Whether the request that was sent before, under the same key, is not over."""
    return answer.status_code == 409 and "still in progress" in answer.text


class Load:
    """All kinds of requests, again and again, until it is told to stop."""

    def __init__(self, nodes: tuple[str, str], key: str, limited_key: str) -> None:
        self.journal = Journal()
        self._nodes, self._keys = nodes, (key, limited_key)
        self._enough = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    @contextmanager
    def running(self) -> Iterator[None]:
        """It runs while the block does."""
        self._thread.start()
        try:
            yield
        finally:
            self.stop()

    def stop(self) -> None:
        """Begin nothing new, and wait for what is under way."""
        self._enough.set()
        self._thread.join()

    async def _run(self) -> None:
        client, limited = (Client(self._nodes, key, self.journal) for key in self._keys)
        self._client, self._limited = client, limited
        await asyncio.gather(
            self._again_and_again("search", self._search, 1.0),
            self._again_and_again("search later", self._search_later, 1.0),
            self._again_and_again("read", self._read, 0.4),
            self._again_and_again("verify", self._verify(SLOW, "completed"), 1.0),
            self._again_and_again("verify", self._verify(FAILING, "failed"), 1.0),
            *(self._again_and_again("upsert", self._upsert(f"record-{number}"), 0.6) for number in range(RECORDS)),
            self._again_and_again("select", self._select, 1.0),
            self._again_and_again("print", self._print, 1.0),
            self._again_and_again("limit", self._probe, 0.3),
        )
        await client.close()
        await limited.close()

    async def _again_and_again(self, kind: str, act: Callable[[], Awaitable[bool]], pause_s: float) -> None:
        while not self._enough.is_set():
            began_at = monotonic()
            try:
                if await act():
                    self.journal.successes.append(Success(kind, began_at, monotonic()))
            except Exception as error:  # noqa: BLE001 - the test tells of it, and this kind goes on
                self.journal.wrong.append(f"{kind}: {error!r}")
            await asyncio.sleep(pause_s)

    async def _search(self) -> bool:
        answer = await self._client.until_answered("search", "POST", "/v1/search", json={"name": NAME})
        document = answer.json()
        self.journal.searches.setdefault(document["meta"]["searchId"], answer.content)
        self._look_over(document)
        return True

    def _look_over(self, document: dict[str, Any]) -> None:
        """Nothing found and nobody could look are never the same."""
        errors = document.get("errors") or {}
        found = [match["legalName"]["name"] for match in document["businesses"]]
        if FOUND not in found and "businessRegistry" not in errors and "general" not in errors:
            self.journal.wrong.append(f"search {document['meta']['searchId']} found nothing, and says nothing of an error")

    async def _search_later(self) -> bool:
        later = {"Prefer": "respond-async"}
        answer = await self._client.until_answered("search later", "POST", "/v1/search", json={"name": NAME}, headers=later)
        search_id = answer.json()["meta"]["searchId"]
        self.journal.later.add(search_id)
        await self.finished_search(search_id)
        return True

    async def finished_search(self, search_id: str) -> None:
        """Poll until it is over."""
        while True:
            answer = await self._client.until_answered("search later", "GET", f"/v1/search/{search_id}")
            if answer.json()["meta"]["status"] != "loading":
                self.journal.searches.setdefault(search_id, answer.content)
                self._look_over(answer.json())
                return
            await asyncio.sleep(PAUSE_S)

    async def _read(self) -> bool:
        known = list(self.journal.searches)
        if not known:
            return False
        search_id = random.choice(known)  # noqa: S311 - a sample
        answer = await self._client.until_answered("read", "GET", f"/v1/search/{search_id}")
        if without_signed_urls(answer.content) != without_signed_urls(self.journal.searches[search_id]):
            self.journal.wrong.append(f"search {search_id} was answered with other bytes")
        return True

    def _verify(self, claim: dict[str, str], ending: str) -> Callable[[], Awaitable[bool]]:
        async def verify() -> bool:
            record = self.journal.records.get("record-0")
            named = {"businessId": record.business_id} if record is not None and record.business_id else {}
            answer = await self._client.until_answered("verify", "POST", "/v1/verify", json={**claim, **named, "maxAge": 0})
            body = answer.json()
            if answer.status_code != 202:
                return True
            verification_id = body["reportFetchId"]
            self.journal.accepted[verification_id] = ending
            while body.get("pending"):
                await asyncio.sleep(PAUSE_S)
                answer = await self._client.until_answered("verify", "GET", f"/v1/verify/{verification_id}")
                body = answer.json()
            self.journal.verifications[verification_id] = answer.content
            if named and ending == "completed":
                self.journal.noted.add(verification_id)
            if (body.get("status") == "failed") != (ending == "failed"):
                self.journal.wrong.append(f"verification {verification_id} of {claim['legalName']} ended so: {answer.text[:200]}")
            return True

        return verify

    def _upsert(self, external_id: str) -> Callable[[], Awaitable[bool]]:
        record = self.journal.records.setdefault(external_id, Record())

        async def upsert() -> bool:
            record.attempted += 1
            method = "POST" if record.attempted % 2 else "PUT"
            body = {"externalId": external_id, "name": f"Fleet {external_id}", "jurisdiction": "BC", "notes": str(record.attempted)}
            answer = await self._client.until_answered("upsert", method, "/v1/businesses", json=body)
            business = answer.json()["business"]
            if business["notes"] != str(record.attempted) or record.business_id not in {"", business["id"]}:
                self.journal.wrong.append(f"{external_id}: {record.attempted} was acknowledged as {business['notes']}")
            record.business_id = business["id"]
            record.acknowledged.append(record.attempted)
            return True

        return upsert

    async def _select(self) -> bool:
        answer = await self._client.until_answered("select", "POST", "/v1/search", json={"name": NAME, "matchSelection": True})
        document = answer.json()
        if not document["businesses"]:
            return False
        search_id, match = document["meta"]["searchId"], document["businesses"][0]["matchId"]
        chosen = await self._client.until_answered("select", "POST", f"/v1/search/{search_id}/selection", json={"matchId": match})
        if chosen.is_success:
            self.journal.selections[search_id] = match
        return True

    async def _print(self) -> bool:
        known = list(self.journal.searches)
        if not known:
            return False
        search_id = known[-1]  # the newest: what was printed before is only read
        if json.loads(self.journal.searches[search_id])["meta"]["status"] == "error":
            return False
        answer = await self._client.until_answered("print", "POST", "/v1/pdf", json={"searchId": search_id})
        document = answer.json()
        before = self.journal.prints.setdefault(search_id, document["sha256"])
        if before != document["sha256"]:
            self.journal.wrong.append(f"search {search_id} was printed twice, and not alike")
        page = await self._client.until_answered("print", "GET", urlsplit(document["url"]).path)
        if hashlib.sha256(page.content).hexdigest() != document["sha256"]:
            self.journal.wrong.append(f"the PDF of search {search_id} is not what was said")
        return True

    async def _probe(self) -> bool:
        answer = await self._limited.once("limit", "GET", "/v1/businesses?limit=1")
        if answer.status_code in {200, 429}:
            ends = int(answer.headers["X-RateLimit-Reset"])
            self.journal.passes[ends][answer.status_code] += 1
            self.journal.probed_at[ends].append(monotonic())
        return answer.status_code in {200, 429}
