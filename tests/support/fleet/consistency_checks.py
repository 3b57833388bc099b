"""What a fleet has promised, held against what it says afterwards. Each function names what was not kept."""

from collections import Counter
from typing import Any

import httpx2

from tests.support.api.responses import without_signed_urls
from tests.support.fleet.journal import Record
from tests.support.fleet.load import LIMIT
from tests.support.fleet.local_fleet import WINDOW_S, Fleet
from tests.support.waiting import TIMEOUT_S

PAGE = 100


class Promises:
    """All that was acknowledged to the load of a fleet."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet, self.journal = fleet, fleet.journal
        headers = {"X-API-Key": fleet.keys[0]}
        self._nodes = [httpx2.Client(base_url=machine.node.url, headers=headers, timeout=TIMEOUT_S) for machine in fleet.machines]

    def close(self) -> None:
        """Close its connections."""
        for node in self._nodes:
            node.close()

    def _one(self, path: str) -> dict[str, Any]:
        document: dict[str, Any] = self._nodes[0].get(path).raise_for_status().json()
        return document

    def lost_searches(self) -> list[str]:
        """Searches that are not what they were."""
        return [key for key, body in self.journal.searches.items() if self._differs(f"/v1/search/{key}", body)]

    def _differs(self, path: str, body: bytes) -> bool:
        expected = without_signed_urls(body)
        return any(without_signed_urls(node.get(path).raise_for_status().content) != expected for node in self._nodes)

    def unfinished_orders(self) -> list[str]:
        """Searches that were ordered while workers died, and have not come to an end."""
        return [key for key in self._fleet.ordered if self._one(f"/v1/search/{key}")["meta"]["status"] == "loading"]

    def lost_selections(self) -> list[str]:
        """Searches of which another match is selected than was chosen."""
        return [
            key
            for key, match in self.journal.selections.items()
            if self._one(f"/v1/search/{key}")["matchSelection"]["selectedMatchId"] != match
        ]

    def lost_prints(self) -> list[str]:
        """Searches that are printed otherwise now."""
        return [key for key, digest in self.journal.prints.items() if self._printed(key)["sha256"] != digest]

    def _printed(self, search_id: str) -> dict[str, Any]:
        document: dict[str, Any] = self._nodes[1].post("/v1/pdf", json={"searchId": search_id}).raise_for_status().json()
        return document

    def lost_verifications(self) -> list[str]:
        """Verifications that have another end than they had."""
        return [key for key, body in self.journal.verifications.items() if self._differs(f"/v1/verify/{key}", body)]

    def notes_of_verifications(self) -> dict[str, int]:
        """How often each was noted in the record's trail."""
        entries = self._trail(self.journal.records["record-0"])
        return dict(Counter(str(entry["new"]) for entry in entries if entry["field"] == "latestVerificationId"))

    def changes_of(self, record: Record) -> list[str]:
        """What a record's counter was changed to, in order."""
        return [str(entry["new"]) for entry in self._trail(record) if entry["field"] == "notes"]

    def kept(self, external_id: str) -> str:
        """What a record's counter is."""
        found = self._one(f"/v1/businesses?externalId={external_id}")["businesses"]
        return ",".join(str(record["notes"]) for record in found)

    def _trail(self, record: Record) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = []
        while True:
            page = self._one(f"/v1/businesses/{record.business_id}/audit?limit={PAGE}&offset={len(entries)}")
            entries += page["entries"]
            if not page["pagination"]["hasMore"]:
                return entries

    def feed(self) -> list[dict[str, Any]]:
        """The change feed, two records at a time."""
        records: list[dict[str, Any]] = []
        path = "/v1/businesses?limit=2"
        while True:
            page = self._one(path)
            records += page["businesses"]
            if not page["pagination"]["hasMore"]:
                return records
            path = f"/v1/businesses?limit=2&cursor={page['cursor']['next']}"

    def windows_over_the_limit(self) -> dict[int, int]:
        """The windows in which the key with a small limit got through too often, though Valkey was there all the time."""
        over = {ends: statuses[200] for ends, statuses in self.journal.passes.items() if statuses[200] > LIMIT}
        return {ends: passed for ends, passed in over.items() if not self._was_alone(ends)}

    def _was_alone(self, ends: int) -> bool:
        """Whether Valkey was away in the window, or the one before it."""
        moments = self.journal.probed_at[ends]
        return any(
            began - WINDOW_S <= moment <= ended + WINDOW_S for moment in moments for began, ended in self._fleet.valkey_was_away
        )

    def figures(self) -> str:
        """The table, and how much was promised."""
        journal = self.journal
        promised = {
            "searches": len(journal.searches),
            "of them by workers": len(journal.later),
            "verifications": len(journal.accepted),
            "changes of records": sum(len(record.acknowledged) for record in journal.records.values()),
            "selections": len(journal.selections),
            "PDFs": len(journal.prints),
            "requests": len(journal.attempts),
            "sent again": sum(attempt.is_refused for attempt in journal.attempts),
        }
        told = ", ".join(f"{count} {what}" for what, count in promised.items())
        return f"{self._fleet.table()}\nAcknowledged and found again: {told}"
