"""Screenings and dismissed hits on the wire: one test for each rule of the contract."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx2
import pytest
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.model.screening.requests import SOURCE_COUNTS
from bonafide.runtime import Runtime
from tests.support.api.clients import ManualClock, NewClient, NewKey
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio
LISTED = "Sandbox Sanctioned Trading Ltd."
SEMA = "ca-sanctions-autonomous"
PATH = "/v1/sanctions"
DISMISSALS = f"{PATH}/dismissals"
UNKNOWN_ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"


class TestWithoutLists:
    """What a request may say: nothing needs to be loaded for that."""

    @pytest.mark.parametrize("body", [{"query": "Jordan Sample"}, {"name": "Jordan Sample"}])
    async def test_the_name_has_two_spellings(self, north: httpx2.AsyncClient, body: dict[str, Any]) -> None:
        answer = await north.post(PATH, json=body)
        assert answer.status_code == 200
        assert answer.json()["meta"]["submitted"]["query"] == "Jordan Sample"

    @pytest.mark.parametrize("field", ["threshold", "sanctionsThreshold"])
    async def test_so_has_the_threshold(self, north: httpx2.AsyncClient, field: str) -> None:
        answer = await north.post(PATH, json={"query": "Jordan Sample", field: 0.9})
        assert answer.json()["meta"]["submitted"]["threshold"] == 0.9

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({}, "query"),
            ({"query": None}, "query"),
            ({"query": "..."}, "query"),
            ({"query": "A B", "name": "A B"}, "name"),
            ({"query": "A B", "threshold": 0.9, "sanctionsThreshold": 0.9}, "sanctionsThreshold"),
            ({"query": "A B", "threshold": 0.69}, "threshold"),
            ({"query": "A B", "threshold": 1.01}, "threshold"),
            ({"query": "A B", "threshold": 85}, "threshold"),
            ({"query": "A B", "sanctionsThreshold": 0.5}, "sanctionsThreshold"),
            ({"query": "A B", "source": "un"}, "source"),
            ({"query": "A B", "entityType": "ship"}, "entityType"),
            ({"query": "A B", "countries": ["CAN"]}, "countries.0"),
            ({"query": "A B", "countries": ["CA", "C1"]}, "countries.1"),
            ({"query": "A B", "countries": ["ZZ"]}, "countries.0"),
            ({"query": "A B", "countries": []}, "countries"),
            ({"query": "A B", "sources": ["no-such-list"]}, "sources.0"),
            ({"query": "A B", "dateOfBirth": "12.3.1961"}, "dateOfBirth"),
            ({"query": "A B", "dateOfBirth": "1961-02-30"}, "dateOfBirth"),
            ({"query": "A B", "dateOfBirth": "19610302"}, "dateOfBirth"),
            ({"query": "A B", "typoTolerance": 3}, "typoTolerance"),
            ({"query": "A B", "typoTolerance": "1"}, "typoTolerance"),
            ({"query": "A B", "nameVariants": "yes"}, "nameVariants"),
            ({"query": "A B", "dateofbirth": "1961"}, "dateofbirth"),
            ({"query": "A B", "businessId": "7"}, "businessId"),
            ({"query": "A B", "subjects": [{"name": "..."}]}, "subjects.0.name"),
            ({"query": "A B", "subjects": [{"name": "C D", "kind": "ship"}]}, "subjects.0.kind"),
            ({"query": "A B", "subjects": [{"name": "C D", "countries": ["ZZ"]}]}, "subjects.0.countries.0"),
            ({"query": "A B", "subjects": [{"name": "C D", "dateOfBirth": "soon"}]}, "subjects.0.dateOfBirth"),
            ({"query": "A B", "subjects": [{"name": "C D"}] * 51}, "subjects"),
        ],
    )
    @ON_SQLITE_ONLY
    async def test_what_is_not_valid_is_refused_by_its_path(
        self, north: httpx2.AsyncClient, body: dict[str, Any], path: str
    ) -> None:
        answer = await north.post(PATH, json=body)
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
        assert [problem["path"] for problem in answer.json()["details"]] == [path]

    @pytest.mark.parametrize("threshold", [0.7, 1, 1.0])
    async def test_the_ends_of_the_range_belong_to_it(self, north: httpx2.AsyncClient, threshold: float) -> None:
        assert (await north.post(PATH, json={"query": "A B", "threshold": threshold})).status_code == 200

    @pytest.mark.parametrize("source", ["official", "opensanctions"])
    async def test_both_sources_echo_what_was_sent(self, north: httpx2.AsyncClient, source: str) -> None:
        sent = {
            "query": "Jordan Sample",
            "threshold": 0.8,
            "source": source,
            "entityType": "person",
            "countries": ["CA"],
            "dateOfBirth": "1990-04",
            "typoTolerance": 2,
            "nameVariants": False,
        }
        answer = await north.post(PATH, json=sent)
        assert answer.json()["meta"]["submitted"] == {**sent, "sources": None}

    async def test_the_source_is_always_echoed(self, north: httpx2.AsyncClient) -> None:
        assert (await north.post(PATH, json={"query": "A B"})).json()["meta"]["submitted"]["source"] == "official"

    async def test_null_is_the_same_as_absent(self, north: httpx2.AsyncClient) -> None:
        sent = {"query": "A B", "source": None, "typoTolerance": None, "nameVariants": None}
        submitted = (await north.post(PATH, json=sent)).raise_for_status().json()["meta"]["submitted"]
        assert submitted == (await north.post(PATH, json={"query": "A B"})).json()["meta"]["submitted"]

    async def test_a_screening_of_nothing_is_an_error_and_not_a_clean_result(self, north: httpx2.AsyncClient) -> None:
        body = (await north.post(PATH, json={"query": "A B"})).json()
        assert (body["meta"]["status"], body["lists"], body["screening"]["totalMatches"]) == ("error", [], 0)
        assert body["errors"]["sanctionsScreening"]["code"] == "UNAVAILABLE"
        assert set(body["errors"]) == {"businessRegistry", "regulatoryRegistry", "sanctionsScreening", "websiteAnalysis", "general"}

    async def test_scopes_are_needed(self, new_client: NewClient, new_key: NewKey) -> None:
        reader = await new_client(await new_key(scopes=["sanctions:read"]))
        other = await new_client(await new_key(scopes=["search:write", "sanctions:write"]))
        assert (await reader.post(PATH, json={"query": "A B"})).json()["code"] == "UNAUTHORIZED"
        assert (await reader.get(DISMISSALS)).status_code == 200
        assert (await other.get(DISMISSALS)).json()["code"] == "UNAUTHORIZED"
        assert (await reader.delete(f"{DISMISSALS}/{UNKNOWN_ID}")).status_code == 403
        assert (await other.post(PATH, json={"query": "A B"})).status_code == 200

    async def test_a_repeated_request_gets_the_first_answer(self, north: httpx2.AsyncClient, clock: ManualClock) -> None:
        headers = {"Idempotency-Key": "screening-1"}
        first = await north.post(PATH, json={"query": "A B"}, headers=headers)
        clock.move(seconds=5)
        assert (await north.post(PATH, json={"query": "A B"}, headers=headers)).json() == first.json()

    @pytest.mark.parametrize("path", [f"{DISMISSALS}/{UNKNOWN_ID}", f"{DISMISSALS}/{UNKNOWN_ID}/audit"])
    async def test_an_unknown_dismissal_is_not_found(self, north: httpx2.AsyncClient, path: str) -> None:
        assert (await north.get(path)).json()["code"] == "NOT_FOUND"
        assert (await north.delete(f"{DISMISSALS}/{UNKNOWN_ID}")).json()["code"] == "NOT_FOUND"

    async def test_an_id_that_is_none_is_refused(self, north: httpx2.AsyncClient) -> None:
        assert (await north.get(f"{DISMISSALS}/7")).json()["code"] == "VALIDATION_ERROR"

    @pytest.mark.parametrize(
        ("change", "path"),
        [
            ({"reason": " "}, "reason"),
            ({"reason": None}, "reason"),
            ({"until": "2027-01-01"}, "until"),
            ({"until": "2020-01-01T00:00:00Z"}, "until"),
            ({"subject": {"query": "A B"}}, "subject.query"),
            ({"hit": {"source": SEMA, "entryId": "1"}}, "hit.digest"),
            ({"businessId": "7"}, "businessId"),
        ],
    )
    @ON_SQLITE_ONLY
    async def test_a_dismissal_that_is_not_valid_is_refused(
        self, north: httpx2.AsyncClient, change: dict[str, Any], path: str
    ) -> None:
        hit = {"source": SEMA, "entryId": "1", "digest": "d"}
        answer = await north.post(DISMISSALS, json={"subject": {"name": "A B"}, "hit": hit, "reason": "Not them", **change})
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
        assert path in [problem["path"] for problem in answer.json()["details"]]


class TestWithLists:
    """What the made-up lists answer."""

    @pytest.fixture
    def app(self, sandbox_runtime: Runtime) -> FastAPI:
        return create_app(replace(sandbox_runtime, screening_indexes={}))

    @pytest.fixture
    async def tester(self, new_client: NewClient, new_key: NewKey) -> httpx2.AsyncClient:
        return await new_client(await new_key(world="sandbox", owner="analyst@north.example"))

    @pytest.fixture
    async def other(self, new_client: NewClient, new_key: NewKey) -> httpx2.AsyncClient:
        return await new_client(await new_key(organization="South", world="sandbox"))

    async def test_the_answer_has_the_parts_of_the_contract(self, tester: httpx2.AsyncClient) -> None:
        body = (await tester.post(PATH, json={"query": LISTED})).json()
        meta = body["meta"]
        assert set(body) == {"meta", "screening", "sourceCounts", "lists", "errors"}
        assert set(meta) >= {"screeningId", "screenedAt", "duration", "status", "submitted"}
        assert (UUID(meta["screeningId"]).version, meta["screenedAt"]) == (4, "2026-11-20T12:00:00.000Z")
        assert isinstance(meta["duration"], int)
        assert (meta["status"], body["errors"]) == ("completed", None)
        assert body["sourceCounts"] == dict.fromkeys(SOURCE_COUNTS.values(), 0) | {"caAutonomousSanctions": 1}
        assert {item["source"] for item in body["lists"]} == set(SOURCE_COUNTS)
        assert all(item["entries"] > 0 for item in body["lists"])
        assert {"source", "asOf", "entries"} <= set(body["lists"][0])

    async def test_a_match_has_the_fields_of_the_contract(self, tester: httpx2.AsyncClient) -> None:
        screening = (await tester.post(PATH, json={"query": LISTED})).json()["screening"]
        assert (screening["query"], screening["totalMatches"]) == (LISTED, 1)
        (match,) = screening["matches"]
        assert set(match["legalName"]) == {"name", "matchScore", "matchedName", "nameScores"}
        assert set(match) >= {"legalName", "alternateNames", "entityType", "details", "sourceUrls"}
        assert set(match["details"]) == {
            *("source", "countries", "programs", "identifiers", "listingDate"),
            *("dateOfBirth", "remarks", "datasets", "topics", "legalForm"),
        }
        assert (match["details"]["source"], match["legalName"]["matchScore"], match["dismissed"]) == (SEMA, 1.0, None)

    @pytest.mark.parametrize(
        "name",
        [
            "Sandboх Sanctioned Trading Ltd.",  # Cyrillic х
            "Ѕandbox Sanctioned Trading Ltd.",  # Cyrillic Ѕ
            "Saոdbox Sanctioned Trading Ltd.",  # Armenian ո
            "Sandbox Sanctioned Tra\u202eding Ltd.",
        ],
    )
    @ON_SQLITE_ONLY
    async def test_a_disguised_name_is_a_hit_with_a_warning(self, tester: httpx2.AsyncClient, name: str) -> None:
        screening = (await tester.post(PATH, json={"query": name})).json()["screening"]
        assert (screening["totalMatches"], screening["openHits"], screening["status"]) == (1, 1, "screened")
        [warning] = screening["warnings"]
        assert warning["code"] == ("INVISIBLE_CHARACTERS" if "\u202e" in name else "MIXED_SCRIPT")
        assert (warning["field"], warning["message"] != "") == ("query", True)
        assert "\u202e" not in screening["query"]

    @pytest.mark.parametrize("name", ["ꜱᴀɴᴅʙᴏx Sanctioned Trading Ltd.", "S4ndb0x S4nctioned Trading Ltd."])
    async def test_small_capitals_and_digits_hide_nobody(self, tester: httpx2.AsyncClient, name: str) -> None:
        assert (await tester.post(PATH, json={"query": name})).json()["screening"]["totalMatches"] == 1

    async def test_removed_characters_are_echoed(self, tester: httpx2.AsyncClient) -> None:
        submitted = (await tester.post(PATH, json={"query": "No\u200bbody At All"})).json()["meta"]["submitted"]
        assert (submitted["query"], submitted["removedCharacters"]) == ("Nobody At All", ["U+200B"])

    @pytest.mark.parametrize(
        ("name", "code"),
        [("Inc.", "GENERIC_ONLY"), ("The", "GENERIC_ONLY"), ("ー", "EMPTY_NAME"), ("\u3164", "EMPTY_NAME")],
    )
    @ON_SQLITE_ONLY
    async def test_a_name_that_cannot_be_screened_is_never_clear(self, tester: httpx2.AsyncClient, name: str, code: str) -> None:
        body = (await tester.post(PATH, json={"query": name})).json()
        screening = body["screening"]
        assert (body["meta"]["status"], screening["status"], screening["lists"]) == ("error", "not_screened", [])
        assert screening["reason"] == body["errors"]["sanctionsScreening"]["message"]
        assert body["errors"]["sanctionsScreening"]["code"] == "INVALID_INPUT"
        assert code in [warning["code"] for warning in screening["warnings"]]

    async def test_a_listed_business_is_not_selected_beside_a_clear_screening(self, tester: httpx2.AsyncClient) -> None:
        """The name is another business's; the number is that of the listed one."""
        sent = {"name": "Sandbox Bakery Inc.", "registrationNumber": "1000082", "sanctionsScreening": True, "matchSelection": True}
        body = (await tester.post("/v1/search", json={**sent, "jurisdictions": ["FED"]})).json()
        sanctions = body["sanctions"]
        assert body["businesses"][0]["legalName"]["name"] == LISTED
        assert (body["matchSelection"]["status"], body["matchSelection"]["selectedMatchId"]) == ("needs_review", None)
        assert (sanctions["totalMatches"], sanctions["openHits"]) == (0, 1)
        [subject] = [subject for subject in sanctions["subjects"] if subject["totalMatches"]]
        assert (subject["name"], subject["role"], subject["from"], subject["status"]) == (LISTED, "legalName", "match", "screened")
        assert subject["matches"][0]["source"] == SEMA
        stored = (await tester.get(f"/v1/search/{body['meta']['searchId']}")).json()
        assert stored == body

    async def test_the_business_with_the_given_number_is_first(self, tester: httpx2.AsyncClient) -> None:
        sent = {"name": "Sandbox Twin Holdings Inc.", "registrationNumber": "1000017"}
        businesses = (await tester.post("/v1/search", json=sent)).json()["businesses"]
        names = [business["legalName"]["name"] for business in businesses]
        assert (names[0], names.count("Sandbox Twin Holdings Inc.")) == ("Sandbox Bakery Inc.", 2)
        scores = [business["match"]["score"] for business in businesses]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] > max(score for name, score in zip(names, scores, strict=True) if name == "Sandbox Twin Holdings Inc.")

    async def test_a_search_removes_invisible_characters_and_says_so(self, tester: httpx2.AsyncClient) -> None:
        meta = (await tester.post("/v1/search", json={"name": "Sand\u2066box Bake\u2069rу"})).json()["meta"]
        assert (meta["submitted"]["name"], meta["submitted"]["removedCharacters"]) == ("Sandbox Bakerу", ["U+2066", "U+2069"])
        assert [warning["path"] for warning in meta["warnings"]] == ["name", "name"]
        refused = await tester.post("/v1/search", json={"name": "\u3164"})
        assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")

    async def test_a_hit_is_dismissed_shown_as_such_and_opened_again(
        self, tester: httpx2.AsyncClient, other: httpx2.AsyncClient
    ) -> None:
        (match,) = (await tester.post(PATH, json={"query": LISTED})).json()["screening"]["matches"]
        hit = {field: match[field] for field in ("source", "entryId", "digest")}
        sent = {"subject": {"name": LISTED}, "hit": hit, "reason": "Another business", "until": "2027-01-01T00:00:00Z"}
        made = await tester.post(DISMISSALS, json=sent)
        assert made.status_code == 201
        dismissal = made.json()
        assert (dismissal["status"], dismissal["dismissedBy"]) == ("active", "analyst@north.example")
        again = await tester.post(DISMISSALS, json=sent)
        assert (again.status_code, again.json()) == (201, dismissal)

        async def shown(client: httpx2.AsyncClient) -> Any:
            return (await client.post(PATH, json={"name": LISTED})).json()["screening"]["matches"][0]["dismissed"]

        assert await shown(tester) == {
            "dismissalId": dismissal["id"],
            "by": "analyst@north.example",
            "at": dismissal["dismissedAt"],
            "reason": "Another business",
            "until": "2027-01-01T00:00:00.000Z",
        }
        assert await shown(other) is None
        assert (await other.get(f"{DISMISSALS}/{dismissal['id']}")).status_code == 404
        assert (await other.get(DISMISSALS)).json()["dismissals"] == []
        assert (await other.delete(f"{DISMISSALS}/{dismissal['id']}")).status_code == 404

        searched = (await tester.post("/v1/search", json={"name": LISTED, "sanctionsScreening": True})).json()
        assert searched["sanctions"]["matches"][0]["dismissed"]["dismissalId"] == dismissal["id"]

        ended = await tester.delete(f"{DISMISSALS}/{dismissal['id']}", params={"reason": "It was them"})
        assert (ended.status_code, ended.json()["status"]) == (200, "revoked")
        assert ended.json()["revoked"]["reason"] == "It was them"
        assert await shown(tester) is None
        page = (await tester.get(DISMISSALS, params={"active": "false"})).json()
        assert [item["id"] for item in page["dismissals"]] == [dismissal["id"]]
        assert page["pagination"] == {"total": 1, "limit": 25, "offset": 0, "hasMore": False}
        trail = (await tester.get(f"{DISMISSALS}/{dismissal['id']}/audit")).json()
        assert [entry["field"] for entry in trail["entries"]] == ["dismissal", "revoked"]

    async def test_what_is_no_hit_is_not_found_and_what_has_changed_is_stale(self, tester: httpx2.AsyncClient) -> None:
        (match,) = (await tester.post(PATH, json={"query": LISTED})).json()["screening"]["matches"]
        hit = {field: match[field] for field in ("source", "entryId", "digest")}
        body = {"subject": {"name": LISTED}, "reason": "Another business"}
        stale = await tester.post(DISMISSALS, json={**body, "hit": {**hit, "digest": "another"}})
        assert (stale.status_code, stale.json()["code"]) == (409, "STALE_WRITE")
        for wrong in ({**hit, "entryId": "none"}, {**hit, "source": "no-such-list"}):
            assert (await tester.post(DISMISSALS, json={**body, "hit": wrong})).json()["code"] == "NOT_FOUND"
        unknown = await tester.post(DISMISSALS, json={**body, "hit": hit, "businessId": UNKNOWN_ID})
        assert (unknown.status_code, unknown.json()["code"]) == (404, "NOT_FOUND")


class TestHistory:
    """Screenings are kept: nothing needs to be loaded for that."""

    async def test_a_screening_is_read_as_it_was(self, north: httpx2.AsyncClient) -> None:
        made = await north.post(PATH, json={"query": "A B"})
        meta = made.json()["meta"]
        assert (await north.get(f"{PATH}/{meta['screeningId']}")).text == made.text
        assert meta["screenedBy"] != ""

    async def test_a_gap_is_never_clear(self, north: httpx2.AsyncClient) -> None:
        await north.post(PATH, json={"query": "A B"})
        (item,) = (await north.get(PATH)).json()["screenings"]
        assert (item["query"], item["outcome"], item["openHits"], item["subjects"]) == ("A B", "incomplete", 0, 1)

    async def test_pages_follow_each_other(self, north: httpx2.AsyncClient, clock: ManualClock) -> None:
        names = [f"Name {number}" for number in range(5)]
        for name in names:
            await north.post(PATH, json={"query": name})
            clock.move(seconds=1)
        found: list[str] = []
        cursor: dict[str, str] = {}
        while True:
            page = (await north.get(PATH, params={"limit": 2, **cursor})).raise_for_status().json()
            found += [item["query"] for item in page["screenings"]]
            cursor = {"cursor": page["cursor"]["next"]}
            if not page["pagination"]["hasMore"]:
                break
        assert found == names[::-1]
        assert (await north.get(PATH, params=cursor)).json()["screenings"] == []

    async def test_filters(self, north: httpx2.AsyncClient, clock: ManualClock) -> None:
        record = (await north.post("/v1/businesses", json={"name": "Zo\u00eb"})).json()["business"]
        await north.post(PATH, json={"query": "Zo\u00eb Ltd.", "businessId": record["id"]})
        clock.move(seconds=60)
        await north.post(PATH, json={"query": "Acme"})
        for given, expected in (
            ({"query": "zoe"}, ["Zo\u00eb Ltd."]),
            ({"businessId": record["id"]}, ["Zo\u00eb Ltd."]),
            ({"outcome": "hits"}, []),
            ({"outcome": "incomplete"}, ["Acme", "Zo\u00eb Ltd."]),
            ({"since": clock().isoformat()}, ["Acme"]),
        ):
            page = (await north.get(PATH, params=given)).raise_for_status().json()
            assert [item["query"] for item in page["screenings"]] == expected, given
        read = (await north.get(f"/v1/businesses/{record['id']}")).json()["business"]
        assert read["lastScreenedAt"] is not None

    @pytest.mark.parametrize(
        ("query", "path"),
        [
            ({"cursor": "x"}, "cursor"),
            ({"outcome": "maybe"}, "outcome"),
            ({"businessId": "7"}, "businessId"),
            ({"since": "today"}, "since"),
            ({"limit": 101}, "limit"),
        ],
    )
    @ON_SQLITE_ONLY
    async def test_a_wrong_filter_is_refused(self, north: httpx2.AsyncClient, query: dict[str, Any], path: str) -> None:
        answer = await north.get(PATH, params=query)
        assert [problem["path"] for problem in answer.json()["details"]] == [path]

    async def test_an_unknown_record_or_screening_is_not_found(self, north: httpx2.AsyncClient) -> None:
        for answer in (
            await north.post(PATH, json={"query": "A B", "businessId": UNKNOWN_ID}),
            await north.get(f"{PATH}/{UNKNOWN_ID}"),
            await north.post(f"{PATH}/{UNKNOWN_ID}/rescreen"),
            await north.post("/v1/pdf", json={"screeningId": UNKNOWN_ID}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")

    async def test_a_repeated_screening_says_what_it_repeats(self, north: httpx2.AsyncClient, clock: ManualClock) -> None:
        first = (await north.post(PATH, json={"query": "A B", "countries": ["CA"], "dateOfBirth": "1990"})).json()["meta"]
        clock.move(seconds=5)
        again = (await north.post(f"{PATH}/{first['screeningId']}/rescreen")).raise_for_status().json()
        assert again["meta"]["submitted"] == first["submitted"]
        assert again["meta"]["screeningId"] != first["screeningId"]
        changes = again["changes"]
        assert changes["previousScreeningId"] == first["screeningId"]
        assert (changes["new"], changes["gone"], changes["changed"], changes["listsNotCompared"]) == ([], [], [], [])

    async def test_it_is_printed(self, north: httpx2.AsyncClient) -> None:
        meta = (await north.post(PATH, json={"query": "A B"})).json()["meta"]
        printed = await north.post("/v1/pdf", json={"screeningId": meta["screeningId"]}, headers={"Accept": "application/pdf"})
        assert printed.content.startswith(b"%PDF-")
