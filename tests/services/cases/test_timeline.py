"""The timeline of a business has its events, checks and decisions, newest first, each once."""

from uuid import uuid4

import pytest

from bonafide.errors import NotFound, ValidationFailed
from bonafide.model.accounts.organizations import Principal
from bonafide.model.records.timeline import TimelineEntry, TimelineEntryKind
from bonafide.runtime import Runtime
from bonafide.services.cases.timeline import NEWEST, decode_timeline_cursor, read_timeline
from bonafide.services.screening.dismissals import dismiss
from tests.support.services.business_records import sent
from tests.support.services.cases import ANN
from tests.support.services.runtimes import ManualClock
from tests.support.services.sanctions_lists import NAME, load_two_lists, request_for, screened

pytestmark = pytest.mark.anyio


async def test_every_entry_is_listed_once_whatever_the_size_of_the_pages(
    empty_runtime: Runtime, north: Principal, south: Principal, clock: ManualClock
) -> None:
    load_two_lists(empty_runtime)
    organization = north.organization_id
    record, other = await sent(empty_runtime, organization, name=NAME), await sent(empty_runtime, organization, name="Other Inc.")
    for business in (record, other, record):
        clock.advance(minutes=1)
        (match,) = (await screened(empty_runtime, north, NAME, businessId=str(business.id))).screening.matches
    clock.advance(minutes=1)
    await dismiss(empty_runtime, north, request_for(match, NAME, businessId=str(record.id)), ANN)

    async def list_by(limit: int) -> list[TimelineEntry]:
        position, entries = NEWEST, list[TimelineEntry]()
        while True:
            page = await read_timeline(empty_runtime, organization, record.id, position, limit)
            entries += page.entries
            position = decode_timeline_cursor(page.cursor.next)
            if not page.pagination.has_more:
                return entries

    whole = await list_by(100)
    described = [entry.event.type.value if entry.event is not None else "screening" for entry in whole]
    assert described == ["dismissal.created", "screening", "screening.hit_found", "screening", "business.created"]
    assert whole[0].kind is TimelineEntryKind.DECISION
    assert [entry.kind for entry in whole if entry.screening is not None] == [TimelineEntryKind.CHECK] * 2
    for limit in (1, 2, 3):
        assert await list_by(limit) == whole
    for stranger, business_id in ((south.organization_id, record.id), (organization, uuid4())):
        with pytest.raises(NotFound):
            await read_timeline(empty_runtime, stranger, business_id, NEWEST, 10)
    with pytest.raises(ValidationFailed):
        decode_timeline_cursor("e1.5")
