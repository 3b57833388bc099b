"""Actions on several business records: chosen in the list, done by a worker, reported record by record, each done once."""

from typing import Any
from uuid import uuid4

import httpx2
import pytest

from bonafide.app import worker
from bonafide.errors import NotFound
from bonafide.i18n.language import Language
from bonafide.model.accounts.users import Role
from bonafide.model.lists.bulk_actions import BulkActionKind, BulkItemStatus
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.services.lists import bulk_actions
from bonafide.services.records import business_records
from bonafide.services.screening.history import list_screenings
from bonafide.services.verification.lifecycle import list_past_verifications
from bonafide.store.lists import bulk_actions as stored_actions
from bonafide.store.records.screenings import ScreeningFilter
from tests.support.console.organization_work import Desk, elsewhere
from tests.support.console.searches import words_of
from tests.support.console.sessions import csrf_of, send

pytestmark = pytest.mark.anyio
LIST = "/console/businesses"
SOMEBODY = Author("ann@north.example")
BAKERY = {"name": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}


async def kept(desk: Desk, **said: Any) -> BusinessRecord:
    organization_id = (await desk.principal()).organization_id
    request = BusinessUpsert.model_validate(said)
    return (await business_records.upsert(desk.runtime, organization_id, request, SOMEBODY)).record


async def now(desk: Desk, record: BusinessRecord) -> BusinessRecord:
    organization_id = (await desk.principal()).organization_id
    return await business_records.find_record(desk.runtime, organization_id, business_id=record.id)


async def worked(desk: Desk) -> None:
    while await worker.work_once(desk.runtime, "w1"):
        pass


async def reported(client: httpx2.AsyncClient, answer: httpx2.Response) -> str:
    assert answer.status_code == 303, answer.text
    page = await client.get(answer.headers["Location"])
    assert page.status_code == 200
    return words_of(page)


async def test_selected_records_are_monitored_and_archived(desk: Desk) -> None:
    records = [await kept(desk, name=name) for name in ("Alder", "Birch", "Cedar")]
    ids = [str(record.id) for record in records[:2]]
    async with desk.someone(Role.ANALYST) as analyst:
        answer = await send(analyst, f"{LIST}?text=r", business=[*ids, "x", ids[0]], action="monitor")
        page = await analyst.get(answer.headers["Location"])
        assert "In progress: 0 of 2." in words_of(page)
        assert "Refresh" in page.headers
        await worked(desk)
        assert "All done." in await reported(analyst, answer)
        assert [(await now(desk, record)).is_monitored for record in records] == [True, True, False]
        answer = await send(analyst, LIST, business=[str(record.id) for record in records], action="monitor")
        await worked(desk)
        said = await reported(analyst, answer)
        assert said.count("Unchanged") == 2
        assert (await now(desk, records[2])).is_monitored
        answer = await send(analyst, LIST, business=ids[:1], action="archive")
        await worked(desk)
        assert (await now(desk, records[0])).is_archived
        assert "Archive: 1 record" in await reported(analyst, answer)


async def test_records_are_verified_and_screened_and_what_can_not_be_is_told(desk: Desk) -> None:
    bakery, nameless = await kept(desk, **BAKERY), await kept(desk, externalId="crm-9")
    organization_id = (await desk.principal()).organization_id
    ids = [str(bakery.id), str(nameless.id)]
    async with desk.someone(Role.ANALYST) as analyst:
        answer = await send(analyst, LIST, business=ids, action="verify")
        await worked(desk)
        said = await reported(analyst, answer)
        assert "1 record was left out. The reason is below." in said
        assert "is required, because the business record does not have it" in said
        page = await list_past_verifications(desk.runtime, organization_id, 10)
        assert [one.asked_by for one in page.verifications] == [f"analyst@{desk.organization}.example"]
        answer = await send(analyst, LIST, business=ids, action="screen")
        await worked(desk)
        assert "The record has no name to screen." in await reported(analyst, answer)
        screened = await list_screenings(desk.runtime, organization_id, ScreeningFilter(business_id=bakery.id), 10)
        assert len(screened.screenings) == 1


async def test_an_interrupted_action_goes_on_and_does_nothing_twice(desk: Desk) -> None:
    principal = await desk.principal()
    bakery = await kept(desk, **BAKERY)
    organization_id = principal.organization_id
    action_id = await bulk_actions.begin_action(desk.runtime, principal, BulkActionKind.SCREEN, [bakery.id], Language.ENGLISH)
    async with desk.runtime.store.read() as connection:
        (item,) = await stored_actions.list_items(connection, organization_id, action_id, 10)
    await bulk_actions.run_bulk_job(desk.runtime, organization_id, action_id)
    # A second worker that had read the same item before the first one stored it.
    action = (await bulk_actions.read_report(desk.runtime, organization_id, action_id, 10)).action
    await bulk_actions.do_item(desk.runtime, principal, action, item)
    page = await list_screenings(desk.runtime, organization_id, ScreeningFilter(), 10)
    assert len(page.screenings) == 1
    assert await bulk_actions.run_bulk_job(desk.runtime, organization_id, action_id) is None
    report = await bulk_actions.read_report(desk.runtime, organization_id, action_id, 10)
    assert report.counts == {BulkItemStatus.DONE: 1}
    assert report.action.finished_at is not None


async def test_a_report_is_kept_for_a_while(desk: Desk) -> None:
    principal = await desk.principal()
    record = await kept(desk, name="Alder")
    chosen = (desk.runtime, principal.organization_id)
    action_id = await bulk_actions.begin_action(desk.runtime, principal, BulkActionKind.ARCHIVE, [record.id], Language.ENGLISH)
    await bulk_actions.purge_reports(desk.runtime)
    await worked(desk)
    await bulk_actions.purge_reports(desk.runtime)
    assert (await bulk_actions.read_report(*chosen, action_id, 10)).total == 1
    desk.clock.advance(days=31)
    await bulk_actions.purge_reports(desk.runtime)
    with pytest.raises(NotFound):
        await bulk_actions.read_report(*chosen, action_id, 10)


async def test_all_records_that_match_are_chosen_at_once(desk: Desk) -> None:
    for number in range(30):
        await kept(desk, name=f"Maple {number}")
    other = await kept(desk, name="Birch")
    async with desk.someone(Role.ANALYST) as analyst:
        answer = await send(analyst, f"{LIST}?text=maple", f"{LIST}?text=maple", all="yes", action="archive")
        await worked(desk)
        assert "Archive: 30 records" in await reported(analyst, answer)
        assert not (await now(desk, other)).is_archived
        assert "No matching records" in words_of(await analyst.get(f"{LIST}?text=maple"))


@pytest.mark.parametrize("fields", [{"action": "monitor"}, {"business": "x", "action": "monitor"}, {"business": str(uuid4())}])
async def test_a_form_that_selects_nothing_does_nothing(desk: Desk, fields: dict[str, str]) -> None:
    async with desk.someone(Role.ANALYST) as analyst:
        answer = await analyst.post(LIST, data={"csrf": csrf_of(await analyst.get(f"{LIST}/new")), **fields})
        assert answer.status_code == 422
        assert ("Select at least one record." in words_of(answer)) == ("action" in fields)


async def test_records_and_reports_of_another_organization_are_left_alone(desk: Desk) -> None:
    other = elsewhere(desk)
    own, foreign = await kept(desk, name="Alder"), await kept(other, name="Birch")
    async with desk.someone(Role.ANALYST) as analyst, other.someone(Role.VIEWER) as viewer:
        answer = await send(analyst, LIST, business=[str(foreign.id), str(own.id)], action="archive")
        await worked(desk)
        assert "Archive: 1 record" in await reported(analyst, answer)
        assert not (await now(other, foreign)).is_archived
        assert (await now(desk, own)).is_archived
        assert (await viewer.get(answer.headers["Location"])).status_code == 404
        form = {"csrf": csrf_of(await viewer.get(LIST)), "business": str(foreign.id), "action": "archive"}
        refused = await viewer.post(LIST, data=form)
        assert refused.status_code == 403
