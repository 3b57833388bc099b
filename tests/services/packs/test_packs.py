"""An examiner's pack has everything of a business or a period, and nothing of anybody else."""

import json
from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from uuid import UUID

import pytest
from sqlalchemy import update

from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal
from bonafide.model.cases.policy import CaseDecisionKind
from bonafide.model.cases.requests import CaseDecisionRequest
from bonafide.model.events.event import EventType
from bonafide.model.packs.manifest import PackManifest
from bonafide.model.packs.pack import PackFormat, PackRequest, PackStatus
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.cases.deciding import decide_case
from bonafide.services.packs.requests import MAX_UNFINISHED, list_packs, read_pack
from bonafide.services.packs.verification import compare_with_log, verify_pack
from bonafide.services.verification.lifecycle import create_verification
from bonafide.services.verification.spec import VerificationRequester
from bonafide.store.database.tables import audit_entries
from bonafide.store.records import verifications
from bonafide.store.tenants import audit_log
from tests.support.services.accounts import with_settings
from tests.support.services.cases import ANN
from tests.support.services.events import list_events
from tests.support.services.packs import ask_for_pack, download, list_names, make_pack, read_packed
from tests.support.services.retention import PDF, KnownBusiness, fill
from tests.support.services.runtimes import clock_of

pytestmark = pytest.mark.anyio
WORD, OTHER = "Quillwander", "Larkspur"


async def test_the_pack_of_a_business_has_everything_about_it_and_nothing_of_another(
    runtime: Runtime, north: Principal, south: Principal
) -> None:
    business = await fill(runtime, north, WORD)
    other = await fill(runtime, north, OTHER, "1000025")
    rejection = CaseDecisionRequest(decision=CaseDecisionKind.REJECT, reason_code="other", note=f"{WORD} did not answer.")
    await decide_case(runtime, north.organization_id, business.case_id, rejection, ANN)
    pack = await make_pack(runtime, north, PackRequest(business_id=business.id))
    assert (pack.status, pack.items, pack.intact) == (PackStatus.READY, 8, True)
    packed = await download(runtime, north, pack.id)
    assert pack.zip is not None
    assert (pack.zip.size, pack.zip.sha256, pack.zip.name) == (
        len(packed),
        sha256(packed).hexdigest(),
        "examiners-pack-quillwander-inc-2026-11-20.zip",
    )
    names = list_names(packed)
    check_names(names, business)
    content = b"".join(read_packed(packed, name) for name in names if not name.endswith(".pdf"))
    for unknown in (OTHER, str(other.id), str(other.case_id), str(other.search_id)):
        assert unknown.encode() not in content
    case = json.loads(read_packed(packed, f"cases/{business.case_id}.json"))
    assert (case["decisions"][0]["note"], case["decisions"][0]["decidedBy"]) == (rejection.note, ANN.actor)
    attached = next(name for name in names if name.startswith("attachments/"))
    assert read_packed(packed, attached) == PDF
    check = verify_pack(BytesIO(packed))
    assert (check.problems, check.sha256) == ([], pack.sha256)
    rows = read_packed(packed, "items.csv").decode("utf-8-sig").splitlines()
    assert len(rows) == 1 + 8
    assert f"searches/{business.search_id}.json" in "".join(rows)
    assert await download(runtime, north, pack.id, PackFormat.PDF) == read_packed(packed, "pack.pdf")
    with pytest.raises(NotFound):
        await read_pack(runtime, south.organization_id, pack.id)
    assert not (await list_packs(runtime, south.organization_id, None, 10)).packs


def check_names(names: list[str], business: KnownBusiness) -> None:
    expected = {
        *("business.json", "ownership.json", "monitoring.json", "items.csv", "events.jsonl", "audit.jsonl", "pack.pdf"),
        f"searches/{business.search_id}.json",
        f"verifications/{business.verification_id}.json",
        f"screenings/{business.screening_id}.json",
        f"cases/{business.case_id}.json",
    }
    assert expected <= set(names)
    assert names[-1] == "manifest.json"
    printed = {f"pdf/{subject}/{business.id}/{business.word.lower()}.pdf" for subject in (business.id, business.search_id)}
    assert printed <= set(names)
    folders = {name.split("/")[0] for name in names if "/" in name}
    assert folders >= {"reports", "attachments", "ownership-reviews", "discrepancies", "documents"}


@pytest.mark.slow
async def test_who_had_a_pack_made_and_its_digest_are_in_the_audit_log_and_the_event(runtime: Runtime, north: Principal) -> None:
    business = await fill(runtime, north, WORD)
    pack = await make_pack(runtime, north, PackRequest(business_id=business.id), Language.FRENCH)
    async with runtime.store.read() as connection:
        page = await audit_log.list_for_subject(connection, north.organization_id, business.id, 100, 0)
        log = {entry.id: entry.hash for entry in await audit_log.list_after(connection, north.organization_id, 0, 1000)}
    by_field = {entry.field: entry for entry in page.entries}
    assert by_field["pack.requested"].actor == "analyst@north.example"
    completed = by_field["pack.completed"].new
    assert isinstance(completed, dict)
    assert (completed["id"], completed["zip"]) == (str(pack.id), pack.sha256)
    (event,) = [event for event in await list_events(runtime, north.organization_id) if event.type is EventType.PACK_READY]
    assert (event.data["packId"], event.data["sha256"]) == (str(pack.id), pack.sha256)
    check = verify_pack(BytesIO(await download(runtime, north, pack.id)))
    compare_with_log(check, north.organization_id, log)
    assert check.is_intact
    compare_with_log(check, north.organization_id, {**log, check.points[-1][0]: "0" * 64})
    assert [one.file for one in check.problems] == ["audit.jsonl"]


@pytest.mark.slow
async def test_the_pack_of_a_period_has_what_happened_in_it(runtime: Runtime, north: Principal) -> None:
    clock = clock_of(runtime)
    before = await fill(runtime, north, OTHER, "1000025")
    clock.now += timedelta(days=10)
    since = clock.now
    within = await fill(runtime, north, WORD)
    clock.now += timedelta(days=10)
    period = PackRequest(from_=since, to=clock.now)
    pack = await make_pack(runtime, north, period)
    packed = await download(runtime, north, pack.id)
    names = list_names(packed)
    assert f"searches/{within.search_id}.json" in names
    assert f"searches/{before.search_id}.json" not in names
    manifest = PackManifest.model_validate_json(read_packed(packed, "manifest.json"))
    assert (manifest.from_, manifest.to, manifest.items) == (period.from_, period.to, pack.items)
    assert 0 < manifest.audit.disclosed < manifest.audit.entries
    assert verify_pack(BytesIO(packed)).problems == []
    assert pack.zip is not None
    assert pack.zip.name == "examiners-pack-2026-11-30-to-2026-12-10.zip"


@pytest.mark.slow
async def test_the_pack_of_a_period_has_the_evidence_of_an_earlier_report_that_a_verification_in_it_used(
    runtime: Runtime, north: Principal
) -> None:
    clock = clock_of(runtime)
    business = await fill(runtime, north, WORD)
    clock.now += timedelta(minutes=10)
    since = clock.now
    claim = {"businessId": str(business.id), "legalName": f"{WORD} Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
    requester = VerificationRequester(identity=north.identity, request_id="request-2")
    verified = await create_verification(runtime, north, VerifyRequest.model_validate(claim), requester)
    async with runtime.store.read() as connection:
        document = await verifications.get_document(connection, north.organization_id, verified.verification_id)
    pack = await make_pack(runtime, north, PackRequest(from_=since, to=since + timedelta(days=1)))
    packed = await download(runtime, north, pack.id)
    assert document is not None
    report = document.parse(VerifyResponse).registry_data
    assert report is not None
    assert report.obtained_at < since
    assert f"reports/{report.report_id}.json" not in list_names(packed)
    for number, evidence in enumerate(report.evidence):
        assert sha256(read_packed(packed, f"reports/{report.report_id}/evidence-{number}.bin")).hexdigest() == evidence.sha256
    assert report.evidence
    assert verify_pack(BytesIO(packed)).is_intact


@pytest.mark.slow
async def test_a_log_that_was_tampered_with_is_stated_in_the_pack(runtime: Runtime, north: Principal) -> None:
    business = await fill(runtime, north, WORD)
    async with runtime.store.write() as connection:
        mine = audit_entries.c.organization_id == north.organization_id, audit_entries.c.id == 1
        await connection.execute(update(audit_entries).where(*mine).values(actor="somebody@else.example"))
    pack = await make_pack(runtime, north, PackRequest(business_id=business.id))
    assert pack.audit is not None
    assert (pack.intact, len(pack.audit.problems)) == (False, 1)
    check = verify_pack(BytesIO(await download(runtime, north, pack.id)))
    assert {one.file for one in check.problems} == {"audit.jsonl"}


@pytest.mark.slow
async def test_a_missing_and_a_changed_file_are_stated_and_do_not_keep_the_pack_from_being_made(
    runtime: Runtime, north: Principal
) -> None:
    business = await fill(runtime, north, WORD)
    names = [name async for owner, name in runtime.files.list_all() if owner == north.organization_id]
    await runtime.files.delete(north.organization_id, next(name for name in names if name.startswith("attachments/")))
    document = next(name for name in names if name.startswith("documents/"))
    await runtime.files.put(north.organization_id, document, b"%PDF another", "application/pdf")
    pack = await make_pack(runtime, north, PackRequest(business_id=business.id))
    packed = await download(runtime, north, pack.id)
    assert not [name for name in list_names(packed) if name.startswith("attachments/")]
    assert read_packed(packed, document) == b"%PDF another"
    assert verify_pack(BytesIO(packed)).is_intact


@pytest.mark.slow
async def test_a_period_with_too_much_is_refused_at_once_and_a_business_by_the_worker(runtime: Runtime, north: Principal) -> None:
    business = await fill(runtime, north, WORD)
    runtime = with_settings(runtime, pack_max_items=2)
    now = clock_of(runtime).now
    with pytest.raises(ValidationFailed):
        await ask_for_pack(runtime, north, PackRequest(from_=now - timedelta(days=1), to=now + timedelta(days=1)))
    pack = await make_pack(runtime, north, PackRequest(business_id=business.id))
    assert (pack.status, pack.zip) == (PackStatus.FAILED, None)
    assert pack.problem is not None
    assert "2" in pack.problem


async def test_an_organization_has_few_packs_made_at_once(runtime: Runtime, north: Principal, south: Principal) -> None:
    now = clock_of(runtime).now
    period = PackRequest(from_=now - timedelta(days=1), to=now)
    for _ in range(MAX_UNFINISHED):
        await ask_for_pack(runtime, north, period)
    with pytest.raises(Conflict):
        await ask_for_pack(runtime, north, period)
    assert isinstance(await ask_for_pack(runtime, south, period), UUID)
