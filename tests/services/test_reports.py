"""Business reports: asked of a live register or read from loaded data, kept with their evidence, printed, and nobody else's."""

import hashlib
import io
import json
from dataclasses import replace
from datetime import date, timedelta
from uuid import uuid4

import pytest
from pypdf import PdfReader
from starlette.responses import PlainTextResponse

from bonafide.errors import NotFound, ServerBusy, ValidationFailed
from bonafide.model.accounts.organizations import Principal
from bonafide.model.loading import Route
from bonafide.model.verification.registry_report import RegistryReport, ReportRequest
from bonafide.runtime import Runtime
from bonafide.services.manual_checks import report_requests
from bonafide.services.reports import business_reports
from bonafide.services.reports.report_pdf import ReportDocumentQuery, build_file_name, find_document, read_document
from bonafide.services.reports.signed_urls import PATH, sign_url, verify_token
from tests.support.databases import ON_SQLITE_ONLY
from tests.support.services.live_register import KEY, Register, entry
from tests.support.services.loading import put
from tests.support.services.runtimes import ManualClock, search

pytestmark = pytest.mark.anyio
NUMBER = "77001"


@pytest.fixture
def runtime(asked: Runtime) -> Runtime:
    """A runtime with one live register and nothing loaded."""
    return asked


async def report(runtime: Runtime, principal: Principal, number: str = NUMBER, **request: object) -> RegistryReport:
    body = {"jurisdiction": "NL", "registrationNumber": number, **request}
    return await report_requests.get_business_report(runtime, principal, ReportRequest.model_validate(body))


def token(url: str) -> str:
    return url.partition(PATH)[2]


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


# ------------------------------------------------------------------------------------------------------------ obtaining


async def test_it_is_what_the_register_says_now(asked: Runtime, north: Principal) -> None:
    made = await report(asked, north)
    assert (made.legal_name, made.jurisdiction_label) == ("Cod & Capelin Ltd.", "Newfoundland and Labrador")
    assert (made.source, made.route, made.cached) == (KEY, Route.LIVE, False)
    assert (made.retrieved_at, made.as_of) == (asked.clock(), asked.clock().date())
    assert made.business_report.details.good_standing is True
    assert made.search_id == made.report_id


async def test_the_raw_answer_is_kept_byte_for_byte(asked: Runtime, north: Principal) -> None:
    made = await report(asked, north)
    [evidence] = made.evidence
    again, content = await business_reports.read_evidence(asked, north.organization_id, made.report_id, 0)
    assert json.loads(content) == {"name": "Cod & Capelin Ltd."}
    assert (again, hashlib.sha256(content).hexdigest(), len(content)) == (evidence, evidence.sha256, evidence.size)
    assert (evidence.url, evidence.status) == ("https://register.example.org/api/numbers/77001", 200)
    assert evidence.evidence_url == f"/v1/business-reports/{made.report_id}/evidence/0"


async def test_a_recent_one_is_given_again_in_any_spelling_of_its_number(
    asked: Runtime, north: Principal, clock: ManualClock, register: Register
) -> None:
    first = await report(asked, north)
    clock.advance(hours=23)
    again = await report(asked, north, "No. 77 001")
    assert (again.report_id, again.cached, again.obtained_at) == (first.report_id, True, first.obtained_at)
    assert len(register.asked) == 1


async def test_an_older_one_is_obtained_anew_and_the_old_one_stays(
    asked: Runtime, north: Principal, clock: ManualClock, register: Register
) -> None:
    first = await report(asked, north)
    clock.advance(hours=25)
    second = await report(asked, north)
    assert second.report_id != first.report_id
    assert len(register.asked) == 2
    assert (await business_reports.read_report(asked, north.organization_id, first.report_id)).obtained_at == first.obtained_at


@pytest.mark.parametrize(("max_age", "asks"), [(0, 2), (1, 2), (3, 1)])
async def test_the_asker_says_how_old_it_may_be(
    asked: Runtime, north: Principal, clock: ManualClock, register: Register, max_age: int, asks: int
) -> None:
    await report(asked, north)
    clock.advance(hours=2)
    await report(asked, north, maxAge=max_age)
    assert len(register.asked) == asks


async def test_another_organization_asks_for_itself_and_sees_nothing_of_it(
    asked: Runtime, north: Principal, south: Principal, register: Register
) -> None:
    mine = await report(asked, north)
    theirs = await report(asked, south)
    assert theirs.report_id != mine.report_id
    assert len(register.asked) == 2
    with pytest.raises(NotFound):
        await business_reports.read_report(asked, south.organization_id, mine.report_id)
    with pytest.raises(NotFound):
        await business_reports.read_evidence(asked, south.organization_id, mine.report_id, 0)
    with pytest.raises(NotFound):
        await find_document(asked, south, ReportDocumentQuery(search_id=mine.report_id, registration_number=NUMBER))


async def test_there_is_no_more_evidence_than_there_is(asked: Runtime, north: Principal) -> None:
    made = await report(asked, north)
    with pytest.raises(NotFound, match="has 1 piece of evidence"):
        await business_reports.read_evidence(asked, north.organization_id, made.report_id, 1)
    with pytest.raises(NotFound):
        await business_reports.read_evidence(asked, north.organization_id, uuid4(), 0)


# ------------------------------------------------------------------------------------------------------------ failing


async def test_a_number_that_the_register_does_not_have_is_not_found(asked: Runtime, north: Principal) -> None:
    with pytest.raises(NotFound, match="Register of Rocks has no registration with the number 99999"):
        await report(asked, north, "99999")


async def test_a_register_in_trouble_is_never_a_number_not_found(asked: Runtime, north: Principal, register: Register) -> None:
    register.broken = PlainTextResponse("", 429, {"Retry-After": "42"})
    with pytest.raises(ServerBusy, match="limits the rate of requests") as caught:
        await report(asked, north)
    assert caught.value.headers == {"Retry-After": "42"}


async def test_where_no_program_can_look_it_says_so_and_where_a_person_can(asked: Runtime, north: Principal) -> None:
    page = asked.sources["nu"].metadata.page
    with pytest.raises(ValidationFailed, match="The register of Nunavut is unavailable") as caught:
        await report(asked, north, jurisdiction="NU")
    assert caught.value.details[0].path == "jurisdiction"
    assert page in caught.value.message


async def test_a_number_without_any_digit_or_letter_is_refused(asked: Runtime, north: Principal) -> None:
    with pytest.raises(ValidationFailed) as caught:
        await report(asked, north, "---")
    assert caught.value.details[0].path == "registrationNumber"


# ------------------------------------------------------------------------------------------------------------ loaded data


@pytest.fixture
def loaded(asked: Runtime, north: Principal) -> Runtime:
    """The same with an older copy of the register loaded."""
    put(asked, KEY, [entry(NUMBER, "Cod & Capelin Limited"), entry("88001", "Sculpin Ltd.")], north.world)
    return asked


async def test_when_the_register_fails_its_loaded_data_is_read_and_the_report_says_so(
    loaded: Runtime, north: Principal, register: Register
) -> None:
    register.broken = PlainTextResponse("", 503)
    made = await report(loaded, north)
    assert (made.legal_name, made.route) == ("Cod & Capelin Limited", Route.BULK)
    assert "register.example.org returned HTTP 503" in made.notes
    assert any("loaded data" in note for note in made.notes)
    [evidence] = made.evidence
    _, content = await business_reports.read_evidence(loaded, north.organization_id, made.report_id, 0)
    assert json.loads(content)["legalName"] == "Cod & Capelin Limited"
    assert evidence.status is None


async def test_the_register_itself_comes_before_its_loaded_data(loaded: Runtime, north: Principal) -> None:
    assert (await report(loaded, north)).legal_name == "Cod & Capelin Ltd."


async def test_a_report_of_loaded_data_is_given_again_only_until_newer_data_is_loaded(
    loaded: Runtime, north: Principal, register: Register, clock: ManualClock
) -> None:
    register.broken = PlainTextResponse("", 503)
    first = await report(loaded, north)
    assert (await report(loaded, north)).report_id == first.report_id
    clock.advance(minutes=5)
    put(loaded, KEY, [entry(NUMBER, "Capelin Ltd.")], north.world)
    assert (await report(loaded, north)).legal_name == "Capelin Ltd."


# ------------------------------------------------------------------------------------------------------------ documents


async def test_its_pdf_is_there_at_once_and_says_what_the_report_says(asked: Runtime, north: Principal) -> None:
    made = await report(asked, north)
    assert made.business_report.report_url is not None
    owner, name = verify_token(asked, token(made.business_report.report_url))
    text = text_of(await read_document(asked, owner, name))
    assert owner == north.organization_id
    assert "Cod & Capelin Ltd." in text
    assert made.evidence[0].sha256[:16] in text.replace("\n", "")


async def test_its_address_is_found_by_id_and_number(asked: Runtime, north: Principal) -> None:
    made = await report(asked, north)
    query = ReportDocumentQuery(search_id=made.search_id, registration_number=NUMBER, name=made.legal_name)
    address = await find_document(asked, north, query)
    assert verify_token(asked, token(address.url)) == (north.organization_id, f"reports/{made.report_id}/report.en.pdf")
    other = ReportDocumentQuery(search_id=made.search_id, registration_number="77002")
    with pytest.raises(NotFound):
        await find_document(asked, north, other)


async def test_a_match_of_a_search_has_one_too(asked: Runtime, north: Principal, south: Principal) -> None:
    result = await search(asked, north, name="Cod and Capelin")
    assert result.businesses is not None
    best = result.businesses[0]
    assert best.business_report is not None
    assert best.business_report.report_url is not None
    assert best.business_report.report_url_expires_at == asked.clock() + timedelta(seconds=asked.settings.signed_url_ttl_s)
    owner, name = verify_token(asked, token(best.business_report.report_url))
    assert "Cod & Capelin Ltd." in text_of(await read_document(asked, owner, name))
    query = ReportDocumentQuery(search_id=result.meta.search_id, registration_number=NUMBER, name=best.legal_name.name)
    assert verify_token(asked, token((await find_document(asked, north, query)).url)) == (owner, name)
    with pytest.raises(NotFound):
        await find_document(asked, south, query)


# ------------------------------------------------------------------------------------------------------------ signed addresses


async def test_a_signed_address_ends_in_time(asked: Runtime, north: Principal, clock: ManualClock) -> None:
    address = sign_url(asked, north.organization_id, "reports/a/report.en.pdf")
    clock.advance(seconds=asked.settings.signed_url_ttl_s - 1)
    assert verify_token(asked, token(address.url)) == (north.organization_id, "reports/a/report.en.pdf")
    clock.advance(seconds=1)
    with pytest.raises(NotFound, match="expired"):
        verify_token(asked, token(address.url))


async def test_no_character_of_a_signed_address_can_be_changed(asked: Runtime, north: Principal) -> None:
    good = token(sign_url(asked, north.organization_id, "reports/a/report.en.pdf").url)
    for place, character in enumerate(good):
        changed = good[:place] + ("A" if character != "A" else "B") + good[place + 1 :]
        try:
            verify_token(asked, changed)
        except NotFound:
            continue
        # The last character of base64 has bits that mean nothing: another spelling of the very same address.
        assert place == len(good) - 1
        assert verify_token(asked, changed) == verify_token(asked, good)


@pytest.mark.parametrize("made_up", ["", "a", "....", "AAAA" * 30, "é", "A" * 5000, "%2e%2e%2f"])
@ON_SQLITE_ONLY
async def test_what_we_did_not_sign_names_no_document(asked: Runtime, made_up: str) -> None:
    with pytest.raises(NotFound):
        verify_token(asked, made_up)


async def test_another_installations_signature_is_worth_nothing(asked: Runtime, north: Principal) -> None:
    address = sign_url(asked, north.organization_id, "reports/a/report.en.pdf")
    claimed = token(address.url)
    with pytest.raises(NotFound):
        verify_token(replace(asked, signing_key=b"another"), claimed)


@pytest.mark.parametrize(
    ("business", "slug"),
    [
        ("Sandbox Twin Holdings", "sandbox-twin-holdings"),
        ("Boulangerie Éclair & Cœur inc.", "boulangerie-eclair-coeur-inc"),
        ("O'Neil’s", "oneils"),
        ("ООО Ромашка", "ooo-romashka"),
        ("!!!", "report"),
    ],
)
def test_a_file_is_named_after_its_business(business: str, slug: str) -> None:
    assert build_file_name(business, date(2026, 11, 22)) == f"{slug}-2026-11-22.pdf"
