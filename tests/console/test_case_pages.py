"""The queue of cases, one case, its policy and the timeline of a business: filtered, worked on, decided once, nobody else's."""

import re
from html import unescape
from uuid import UUID, uuid4

import httpx2
import pytest

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.cases.case import Case, CaseListItem, CaseStatus
from bonafide.model.cases.policy import CasePriority
from bonafide.model.events.event import EventBusiness
from bonafide.model.records.documents import MAX_DOCUMENT_BYTES
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization, read_settings
from bonafide.services.cases.reading import read_case
from tests.support.console.organization_work import FRENCH
from tests.support.console.searches import words_of
from tests.support.console.sessions import csrf_of, send, signed_in_client
from tests.support.services.cases import follow, list_all, open_discrepancy, record_overdue

pytestmark = pytest.mark.anyio
CASES = "/console/cases"
PDF = b"%PDF-1.7 a scanned extract"


@pytest.fixture
def runtime(bare_runtime: Runtime) -> Runtime:
    return bare_runtime


@pytest.fixture
async def organization_id(analyst: httpx2.AsyncClient, runtime: Runtime, organization: str) -> UUID:
    """The organization of the analyst."""
    assert not analyst.is_closed
    return (await find_organization(runtime, organization, World.SANDBOX)).id


async def open_cases(runtime: Runtime, organization_id: UUID, *names: str) -> list[Case]:
    """A case for each of these businesses."""
    for name in names:
        await open_discrepancy(runtime, organization_id, name=name)
    await follow(runtime)
    listed = {case.name: case.id for case in await list_all(runtime, organization_id)}
    return [await read_case(runtime, organization_id, listed[name]) for name in names]


def numbers_in(page: httpx2.Response) -> list[int]:
    """The numbers of the listed cases, in their order."""
    assert page.status_code == 200, page.text
    return [int(number) for number in re.findall(r'<span class="quiet number">(\d+)</span> <a[^>]+data-row', page.text)]


def address_of(case: CaseListItem) -> str:
    return f"{CASES}/{case.id}"


async def test_the_queue_is_filtered_and_paged(analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID) -> None:
    assert "All caught up" in words_of(await analyst.get(CASES))
    names = [f"Société Numéro {number}" for number in range(27)]
    await record_overdue(runtime, organization_id, *(EventBusiness(id=uuid4(), external_id=None, name=name) for name in names))
    cases = sorted(await list_all(runtime, organization_id), key=lambda case: case.number)
    first = await analyst.get(CASES)
    assert numbers_in(first) == list(range(1, 26))
    (older,) = re.findall(r'rel="next" href="([^"]+)"', first.text)
    assert numbers_in(await analyst.get(unescape(older))) == [26, 27]
    assert numbers_in(await analyst.get(CASES, params={"sort": "newest"}))[0] == 27
    assert numbers_in(await analyst.get(CASES, params={"text": "numero 13"})) == [14]
    assert numbers_in(await analyst.get(CASES, params={"text": "#7"})) == [7]
    assert numbers_in(await analyst.get(CASES, params={"kind": "alert", "text": "26"})) == [26, 27]
    for chosen in ({"kind": "sanctions_hit"}, {"due": "overdue"}, {"assignee": "me"}, {"status": "waiting"}, {"priority": "low"}):
        assert numbers_in(await analyst.get(CASES, params=chosen)) == []
    assert numbers_in(await analyst.get(f"{CASES}?assignee=none&text=%2327")) == [27]
    page = await analyst.get(f"{address_of(cases[1])}?assignee=none")
    near = [unescape(link) for link in re.findall(r'rel="(?:prev|next)" href="([^"]+)"', page.text)]
    assert near == [f"{address_of(cases[place])}?assignee=none" for place in (0, 2)]


async def test_several_cases_are_changed_and_decided(
    analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID, organization: str
) -> None:
    one, two, three = await open_cases(runtime, organization_id, "One", "Two", "Three")
    me = f"{Role.ANALYST}@{organization}.example"
    answer = await send(analyst, CASES, do="assign_to_me", case=[str(one.id), str(two.id)])
    assert answer.headers["Location"] == f"{CASES}?done=2"
    assert numbers_in(await analyst.get(CASES, params={"assignee": "me"})) == [1, 2]
    answer = await send(analyst, CASES, do="change", case=str(two.id), assignee="none", priority="urgent", dueOn="2030-01-31")
    assert answer.headers["Location"] == f"{CASES}?done=1&at={two.id}"
    changed = await read_case(runtime, organization_id, two.id)
    assert (changed.assignee, changed.priority) == (None, CasePriority.URGENT)
    assert changed.due_at is not None
    assert changed.due_at.date().isoformat() in {"2030-01-31", "2030-02-01"}
    assert (await read_case(runtime, organization_id, one.id)).assignee == me
    assert numbers_in(await analyst.get(CASES)) == [1, 3, 2]
    rejected = {"do": "decide", "decisionAndReason": "reject:not_verified"}
    await send(analyst, CASES, case=str(three.id), **rejected)
    answer = await send(analyst, CASES, case=[str(one.id), str(three.id)], **rejected)
    assert answer.status_code == 409
    said = words_of(answer)
    assert "1 case changed." in said
    assert f"Case {three.number} : {me} rejected this case on" in said
    assert (await read_case(runtime, organization_id, one.id)).status is CaseStatus.DECIDED
    for incomplete, problem in (
        ({"do": "change"}, "Select at least one case."),
        ({"do": "change", "case": str(two.id)}, "Choose what to change."),
        ({"do": "change", "case": str(two.id), "dueOn": "soon"}, "must be a date"),
        ({"do": "change", "case": str(two.id), "assignee": "nobody@x.example"}, "is not the e-mail of a member"),
        ({"do": "decide", "case": str(two.id)}, "Choose a decision."),
    ):
        answer = await send(analyst, CASES, **incomplete)
        assert (answer.status_code, problem in words_of(answer)) == (422, True), words_of(answer)


async def test_a_case_is_worked_on_and_decided_once(
    analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID, organization: str
) -> None:
    first, second = await open_cases(runtime, organization_id, "First", "Second")
    path = address_of(first)
    page = words_of(await analyst.get(path))
    assert "Needs a decision Ownership discrepancies 1" in page
    await send(analyst, path, f"{path}/change", assignee="me")
    await send(analyst, path, f"{path}/notes", text="Asked the client.\r\n<b>")
    missing = await send(analyst, path, f"{path}/notes", text=" ")
    assert (missing.status_code, "Nothing was saved. Note:" in words_of(missing).replace(" :", ":")) == (400, True)
    token = csrf_of(await analyst.get(path))
    large = PDF + bytes(MAX_DOCUMENT_BYTES)
    refusals = ((b"plain", 400, "must be a file of one of these types"), (large, 400, "must not be larger than 10 MB"))
    for content, status, said in ((PDF, 303, ""), *refusals):
        sent = await analyst.post(f"{path}/attachments", data={"csrf": token}, files={"file": ("extract.pdf", content)})
        assert (sent.status_code, said in words_of(sent)) == (status, True), words_of(sent)
    shown = await analyst.get(path)
    case = await read_case(runtime, organization_id, first.id)
    assert case.attachments[0].sha256 in shown.text
    (download,) = re.findall(r'href="([^"]+/content)"', shown.text)
    assert (await analyst.get(download)).content == PDF
    assert "Asked the client. <b>" in words_of(shown)
    form = await analyst.get(f"{path}?decision=approve")
    assert "Identity and existence confirmed" in form.text
    assert "Match with a listed party" not in form.text
    (seen,) = re.findall(r'name="itemCount" value="([^"]+)"', form.text)
    decision = {"decision": "approve", "itemCount": seen}
    incomplete = await send(analyst, path, f"{path}/decision", **decision)
    assert (incomplete.status_code, "Choose a reason." in words_of(incomplete)) == (400, True)
    await open_discrepancy(runtime, organization_id, "John Roe", name="First")
    await follow(runtime)
    stale = await send(analyst, path, f"{path}/decision", **decision, reasonCode="other")
    assert (stale.status_code, "A new item was opened since you opened this page." in words_of(stale)) == (409, True)
    decision["itemCount"] = "2"
    done = await send(analyst, path, f"{path}/decision", **decision, reasonCode="discrepancy_explained", note="Seen.")
    assert done.headers["Location"] == f"{path}?done=decided"
    after = await analyst.get(f"{path}?done=decided")
    me = f"{Role.ANALYST}@{organization}.example"
    assert f"Approved by {me}" in words_of(after)
    assert f'href="{address_of(second)}"' in after.text
    async with await signed_in_client(runtime, Role.OWNER, organization) as owner:
        late = await send(owner, path, f"{path}/decision", itemCount="1", decision="reject", reasonCode="other", note="Mine.")
        assert late.status_code == 409
        said = words_of(late)
        assert f"Nothing was saved. {me} approved this case" in said
        assert "Discrepancy explained by evidence" in said
        assert "You wrote: Mine." in said.replace(" :", ":")


async def test_a_second_person_confirms(
    analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID, organization: str
) -> None:
    (case,) = await open_cases(runtime, organization_id, "First")
    path = address_of(case)
    async with await signed_in_client(runtime, Role.OWNER, organization) as owner:
        policy = {"enabled": "true", "secondReview": ["approve"], **policy_fields(await owner.get("/console/settings/cases"))}
        saved = await send(owner, "/console/settings/cases", **policy)
        assert saved.status_code == 303, words_of(saved)
        await send(analyst, path, f"{path}/decision", itemCount="1", decision="approve", reasonCode="identity_confirmed")
        mine = await analyst.get(f"{path}?decision=approve")
        assert "Another person has to confirm or return it." in words_of(mine)
        assert 'action="' + path + "/decision" not in mine.text
        theirs = await owner.get(f"{path}?decision=approve")
        assert "You are the second person" in words_of(theirs)
        (pending,) = re.findall(r'name="reviews" value="([^"]+)"', theirs.text)
        blind = await send(owner, path, f"{path}/decision", itemCount="1", decision="approve", reasonCode="other")
        assert (blind.status_code, "wants to approve this case" in words_of(blind)) == (409, True)
        confirmed = {"decision": "approve", "reasonCode": "identity_confirmed", "reviews": pending}
        await send(owner, path, f"{path}/decision", itemCount="1", **confirmed)
    assert (await read_case(runtime, organization_id, case.id)).status is CaseStatus.DECIDED
    assert "First decision" in words_of(await analyst.get(path))


def policy_fields(page: httpx2.Response) -> dict[str, object]:
    """The fields of the policy as the page shows them, without its checkboxes of the second review."""
    fields: dict[str, object] = {}
    for tag in re.findall(r"<input[^>]+>", page.text):
        name, value = (unescape(found[1]) if (found := re.search(rf'{key}="([^"]*)"', tag)) else "" for key in ("name", "value"))
        if name in {"csrf", "enabled", "secondReview", ""} or ('type="checkbox"' in tag and " checked" not in tag):
            continue
        fields[name] = [*fields.get(name, []), value] if name.endswith(".decisions") else value  # type: ignore[misc]
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', page.text):
        fields[name] = re.findall(r'value="([^"]+)" selected', options)[0]
    return fields


async def test_default_reasons_stay_translated_until_they_are_changed(runtime: Runtime, organization: str) -> None:
    async with await signed_in_client(runtime, Role.OWNER, organization) as owner:
        owner.headers.update(FRENCH)
        page = await owner.get("/console/settings/cases")
        fields = policy_fields(page)
        fields |= {"enabled": "true", "reason.8.code": "sample", "reason.8.title": "Sample", "alert.dueDays": ""}
        saved = await send(owner, "/console/settings/cases", **fields)
        assert saved.status_code == 303, words_of(saved)
        organization_id = (await find_organization(runtime, organization, World.SANDBOX)).id
        policy = (await read_settings(runtime, organization_id)).cases
        assert policy.items.alert.due_days is None
        assert [one.title.template for one in policy.reason_codes][-2:] == ["Other reason, see the note", None]
        assert policy.reason_codes[0].title == "Identity and existence confirmed"
        wrong = await send(owner, "/console/settings/cases", **(fields | {"reason.8.code": "not a code", "alert.dueDays": "0"}))
        assert wrong.status_code == 422
        assert 'id="reason.8.code-problem"' in wrong.text
        assert 'id="alert.dueDays-problem"' in wrong.text


async def test_the_timeline_of_a_business_has_its_case(
    analyst: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    (case,) = await open_cases(runtime, organization_id, "First")
    assert case.business is not None
    page = await analyst.get(f"/console/businesses/{case.business.id}/timeline")
    said = words_of(page)
    places = [said.index(title) for title in ("Case opened", "Ownership discrepancy opened", "Business record created")]
    assert places == sorted(places)
    assert f'href="{address_of(case)}"' in page.text


async def test_viewers_see_no_forms_and_strangers_nothing(
    viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    (case,) = await open_cases(runtime, organization_id, "First")
    path = address_of(case)
    for page in (CASES, path):
        shown = await viewer.get(page)
        assert (shown.status_code, f'action="{CASES}' in shown.text.replace(f'action="{CASES}" role="search"', "")) == (200, False)
    token = csrf_of(await viewer.get(CASES))
    assert (await viewer.post(f"{path}/notes", data={"csrf": token, "text": "x"})).status_code == 403
    async with await signed_in_client(runtime, Role.ANALYST, f"n{uuid4().hex}") as stranger:
        item = case.items[0].id
        for address in (path, f"{path}/items/{item}/evidence", f"{path}/attachments/{item}/content"):
            assert (await stranger.get(address)).status_code == 404
        for action in ("change", "notes", "attachments", "acknowledge", "decision"):
            fields = {"text": "x", "assignee": "me", "event": case.items[0].event_id, "decision": "reject", "reasonCode": "other"}
            assert (await send(stranger, CASES, f"{path}/{action}", **fields)).status_code == 404
        assert (await send(stranger, CASES, do="assign_to_me", case=str(case.id))).status_code == 404
    assert await read_case(runtime, organization_id, case.id) == case
