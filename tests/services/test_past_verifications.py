"""Verifications as people look at them."""

import pytest

from bonafide.errors import NotFound
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.verification.results import ResultStatus, VerificationState
from bonafide.runtime import Runtime
from bonafide.services.verification.lifecycle import list_past_verifications, read_verification_detail
from bonafide.store.records.verifications import VerificationFilter
from tests.support.services.runtimes import ManualClock
from tests.support.services.verifications import BAKERY, ordered, pending

pytestmark = pytest.mark.anyio
SLOW = {"legalName": "Sandbox Slow Registry Inc.", "jurisdiction": "BC", "registrationNumber": "BC1000033"}


async def test_the_list_says_what_each_came_to_or_where_it_stands(runtime: Runtime, north: Principal, clock: ManualClock) -> None:
    await ordered(runtime, north, **BAKERY)
    clock.advance(seconds=1)
    await pending(runtime, north, **SLOW)
    page = await list_past_verifications(runtime, north.organization_id, 10)
    assert [(one.subject.legal_name, one.state, one.outcome) for one in page.verifications] == [
        ("Sandbox Slow Registry Inc.", VerificationState.PENDING, None),
        ("Sandbox Bakery Inc.", VerificationState.COMPLETED, ResultStatus.VERIFIED),
    ]
    assert {one.asked_by for one in page.verifications} == {north.identity}
    first = await list_past_verifications(runtime, north.organization_id, 1)
    second = await list_past_verifications(runtime, north.organization_id, 1, cursor=first.older)
    assert [*first.verifications, *second.verifications] == list(page.verifications)
    assert (page.older, second.older) == (None, None)


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        (VerificationFilter(text="BAKERY"), ["Sandbox Bakery Inc."]),
        (VerificationFilter(text="bc10000"), ["Sandbox Slow Registry Inc."]),
        (VerificationFilter(text="zzz"), []),
        (VerificationFilter(state=VerificationState.PENDING), ["Sandbox Slow Registry Inc."]),
        (VerificationFilter(outcome=ResultStatus.VERIFIED), ["Sandbox Bakery Inc."]),
        (VerificationFilter(jurisdiction=Jurisdiction.BC), ["Sandbox Slow Registry Inc."]),
        (VerificationFilter(requested_by="nobody@north.example"), []),
    ],
)
async def test_the_list_is_narrowed_by_each_field(
    runtime: Runtime, north: Principal, chosen: VerificationFilter, found: list[str]
) -> None:
    await ordered(runtime, north, **BAKERY)
    await pending(runtime, north, **SLOW)
    page = await list_past_verifications(runtime, north.organization_id, 10, chosen)
    assert [one.subject.legal_name for one in page.verifications] == found
    mine = await list_past_verifications(runtime, north.organization_id, 10, VerificationFilter(requested_by=north.identity))
    assert len(mine.verifications) == 2


async def test_one_that_nobody_finished_in_time_has_failed_and_says_why(
    runtime: Runtime, north: Principal, clock: ManualClock
) -> None:
    one = await pending(runtime, north, **SLOW)
    found = await read_verification_detail(runtime, north.organization_id, one, Language.ENGLISH)
    assert (found.state, found.reason, found.document) == (VerificationState.PENDING, None, None)
    clock.advance(seconds=runtime.settings.verification_deadline_s)
    late = await read_verification_detail(runtime, north.organization_id, one, Language.ENGLISH)
    assert late.state is VerificationState.FAILED
    assert late.reason is not None
    assert "not completed within" in late.reason
    page = await list_past_verifications(runtime, north.organization_id, 1)
    assert page.verifications[0].state is VerificationState.FAILED


async def test_a_completed_one_is_read_in_either_language(runtime: Runtime, north: Principal) -> None:
    one = (await ordered(runtime, north, **BAKERY)).verification_id
    for language in Language:
        found = await read_verification_detail(runtime, north.organization_id, one, language)
        assert found.state is VerificationState.COMPLETED
        assert found.document is not None
        assert found.document.results.summary_language is language


async def test_south_sees_nothing_of_norths(runtime: Runtime, north: Principal, south: Principal) -> None:
    one = (await ordered(runtime, north, **BAKERY)).verification_id
    assert not (await list_past_verifications(runtime, south.organization_id, 10)).verifications
    with pytest.raises(NotFound):
        await read_verification_detail(runtime, south.organization_id, one, Language.ENGLISH)
