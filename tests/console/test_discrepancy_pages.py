"""The pages of ownership discrepancies: an analyst compares, keeps evidence, decides, and sees who has decided before."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bonafide.model.accounts.users import Role
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import members
from bonafide.services.ownership.statements import replace_statement
from bonafide.services.records import business_records
from tests.support.console.searches import runtime_over, words_of
from tests.support.console.sessions import csrf_of, signed_in_client

pytestmark = pytest.mark.anyio
OPEN = "/console/discrepancies"
ANN = Author("ann@north.example")
PNG = b"\x89PNG\r\n\x1a\nscreenshot"
REGISTER = {
    "consultedOn": "2026-11-01",
    "riskRating": "high",
    "individuals.0.name": "Jane Doe",
    "individuals.0.kind": "shares",
    "individuals.0.shareMin": "75 %",
    "individuals.2.name": "Priya Ramanathan",
    "individuals.2.from": "2024-07",
    "individuals.2.control": "Control in fact",
}
_DISCREPANCY = re.compile(r'href="(/console/businesses/[0-9a-f-]{36}/discrepancies/[0-9a-f-]{36})"')


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    async with runtime_over(sqlite_template, tmp_path_factory.mktemp("discrepancies"), sandbox_data) as opened:
        yield opened


@pytest.fixture
async def business(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> str:
    """The address of a federal corporation whose owners are declared."""
    organization_id = (await members.find_user(runtime, f"analyst@{organization}.example")).memberships[0].organization_id
    request = BusinessUpsert.model_validate({"name": "Northern Minerals Ltd.", "jurisdiction": "FED"})
    record = (await business_records.upsert(runtime, organization_id, request, ANN)).record
    statement = OwnershipStatement.model_validate({
        "asOf": "2026-11-01",
        "parties": [
            {"id": "b", "kind": "business", "name": "Northern Minerals Ltd.", "businessId": record.id},
            {"id": "jane", "kind": "person", "name": "Jane Doe"},
            {"id": "jean", "kind": "person", "name": "Jean Tremblay"},
        ],
        "interests": [
            {"id": "1", "owner": "jane", "owned": "b", "kind": "shares", "share": {"exact": 0.6}},
            {"id": "2", "owner": "jean", "owned": "b", "kind": "shares", "share": {"exact": 0.4}},
        ],
    })  # fmt: skip
    await replace_statement(runtime, organization_id, record.id, statement, ANN)
    return f"/console/businesses/{record.id}"


async def submit(
    client: httpx2.AsyncClient, page: str, action: str, fields: dict[str, Any], file: bytes | None = None
) -> httpx2.Response:
    """Send a form with an upload, as a browser does."""
    data = {"csrf": csrf_of(await client.get(page)), **fields}
    name = "register.png" if file is not None else ""
    files = {"file": (name, file if file is not None else b"", "image/png")}
    return await client.post(action, data=data, files=files)


async def compare(client: httpx2.AsyncClient, business: str, file: bytes | None = None, **fields: str) -> httpx2.Response:
    page = f"{business}/ownership-reviews/new"
    sent = {name.replace("__", "."): value for name, value in {**REGISTER, **fields}.items()}
    return await submit(client, page, page, sent, file)


async def open_discrepancies(client: httpx2.AsyncClient, business: str) -> list[str]:
    """The addresses of the discrepancies of a new review: missing, extra, contradicting."""
    review = await compare(client, business)
    assert review.status_code == 303, words_of(review)
    page = await client.get(review.headers["Location"])
    return list(dict.fromkeys(_DISCREPANCY.findall(page.text)))


async def decide(
    client: httpx2.AsyncClient, discrepancy: str, action: str, file: bytes | None = None, **fields: str
) -> httpx2.Response:
    return await submit(client, discrepancy, f"{discrepancy}/{action}", fields, file)


async def test_a_comparison_shows_both_sides_with_the_evidence(analyst: httpx2.AsyncClient, business: str) -> None:
    assert f"{business}/discrepancies" in (await analyst.get(business)).text
    review = await compare(analyst, business, PNG, note="Seen in My ISED.")
    assert review.status_code == 303, words_of(review)
    said = words_of(await analyst.get(review.headers["Location"]))
    assert "Jean Tremblay Missing in the register" in said
    assert "Priya Ramanathan Not declared" in said
    assert "Jane Doe Contradicting" in said
    assert "share of the shares: declared 60 %, in the register 75 % or more" in said
    assert "register.png" in said
    listed = words_of(await analyst.get(f"{business}/discrepancies"))
    assert "30 days left" in listed or "29 days left" in listed


async def test_a_document_is_downloaded_as_it_was(analyst: httpx2.AsyncClient, business: str) -> None:
    await compare(analyst, business, PNG)
    page = (await analyst.get(f"{business}/discrepancies")).text
    address = re.findall(rf'href="({business}/documents/[0-9a-f-]+/content)"', page)[0]
    answer = await analyst.get(address)
    assert (answer.content, answer.headers["Content-Disposition"][:10]) == (PNG, "attachment")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"consultedOn": ""}, "consultedOn"),
        ({"riskRating": ""}, "riskRating"),
        ({"individuals__2__shareMin": "many"}, "individuals.2.shareMin"),
        ({"individuals__2__to": "2020"}, "individuals.2.to"),
        ({"individuals__2__name": ""}, "individuals.2.name"),
    ],
)
async def test_a_problem_is_shown_at_its_field(
    analyst: httpx2.AsyncClient, business: str, fields: dict[str, str], field: str
) -> None:
    answer = await compare(analyst, business, None, **fields)
    assert answer.status_code == 422
    assert f'id="field-{field.replace(".", "-")}-problem"' in answer.text
    assert 'value="Jane Doe"' in answer.text


async def test_an_empty_register_has_to_be_confirmed(analyst: httpx2.AsyncClient, business: str) -> None:
    page = f"{business}/ownership-reviews/new"
    fields = {"consultedOn": "2026-11-01", "riskRating": "high"}
    assert (await submit(analyst, page, page, fields)).status_code == 422
    assert (await submit(analyst, page, page, fields | {"none": "true"})).status_code == 303


async def test_rows_are_added_without_losing_what_was_typed(analyst: httpx2.AsyncClient, business: str) -> None:
    answer = await compare(analyst, business, more="yes")
    assert answer.status_code == 200
    assert 'name="individuals.7.name"' in answer.text
    assert 'value="Priya Ramanathan"' in answer.text


async def test_a_wrong_file_is_refused_and_nothing_is_compared(analyst: httpx2.AsyncClient, business: str) -> None:
    answer = await compare(analyst, business, b"MZ program")
    assert answer.status_code == 422
    assert 'id="compare-file-problem"' in answer.text
    assert "Missing in the register" not in words_of(await analyst.get(f"{business}/discrepancies"))


async def test_without_a_declaration_the_form_says_so(analyst: httpx2.AsyncClient) -> None:
    created = await submit_plain(analyst, "/console/businesses/new", name="Undeclared Inc.")
    said = words_of(await analyst.get(f"{created}/ownership-reviews/new"))
    assert "haven’t been declared" in said


async def submit_plain(client: httpx2.AsyncClient, page: str, **fields: str) -> str:
    answer = await client.post(page, data={"csrf": csrf_of(await client.get(page)), **fields})
    assert answer.status_code == 303
    return answer.headers["Location"]


async def test_a_discrepancy_is_resolved_and_leaves_the_list(analyst: httpx2.AsyncClient, business: str) -> None:
    missing, *_ = await open_discrepancies(analyst, business)
    assert missing in (await analyst.get(OPEN)).text
    incomplete = await decide(analyst, missing, "resolve")
    assert (incomplete.status_code, 'id="resolve-resolution-problem"' in incomplete.text) == (422, True)
    done = await decide(analyst, missing, "resolve", PNG, resolution="The register was corrected.")
    assert (done.status_code, done.headers["Location"]) == (303, missing)
    said = words_of(await analyst.get(missing))
    assert "Resolution The register was corrected." in said
    assert missing not in (await analyst.get(OPEN)).text


async def test_a_report_is_recorded_with_its_acknowledgement(analyst: httpx2.AsyncClient, business: str) -> None:
    _, extra, _ = await open_discrepancies(analyst, business)
    incomplete = await decide(analyst, extra, "report", number="BO-1", receivedOn="2026-11-01")
    assert (incomplete.status_code, 'id="report-file-problem"' in incomplete.text) == (422, True)
    done = await decide(analyst, extra, "report", PNG, number="BO-1", receivedOn="2026-11-01")
    assert done.status_code == 303, words_of(done)
    said = words_of(await analyst.get(extra))
    assert "Acknowledgement number BO-1" in said
    assert "register.png" in said


async def test_whoever_decides_second_sees_what_the_first_one_decided(analyst: httpx2.AsyncClient, business: str) -> None:
    missing, *_ = await open_discrepancies(analyst, business)
    await decide(analyst, missing, "resolve", resolution="Corrected.")
    # The second form was opened before: its page still has the form to resolve.
    second = await submit(analyst, f"{business}/ownership-reviews/new", f"{missing}/resolve", {"resolution": "Also corrected."})
    assert second.status_code == 409
    assert "resolved this discrepancy on" in words_of(second)
    assert "Also corrected." not in words_of(await analyst.get(missing))


async def test_the_class_is_changed_and_a_decision_is_reopened(analyst: httpx2.AsyncClient, business: str) -> None:
    _, _, contradicting = await open_discrepancies(analyst, business)
    assert (await decide(analyst, contradicting, "classify", kind="immaterial", resolution="Rounded.")).status_code == 303
    said = words_of(await analyst.get(contradicting))
    assert "No report is due" in said
    assert "Found as: Contradicting" in said
    await decide(analyst, contradicting, "resolve", resolution="Nothing to do.")
    assert (await decide(analyst, contradicting, "reopen", resolution="By mistake.")).status_code == 303
    assert "By mistake." in words_of(await analyst.get(contradicting))


async def test_a_viewer_reads_and_decides_nothing(viewer: httpx2.AsyncClient, analyst: httpx2.AsyncClient, business: str) -> None:
    missing, *_ = await open_discrepancies(analyst, business)
    page = await viewer.get(missing)
    assert (page.status_code, "/resolve" in page.text) == (200, False)
    assert (await viewer.get(f"{business}/ownership-reviews/new")).status_code == 403
    csrf = csrf_of(await viewer.get("/console/profile"))
    refused = await viewer.post(f"{missing}/resolve", data={"csrf": csrf, "resolution": "x"})
    assert refused.status_code == 403


async def test_another_organization_finds_nothing(runtime: Runtime, analyst: httpx2.AsyncClient, business: str) -> None:
    missing, *_ = await open_discrepancies(analyst, business)
    async with await signed_in_client(runtime, Role.OWNER, "elsewhere") as stranger:
        assert (await stranger.get(missing)).status_code == 404
        assert missing not in (await stranger.get(OPEN)).text
