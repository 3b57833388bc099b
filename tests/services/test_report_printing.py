"""Reports of searches and verifications: rendered once for what is stored, and only for who may see it."""

import asyncio
import io
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from pypdf import PdfReader

from bonafide.errors import Conflict, NotFound
from bonafide.i18n.language import Language
from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.accounts.organizations import Principal
from bonafide.model.pdf_documents import PdfRequest
from bonafide.model.records.business_record import Author
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.accounts import organizations
from bonafide.services.printing.pdf_reports import PrintedReport, print_pdf
from bonafide.services.search import history
from bonafide.services.verification.lifecycle import fail_overdue
from tests.support.services.runtimes import ManualClock, search
from tests.support.services.verifications import BAKERY, pending, stands

pytestmark = pytest.mark.anyio


async def printed(runtime: Runtime, principal: Principal, language: Language = Language.ENGLISH, /, **of: object) -> PrintedReport:
    return await print_pdf(runtime, principal.organization_id, PdfRequest.model_validate(of), language)


async def searched(runtime: Runtime, principal: Principal) -> UUID:
    return (await search(runtime, principal, name="Sandbox Bakery Inc.", limit=2, match_selection=True)).meta.search_id


async def test_a_second_asker_gets_the_same_file_later_too(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    search_id = await searched(runtime, north)
    first = await printed(runtime, north, search_id=search_id)
    clock.advance(hours=5)
    again = await printed(runtime, north, search_id=search_id)
    assert again.content == first.content
    assert again.document.expires_at == first.document.expires_at + timedelta(hours=5)


async def test_many_who_ask_at_once_get_one_file(runtime: Runtime, north: Principal) -> None:
    search_id = await searched(runtime, north)
    reports = await asyncio.gather(*(printed(runtime, north, search_id=search_id) for _ in range(4)))
    assert len({report.document.sha256 for report in reports}) == 1


async def test_another_language_look_time_zone_or_selection_is_another_document(runtime: Runtime, north: Principal) -> None:
    search_id = await searched(runtime, north)
    ids = {(await printed(runtime, north, search_id=search_id)).document.document_id}
    ids.add((await printed(runtime, north, Language.FRENCH, search_id=search_id)).document.document_id)
    for changed in ({"branding": {"name": "Prairie"}}, {"notifications": {"timeZone": "America/Toronto"}}):
        change = SettingsChange.model_validate(changed)
        await organizations.change_settings(runtime, north.organization_id, change, Author("test"))
        ids.add((await printed(runtime, north, search_id=search_id)).document.document_id)
    await history.choose_match(runtime, north.organization_id, search_id, MatchChoice(status="no_selection"))
    ids.add((await printed(runtime, north, search_id=search_id)).document.document_id)
    assert len(ids) == 5


async def test_nobody_elses_is_found(runtime: Runtime, north: Principal, south: Principal) -> None:
    search_id = await searched(runtime, north)
    for of in ({"search_id": search_id}, {"search_id": uuid4()}, {"verification_id": uuid4()}):
        with pytest.raises(NotFound):
            await printed(runtime, south, **of)


async def test_a_verification_that_is_under_way_or_has_failed_is_refused_with_the_reason(
    runtime: Runtime, north: Principal, clock: ManualClock
) -> None:
    verification_id = await pending(runtime, north, **(BAKERY | {"jurisdiction": "BC", "registrationNumber": "BC1000033"}))
    with pytest.raises(Conflict, match="in progress"):
        await printed(runtime, north, verification_id=verification_id)
    clock.advance(hours=24)
    await fail_overdue(runtime)
    reason = (await stands(runtime, north, verification_id))["error"]
    with pytest.raises(Conflict) as refused:
        await printed(runtime, north, verification_id=verification_id)
    assert reason in refused.value.message


async def test_pages_can_be_read(runtime: Runtime, north: Principal) -> None:
    report = await printed(runtime, north, search_id=await searched(runtime, north))
    assert report.file_name == "sandbox-bakery-inc-2026-11-20.pdf"
    assert "Sandbox Bakery Inc." in PdfReader(io.BytesIO(report.content)).pages[0].extract_text()
