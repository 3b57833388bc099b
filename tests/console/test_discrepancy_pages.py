"""The pages of ownership discrepancies: an analyst compares, keeps evidence, decides, and sees who has decided before."""

import hashlib
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

import httpx2
import pytest

from bonafide.console.discrepancies.labels import count_days_left
from bonafide.model.accounts.users import Role
from bonafide.model.ownership.owner_comparison import MAX_OWNERS
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import members
from bonafide.services.ownership.statements import replace_statement
from bonafide.services.records import business_records
from tests.support.console.searches import runtime_over, words_of
from tests.support.console.sessions import csrf_of, signed_in_client
from tests.support.pdf.sheets import text_of

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
_VERSION = re.compile(r'<input type="hidden" name="(version|expectedUpdatedAt)" value="([^"]*)"')
_DISCREPANCY = re.compile(r'href="(/console/businesses/[0-9a-f-]{36}/discrepancies/[0-9a-f-]{36})"')


class Declare(Protocol):
    """Declares owners by their shares."""

    async def __call__(self, shares: dict[str, float], address: str | None = None, **dates: str) -> str: ...


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    async with runtime_over(sqlite_template, tmp_path_factory.mktemp("discrepancies"), sandbox_data) as opened:
        yield opened


@pytest.fixture
async def business(declare: Declare) -> str:
    """The address of a federal corporation whose owners are declared."""
    return await declare({"jane": 0.6, "jean": 0.4})


@pytest.fixture
async def declare(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> Declare:
    """Declares the owners of a new federal corporation, or of that of an address, by their shares; returns the address."""
    organization_id = (await members.find_user(runtime, f"analyst@{organization}.example")).memberships[0].organization_id

    async def replace(shares: dict[str, float], address: str | None = None, **dates: str) -> str:
        if address is None:
            request = BusinessUpsert.model_validate({"name": "Northern Minerals Ltd.", "jurisdiction": "FED"})
            business_id = (await business_records.upsert(runtime, organization_id, request, ANN)).record.id
        else:
            business_id = UUID(address.rpartition("/")[2])
        names = {"jane": "Jane Doe", "jean": "Jean Tremblay"}
        statement = OwnershipStatement.model_validate({
            "asOf": "2026-11-01",
            "declaredBy": "Jane Doe, president",
            "parties": [
                {"id": "b", "kind": "business", "name": "Northern Minerals Ltd.", "businessId": business_id},
                *({"id": one, "kind": "person", "name": name} for one, name in names.items()),
            ],
            "interests": [
                {"id": one, "owner": one, "owned": "b", "kind": "shares", "share": {"exact": share}, **dates}
                for one, share in shares.items()
            ],
        })  # fmt: skip
        await replace_statement(runtime, organization_id, business_id, statement, ANN)
        return f"/console/businesses/{business_id}"

    return replace


async def submit(
    client: httpx2.AsyncClient, page: str, action: str, fields: dict[str, Any], file: bytes | None = None
) -> httpx2.Response:
    """Send a form with an upload, as a browser does."""
    shown = await client.get(page)
    data = {"csrf": csrf_of(shown), **dict(_VERSION.findall(shown.text)), **fields}
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
    client: httpx2.AsyncClient, discrepancy: str, action: str, file: bytes | None = None, **fields: Any
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
    assert "share of the shares: declared 60%, in the register 75% or more" in said
    assert "register.png" in said
    listed = words_of(await analyst.get(f"{business}/discrepancies"))
    assert "30 days left" in listed


async def test_a_review_keeps_who_declared_and_what_could_not_be_compared(analyst: httpx2.AsyncClient, declare: Declare) -> None:
    business = await declare({"jane": 0.6})
    fields = {"individuals.0.name": "Jane Doe", "individuals.0.shareMin": "60", "individuals.0.shareMax": "60"}
    page = f"{business}/ownership-reviews/new"
    review = await submit(analyst, page, page, {"consultedOn": "2026-11-01", "riskRating": "high", **fields})
    assert review.status_code == 303, words_of(review)
    for address in (review.headers["Location"], f"{business}/discrepancies"):
        said = words_of(await analyst.get(address))
        assert "No difference was found among the individuals that could be compared." in said
        assert "Nobody is identified behind 40% of the shares." in said
        assert "agree." not in said
    assert "Declaration Jane Doe, president, 1 Nov 2026" in words_of(await analyst.get(review.headers["Location"]))


async def test_sides_that_agree_on_everybody_agree(analyst: httpx2.AsyncClient, declare: Declare) -> None:
    business = await declare({"jane": 1.0})
    page = f"{business}/ownership-reviews/new"
    sent = {"consultedOn": "2026-11-01", "riskRating": "high", "individuals.0.name": "Jane Doe"}
    review = await submit(analyst, page, page, sent)
    assert "The declaration and the register agree." in words_of(await analyst.get(review.headers["Location"]))
    assert "No discrepancies" in words_of(await analyst.get(f"{business}/discrepancies"))


async def test_the_declaration_of_the_day_is_compared_with_typed_addresses(analyst: httpx2.AsyncClient, declare: Declare) -> None:
    business = await declare({"jane": 1.0}, **{"from": "2026-10-15"})
    page = f"{business}/ownership-reviews/new"
    typed = {"declared.jane.address": "1 Main St, Guelph ON", "riskRating": "high"}
    register = {"individuals.0.name": "Jane Doe", "individuals.0.address": "2 Main St, Guelph ON"}
    for day, expected in (("2026-11-01", "another address"), ("2026-10-01", "Not declared")):
        review = await submit(analyst, page, page, {"consultedOn": day, **typed, **register})
        assert review.status_code == 303, words_of(review)
        assert expected in words_of(await analyst.get(review.headers["Location"]))


async def test_a_declaration_that_has_changed_since_is_not_compared(
    analyst: httpx2.AsyncClient, business: str, declare: Declare
) -> None:
    page = f"{business}/ownership-reviews/new"
    opened = await analyst.get(page)
    data = {"csrf": csrf_of(opened), **dict(_VERSION.findall(opened.text)), **REGISTER, "note": "My own words."}
    await declare({"jane": 0.7, "jean": 0.3}, business)
    refused = await analyst.post(page, data=data, files={"file": ("register.png", PNG, "image/png")})
    assert (refused.status_code, "My own words." in refused.text, "70%" in refused.text) == (409, True, True)
    (stored,) = re.findall(r'name="document" value="([0-9a-f-]{36})" checked', refused.text)
    sent = {**data, **dict(_VERSION.findall(refused.text)), "document": stored}
    done = await analyst.post(page, data=sent, files={"file": ("", b"", "image/png")})
    assert done.status_code == 303, words_of(done)
    assert (await analyst.get(done.headers["Location"])).text.count(f"/documents/{stored}/content") == 1
    assert (await analyst.get(f"{business}/discrepancies")).text.count("/content") == 1


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
        ({"individuals__2__address": "x" * 501}, "individuals.2.address"),
    ],
)
async def test_a_problem_is_shown_at_its_field(
    analyst: httpx2.AsyncClient, business: str, fields: dict[str, str], field: str
) -> None:
    answer = await compare(analyst, business, None, **fields)
    anchor = f"field-{field.replace('.', '-')}"
    assert answer.status_code == 422
    assert f'id="{anchor}-problem"' in answer.text
    assert f'<a href="#{anchor}">' in answer.text
    assert ('value="Jane Doe"' in answer.text, "declared address of jane" in answer.text) == (True, False)


async def test_the_list_of_problems_names_fields_and_rows(analyst: httpx2.AsyncClient, business: str) -> None:
    fields = {"riskRating": "", "individuals__2__shareMin": "many", "declared__jane__address": "x" * 501}
    answer = await compare(analyst, business, None, **fields)
    said = words_of(answer)
    assert "Your rating of the risk : is required: select a rating" in said
    assert "Share from, in %, row 3 : must be a percentage" in said
    assert "Declared address of Jane Doe : " in said
    assert ('<a href="#declared-0">' in answer.text, 'id="declared-0-problem"' in answer.text) == (True, True)


async def test_the_enter_key_compares_and_the_day_is_left_to_the_person(analyst: httpx2.AsyncClient, business: str) -> None:
    page = await analyst.get(f"{business}/ownership-reviews/new")
    buttons = re.findall(r"<button[^>]*>", page.text[page.text.index('<form class="stack"') :])
    assert ("visually-hidden" in buttons[0], 'name="more"' in buttons[0]) == (True, False)
    assert re.search(r'name="consultedOn" value=""', page.text) is not None
    assert f'href="{business}/ownership/declared"' in page.text


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
    assert f'href="{created}/ownership/declared"' in (await analyst.get(f"{created}/ownership-reviews/new")).text


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
    assert (await decide(analyst, extra, "reopen", resolution="Sent for another business.")).status_code == 303
    reopened = words_of(await analyst.get(extra))
    assert ("Acknowledgement number BO-1" in reopened, "Acknowledgement BO-1 ( 1 Nov 2026 )" in reopened) == (False, True)


async def test_one_document_is_the_acknowledgement(analyst: httpx2.AsyncClient, business: str) -> None:
    for _ in range(2):
        await compare(analyst, business, PNG)
    _, extra, _ = await open_discrepancies(analyst, business)
    form = await analyst.get(f"{extra}?decision=report")
    first, second = re.findall(r'type="radio" name="acknowledgementDocument" value="([0-9a-f-]{36})"', form.text)
    fields: dict[str, Any] = {"number": "BO-1", "receivedOn": "2026-11-01", "document": [first, second]}
    for chosen, file in (("", None), (first, PNG)):
        refused = await decide(analyst, extra, "report", file, **fields, acknowledgementDocument=chosen)
        assert (refused.status_code, 'id="report-file-problem"' in refused.text) == (422, True)
        assert refused.text.count("checked") == 3
    assert (await decide(analyst, extra, "report", **fields, acknowledgementDocument=second)).status_code == 303
    page = await analyst.get(extra)
    assert page.text.count(f"/documents/{second}/content") == 3
    assert page.text.count(f"/documents/{first}/content") == 1


async def test_a_refused_form_stores_its_file_once(analyst: httpx2.AsyncClient, business: str) -> None:
    missing, *_ = await open_discrepancies(analyst, business)
    stale = {"expectedUpdatedAt": "2026-01-01T00:00:00.000Z", "resolution": "Corrected."}
    refused = await decide(analyst, missing, "resolve", PNG, **stale)
    assert (refused.status_code, "Corrected." in refused.text) == (409, True)
    (stored,) = re.findall(r'name="document" value="([0-9a-f-]{36})" checked', refused.text)
    future = {"number": "BO-1", "receivedOn": "2099-01-01"}
    refused = await decide(analyst, missing, "report", PNG, **future)
    (other,) = re.findall(r'name="acknowledgementDocument" value="([0-9a-f-]{36})"[^>]* checked', refused.text)
    assert (refused.status_code, stored != other) == (422, True)
    listed = (await analyst.get(f"{business}/discrepancies")).text
    assert listed.count("/content") == 2


async def test_documents_are_listed_once(analyst: httpx2.AsyncClient, business: str) -> None:
    await compare(analyst, business, PNG)
    missing, *_ = await open_discrepancies(analyst, business)
    for decision, times in (("resolve", 1), ("report", 1), ("classify", 0), ("nothing", 1)):
        page = await analyst.get(f"{missing}?decision={decision}")
        assert page.text.count("<legend>Stored documents</legend>") == times


async def test_whoever_decides_second_sees_what_the_first_one_decided(analyst: httpx2.AsyncClient, business: str) -> None:
    missing, *_ = await open_discrepancies(analyst, business)
    await decide(analyst, missing, "resolve", resolution="Corrected.")
    # The second form was opened before: its page still has the form to resolve.
    second = await submit(analyst, f"{business}/ownership-reviews/new", f"{missing}/resolve", {"resolution": "Also corrected."})
    assert second.status_code == 409
    assert "resolved this discrepancy on 20 Nov 2026, 14:33 UTC ." in words_of(second).replace("\xa0", " ")
    assert "You wrote: Also corrected." in words_of(second)
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


async def test_a_class_is_chosen_and_kept_after_a_problem(analyst: httpx2.AsyncClient, business: str) -> None:
    _, _, contradicting = await open_discrepancies(analyst, business)
    refused = await decide(analyst, contradicting, "classify", kind="immaterial")
    assert (refused.status_code, '<option value="immaterial" selected>' in refused.text) == (422, True)
    assert "Reason : is required" in words_of(refused)
    for kind in ("", "contradicting"):
        same = await decide(analyst, contradicting, "classify", kind=kind, resolution="The same.")
        assert (same.status_code, 'id="classify-kind-problem"' in same.text) == (422, True)


async def test_the_review_names_people_and_both_classes(analyst: httpx2.AsyncClient, business: str) -> None:
    _, _, contradicting = await open_discrepancies(analyst, business)
    await decide(analyst, contradicting, "classify", kind="immaterial", resolution="Rounded.")
    review = await compare(analyst, business)
    assert "Jane Doe Immaterial Found as: Contradicting Open" in words_of(await analyst.get(review.headers["Location"]))
    page = f"{business}/ownership-reviews/new"
    empty = await submit(analyst, page, page, {"consultedOn": "2026-11-01", "riskRating": "high", "none": "true"})
    said = words_of(await analyst.get(empty.headers["Location"]))
    gone = said[said.index("Not found any more") :]
    assert ("Priya Ramanathan" in gone, "Discrepancy 1" in gone) == (True, False)


async def test_the_whole_digest_of_a_document_is_written(analyst: httpx2.AsyncClient, business: str) -> None:
    review = await compare(analyst, business, PNG)
    for address in (review.headers["Location"], f"{business}/discrepancies"):
        assert hashlib.sha256(PNG).hexdigest() in words_of(await analyst.get(address))


def test_the_days_that_are_left_are_rounded_up() -> None:
    due = datetime(2026, 12, 20, 14, 33, tzinfo=UTC)
    before = (timedelta(days=30, milliseconds=3), timedelta(days=29, hours=1), timedelta(milliseconds=1))
    assert [count_days_left(due, due - one) for one in before] == [30, 30, 1]


async def test_the_open_ones_have_pages_by_due_date(analyst: httpx2.AsyncClient, business: str) -> None:
    names = {f"individuals.{number}.name": f"Person {chr(97 + number)}" for number in range(MAX_OWNERS)}
    page = f"{business}/ownership-reviews/new"
    await submit(analyst, page, page, {"consultedOn": "2026-11-01", "riskRating": "high", **names})
    first = await analyst.get(OPEN)
    assert ("Next page" in words_of(first), "Older" in words_of(first)) == (True, False)
    assert "Previous page" in words_of(await analyst.get(f"{OPEN}?offset=25"))


async def test_a_review_is_printed_in_the_language_of_the_page(analyst: httpx2.AsyncClient, business: str) -> None:
    review = (await compare(analyst, business, PNG)).headers["Location"]
    for language, word in (("en", "Missing in the register"), ("fr", "Absent du registre")):
        answer = await analyst.get(f"{review}/report.pdf", headers={"Accept-Language": language})
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/pdf")
        assert word in " ".join(text_of(answer.content).split())


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
