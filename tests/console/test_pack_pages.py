"""Examiner's packs in the console: requested for a business or a period, followed, downloaded."""

from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import httpx2
import pytest

from bonafide.app.worker import work_once
from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime
from bonafide.services.packs.requests import MAX_UNFINISHED
from bonafide.services.packs.verification import verify_pack
from tests.support.console.searches import runtime_over, words_of
from tests.support.console.sessions import send
from tests.support.services.business_records import sent
from tests.support.services.runtimes import ManualClock, principal_of

pytestmark = pytest.mark.anyio
PACKS = "/console/packs"
NOVEMBER = {"first": "2026-11-01", "last": "2026-11-30"}


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    folder = tmp_path_factory.mktemp("packs")
    async with runtime_over(sqlite_template, folder, folder / "index", ManualClock()) as opened:
        yield opened


@pytest.fixture
async def principal(runtime: Runtime, organization: str) -> Principal:
    return await principal_of(runtime, organization)


async def make_all(runtime: Runtime) -> None:
    while await work_once(runtime, "worker"):
        pass


async def test_the_pack_of_a_business_is_requested_from_its_page(
    runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient
) -> None:
    record = await sent(runtime, principal.organization_id, name="Quillwander Inc.")
    page = f"{PACKS}?business={record.id}"
    assert f'href="{page}"' in (await analyst.get(f"/console/businesses/{record.id}")).text
    answer = await send(analyst, page, PACKS, business=str(record.id))
    assert answer.headers["Location"] == page
    waiting = words_of(await analyst.get(page))
    assert "Quillwander Inc." in waiting
    assert "Queued" in waiting
    await make_all(runtime)
    ready = await analyst.get(page)
    assert "Intact" in words_of(ready)
    address = next(part for part in ready.text.split('"') if part.endswith("/pack.zip"))
    packed = await analyst.get(address)
    assert "quillwander-inc" in packed.headers["Content-Disposition"]
    assert verify_pack(BytesIO(packed.content)).sha256 in ready.text
    printed = await analyst.get(address.replace(".zip", ".pdf"))
    assert printed.content.startswith(b"%PDF")


async def test_a_period_has_whole_days(analyst: httpx2.AsyncClient) -> None:
    answer = await send(analyst, PACKS, PACKS, **NOVEMBER)
    assert answer.headers["Location"] == PACKS
    assert "1 Nov 2026 to 30 Nov 2026" in words_of(await analyst.get(PACKS)).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"first": "", "last": "2026-11-30"}, "Enter a date as YYYY-MM-DD."),
        ({"first": "2026-11-30", "last": "2026-11-01"}, "must not be before the first day"),
        ({"first": "2026-11-01", "last": "9999-12-31"}, "Enter a date as YYYY-MM-DD."),
    ],
)
async def test_an_invalid_period_is_told_at_its_field(analyst: httpx2.AsyncClient, fields: dict[str, str], sentence: str) -> None:
    answer = await send(analyst, PACKS, PACKS, **fields)
    assert answer.status_code == 422
    assert sentence in words_of(answer)


async def test_what_can_not_be_requested_is_told(analyst: httpx2.AsyncClient) -> None:
    for _ in range(MAX_UNFINISHED):
        await send(analyst, PACKS, PACKS, **NOVEMBER)
    answer = await send(analyst, PACKS, PACKS, **NOVEMBER)
    assert answer.status_code == 422
    assert "packs are being made" in words_of(answer)


async def test_a_viewer_sees_packs_and_requests_none(viewer: httpx2.AsyncClient) -> None:
    page = await viewer.get(PACKS)
    assert "Make a pack" not in words_of(page)
    assert (await send(viewer, PACKS, PACKS, **NOVEMBER)).status_code == 403
