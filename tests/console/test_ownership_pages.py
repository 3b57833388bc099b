"""The pages of ownership: a statement is typed into a form, and the page says who is behind the business and why."""

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from bonafide.console.businesses.ownership_form import BLANK_ROWS, MAX_ROWS
from bonafide.model.accounts.organizations import World
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.statement import MAX_PARTIES, Claimant, OwnershipStatement
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.ownership import statements
from bonafide.services.records import business_records
from bonafide.services.screening import owner_screening
from tests.support.console.searches import runtime_over, words_of
from tests.support.console.sessions import csrf_of

pytestmark = pytest.mark.anyio
SOMEBODY = Author("ann@north.example")
FRENCH = {"Accept-Language": "fr-CA"}


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    folder = tmp_path_factory.mktemp("ownership")
    async with runtime_over(sqlite_template, folder, folder) as opened:
        yield opened


@pytest.fixture
async def organization_id(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> UUID:
    del analyst
    return (await find_organization(runtime, organization, World.SANDBOX)).id


@pytest.fixture
async def business_id(runtime: Runtime, organization_id: UUID) -> UUID:
    request = BusinessUpsert.model_validate({"name": "Acme <b>Bakery</b> Ltd."})
    return (await business_records.upsert(runtime, organization_id, request, SOMEBODY)).record.id


def address(business_id: UUID, claimant: str = "") -> str:
    return f"/console/businesses/{business_id}/ownership{claimant}"


def find(tree: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
    """The first element of this selector, which is there."""
    found = tree.css_first(selector)
    assert found is not None, selector
    return found


def fields_in(page: httpx2.Response) -> dict[str, str]:
    """The form as a browser would send it."""
    form = find(LexborHTMLParser(page.text), "main form.stack")
    fields = {str(field.attributes["name"]): field.attributes.get("value") or "" for field in form.css("input")}
    for select in form.css("select"):
        chosen = select.css_first("option[selected]") or find(select, "option")
        fields[str(select.attributes["name"])] = chosen.attributes.get("value") or ""
    return fields


def confirmation_in(page: httpx2.Response) -> dict[str, str]:
    """The fields of the form of a confirmation."""
    form = find(LexborHTMLParser(page.text), "main form.actions")
    return {str(field.attributes["name"]): field.attributes.get("value") or "" for field in form.css("input")}


def count_rows(fields: dict[str, str], name: str) -> int:
    """The number of rows, by the name of a field that each of them has."""
    return next(number for number in range(MAX_ROWS + 1) if name.format(number) not in fields)


async def sent_form(client: httpx2.AsyncClient, page: str, changes: dict[str, str]) -> httpx2.Response:
    fields = fields_in(await client.get(page))
    assert changes.keys() <= fields.keys()
    return await client.post(page, data={**fields, **changes})


def three_levels(fields: dict[str, str]) -> dict[str, str]:
    """Jane has 60 % of a holding, which has 50 to 75 % of the business."""
    bakery, holding, jane = (fields[f"parties.{number}.id"] for number in range(3))
    return {
        "declaredBy": "Jane Doe, president",
        "parties.1.kind": "business",
        "parties.1.name": "Holding Ltd.",
        "parties.1.jurisdiction": "ON",
        "parties.2.kind": "person",
        "parties.2.name": "Jane Doe",
        "parties.2.countries": "CA, FR",
        "interests.0.owner": holding,
        "interests.0.owned": bakery,
        "interests.0.share.min": "50",
        "interests.0.share.max": "75",
        "interests.0.share.ends": "min",
        "interests.1.owner": jane,
        "interests.1.owned": holding,
        "interests.1.share.exact": "60,5 %",
        "interests.1.evidence": "Register, page 2",
    }


async def recorded(client: httpx2.AsyncClient, business_id: UUID, **changes: str) -> httpx2.Response:
    page = address(business_id, "/declared")
    fields = fields_in(await client.get(page))
    return await client.post(page, data={**fields, **three_levels(fields), **changes})


async def stored(runtime: Runtime, organization_id: UUID, business_id: UUID) -> OwnershipAnswer:
    return await owner_screening.read_ownership(runtime, organization_id, business_id, is_screened=False)


async def put(runtime: Runtime, organization_id: UUID, business_id: UUID, **body: Any) -> None:
    statement = OwnershipStatement.model_validate({"asOf": "2026-11-01", **body})
    await statements.replace_statement(runtime, organization_id, business_id, statement, SOMEBODY)


def problems_in(page: httpx2.Response) -> dict[str, str]:
    """The message at each field that has one."""
    tree = LexborHTMLParser(page.text)
    marked = [field.attributes for field in tree.css("[aria-invalid]")]
    return {str(field["name"]): find(tree, f"#{field['id']}-problem").text() for field in marked}


# ------------------------------------------------------------------------------------------------------------- reading


async def test_without_a_statement_the_owners_are_unknown(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    said = words_of(await analyst.get(address(business_id)))
    assert "Nobody has stated who owns this business" in said
    assert "Record a statement" in said


async def test_three_levels_show_the_ultimate_owner_and_why(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    answer = await recorded(analyst, business_id)
    assert (answer.status_code, answer.headers["Location"]) == (303, address(business_id))
    page = await analyst.get(address(business_id))
    said = words_of(page)
    assert (
        "Jane Doe owns 60.5% of Holding Ltd., which owns more than 50% to 75% of Acme <b>Bakery</b> Ltd.: 30.25% to 45.38%" in said
    )
    assert "Jane Doe 50% or more" in said  # Holding Ltd. has more than half, and Jane more than half of it.
    assert "2 owners could not be screened and may be listed." in said  # No list is loaded.
    assert "Stated by Recorded Actions Declared by the business" in said
    assert "Register, page 2" in said


async def test_the_table_has_what_the_diagram_has(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    await recorded(analyst, business_id)
    tree = LexborHTMLParser((await analyst.get(address(business_id))).text)
    drawn = [title.text() for title in tree.css(".diagram g > title")]
    rows = [row.text() for row in tree.css("[aria-labelledby=interests] tbody th strong")]
    assert sorted(drawn) == sorted(rows) == sorted(["Acme <b>Bakery</b> Ltd.", "Holding Ltd.", "Jane Doe"])
    assert find(tree, ".diagram svg").attributes["role"] == "img"
    assert find(tree, ".diagram").attributes["tabindex"] == "0"


async def test_the_diagram_can_be_downloaded(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    await recorded(analyst, business_id)
    file = await analyst.get(address(business_id, ".svg"))
    assert file.headers["content-type"] == "image/svg+xml"
    assert "attachment" in file.headers["content-disposition"]
    assert "Holding Ltd." in file.text


async def test_an_interest_that_has_ended_is_in_the_table_and_not_in_force(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    await recorded(analyst, business_id, **{"interests.1.from": "2019", "interests.1.to": "2020-06"})
    said = words_of(await analyst.get(address(business_id)))
    assert "2019 until 2020-06 Not in force" in said
    assert "Unknown share 100%" in said


async def test_the_record_leads_to_its_ownership(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    assert f'href="{address(business_id)}"' in (await analyst.get(f"/console/businesses/{business_id}")).text


async def test_a_viewer_reads_and_does_not_write(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient
) -> None:
    await recorded(analyst, business_id)
    page = await viewer.get(address(business_id))
    assert "Jane Doe" in words_of(page)
    assert "/declared" not in page.text
    for path in ("/declared", "/declared/withdraw"):
        assert (await viewer.get(address(business_id, path))).status_code == 403
    csrf = csrf_of(await viewer.get("/console/profile"))
    assert (await viewer.post(address(business_id, "/declared/withdraw"), data={"csrf": csrf})).status_code == 403
    assert (await stored(runtime, organization_id, business_id)).statements != ()


# ------------------------------------------------------------------------------------------------------------- writing


async def test_what_is_typed_is_what_is_stored(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient
) -> None:
    await recorded(analyst, business_id)
    answer = await stored(runtime, organization_id, business_id)
    band, exact = (interest.share for interest in answer.interests)
    assert band is not None
    assert exact is not None
    assert (band.min, band.max, band.exclusive_min, band.exclusive_max) == (0.5, 0.75, True, False)
    assert exact.exact == 0.605
    assert answer.parties[2].countries == ("CA", "FR")
    assert answer.statements[0].declared_by == "Jane Doe, president"


async def test_saving_the_form_unchanged_changes_nothing(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient
) -> None:
    parties = [
        {"id": "b", "kind": "business", "name": "Acme", "businessId": str(business_id)},
        {"id": "p", "kind": "person", "name": "Jane", "dateOfBirth": "1975-06", "countries": ["CA"]},
        {"id": "u", "kind": "unknown"},
    ]
    interests = [
        {"id": "x", "owner": "p", "owned": "b", "kind": "shares", "share": {"exact": 1 / 3}, "from": "2020"},
        {"id": "y", "owner": "u", "owned": "b", "kind": "shares", "share": {"max": 0.1, "exclusiveMax": True}},
        {"id": "z", "owner": "p", "owned": "b", "kind": "director"},
    ]
    await put(runtime, organization_id, business_id, parties=parties, interests=interests)
    before = await stored(runtime, organization_id, business_id)
    assert (await sent_form(analyst, address(business_id, "/declared"), {})).status_code == 303
    assert await stored(runtime, organization_id, business_id) == before


async def test_more_rows_keep_what_is_typed(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    page = address(business_id, "/declared")
    fields = fields_in(await analyst.get(page))
    typed = {**fields, **three_levels(fields), "interests.0.share.exact": "nonsense"}
    more = await analyst.post(page, data={**typed, "more": "yes"})
    again = fields_in(more)
    assert more.status_code == 200
    assert again["interests.0.share.exact"] == "nonsense"
    assert [again[name] for name in three_levels(fields) if name.startswith("parties.")] == [
        text for name, text in three_levels(fields).items() if name.startswith("parties.")
    ]
    assert "parties.5.name" in again
    assert again["interests.1.owner"] == typed["parties.2.id"]


async def test_more_rows_adds_rows_to_an_untouched_form(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    page = address(business_id, "/declared")
    fields = fields_in(await analyst.get(page))
    for added in (1, 2):
        again = fields_in(await analyst.post(page, data={**fields, "more": "yes"}))
        for name in ("parties.{}.id", "interests.{}.id"):
            assert count_rows(again, name) == count_rows(fields, name) + BLANK_ROWS, added
        assert [again[f"parties.{number}.id"] for number in range(4)] == [fields[f"parties.{number}.id"] for number in range(4)]
        fields = again


async def test_more_rows_stop_at_the_longest_list(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    page = address(business_id, "/declared")
    fields = fields_in(await analyst.get(page))
    for _ in range(MAX_ROWS // BLANK_ROWS + 1):
        fields = fields_in(await analyst.post(page, data={**fields, "more": "yes"}))
    assert count_rows(fields, "parties.{}.id") == count_rows(fields, "interests.{}.id") == MAX_ROWS


@pytest.mark.parametrize("more", [{"more": "yes"}, {"asOf": "soon"}])
async def test_an_interest_keeps_an_owner_whose_name_is_not_typed_yet(
    business_id: UUID, analyst: httpx2.AsyncClient, more: dict[str, str]
) -> None:
    page = address(business_id, "/declared")
    fields = fields_in(await analyst.get(page))
    owner = fields["parties.3.id"]
    typed = {"interests.2.owner": owner, "interests.2.owned": fields["parties.0.id"], "interests.2.share.exact": "20"}
    again = fields_in(await analyst.post(page, data={**fields, **typed, **more}))
    # The empty interests before it are after it now.
    assert [again[f"interests.0.{name}"] for name in ("owner", "owned", "share.exact")] == list(typed.values())
    assert owner in {text for name, text in again.items() if name.startswith("parties.")}


async def test_rows_that_are_cleared_are_gone(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient
) -> None:
    await recorded(analyst, business_id)
    cleared = dict.fromkeys(["parties.2.kind", "parties.2.name", "parties.2.countries"], "")
    interest = dict.fromkeys(["interests.1.owner", "interests.1.owned", "interests.1.share.exact", "interests.1.evidence"], "")
    assert (await sent_form(analyst, address(business_id, "/declared"), {**cleared, **interest})).status_code == 303
    answer = await stored(runtime, organization_id, business_id)
    assert [party.name for party in answer.parties] == ["Acme <b>Bakery</b> Ltd.", "Holding Ltd."]
    assert len(answer.interests) == 1


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"interests.1.share.exact": "many"}, "interests.1.share.exact", "must be a number from 0 to 100"),
        ({"interests.1.share.exact": "101"}, "interests.1.share.exact", "must be a number from 0 to 100"),
        ({"interests.1.share.exact": "NaN"}, "interests.1.share.exact", "must be a number from 0 to 100"),
        ({"interests.1.share.min": "10"}, "interests.1.share.exact", "can’t be given together with a band"),
        ({"interests.0.share.max": "10"}, "interests.0.share.max", "leaves no share that is possible"),
        ({"interests.1.kind": "director"}, "interests.1.share.exact", "is for shares, votes and beneficiaries only"),
        ({"interests.1.owned": ""}, "interests.1.owned", "is required"),
        ({"interests.1.from": "yesterday"}, "interests.1.from", ""),
        ({"interests.1.from": "2020", "interests.1.to": "2019"}, "interests.1.to", "is before the first day"),
        ({"parties.2.name": ""}, "parties.2.name", "is required unless kind is unknown"),
        ({"parties.2.kind": ""}, "parties.2.kind", "is required"),
        ({"parties.2.dateOfBirth": "1975-13"}, "parties.2.dateOfBirth", ""),
        ({"asOf": ""}, "asOf", "is required"),
        ({"asOf": "soon"}, "asOf", "must be a date"),
    ],
)
async def test_a_problem_is_said_at_its_field_and_nothing_is_lost(
    business_id: UUID, analyst: httpx2.AsyncClient, changes: dict[str, str], field: str, message: str
) -> None:
    refused = await recorded(analyst, business_id, **changes)
    assert refused.status_code == 422
    found = problems_in(refused)
    assert list(found) == [field]
    assert message in found[field]
    assert fields_in(refused)["declaredBy"] == "Jane Doe, president"
    links = LexborHTMLParser(refused.text).css(".notice a")
    assert [link.attributes["href"] for link in links] == [f"#field-{field.replace('.', '-')}"]


async def test_an_interest_of_a_party_that_was_cleared_is_refused(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    refused = await recorded(analyst, business_id, **{"parties.2.kind": "", "parties.2.name": "", "parties.2.countries": ""})
    assert problems_in(refused) == {"interests.1.owner": "is not the ID of a party"}


async def test_too_much_in_sum_is_said_at_the_share(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    page = address(business_id, "/declared")
    fields = fields_in(await analyst.get(page))
    typed = {**fields, **three_levels(fields), "interests.2.share.exact": "60"}
    ends = {"interests.2.owner": fields["parties.2.id"], "interests.2.owned": fields["parties.0.id"]}
    refused = await analyst.post(page, data={**typed, **ends})
    assert problems_in(refused) == {"interests.2.share.exact": "makes the shares of this kind add up to more than 100 %"}


async def test_another_claimant_begins_with_the_parties_that_are_known(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient
) -> None:
    await recorded(analyst, business_id)
    page = address(business_id, "/registry")
    fields = fields_in(await analyst.get(page))
    assert [fields[f"parties.{number}.name"] for number in range(3)] == ["Acme <b>Bakery</b> Ltd.", "Holding Ltd.", "Jane Doe"]
    owner = {
        "interests.0.owner": fields["parties.2.id"],
        "interests.0.owned": fields["parties.0.id"],
        "interests.0.kind": "control",
    }
    assert (await analyst.post(page, data={**fields, **owner})).status_code == 303
    answer = await stored(runtime, organization_id, business_id)
    assert [statement.claimed_by for statement in answer.statements] == [Claimant.DECLARED, Claimant.REGISTRY]
    assert all(len(party.claimed_by) == 2 for party in answer.parties)


async def test_a_party_of_another_kind_in_another_statement_is_refused(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    await recorded(analyst, business_id)
    refused = await sent_form(analyst, address(business_id, "/registry"), {"parties.2.kind": "trust"})
    assert refused.status_code == 422
    assert "is of another kind in the statement of another claimant" in words_of(refused)


async def test_a_statement_that_was_changed_meanwhile_is_not_overwritten(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient
) -> None:
    await recorded(analyst, business_id)
    page = address(business_id, "/declared")
    opened = fields_in(await analyst.get(page))
    await sent_form(analyst, page, {"declaredBy": "Somebody else"})
    before = await stored(runtime, organization_id, business_id)
    refused = await analyst.post(page, data={**opened, "declaredBy": "Too late"})
    assert refused.status_code == 409
    assert "This statement was changed after you opened it." in words_of(refused)
    assert fields_in(refused)["declaredBy"] == "Too late"
    assert await stored(runtime, organization_id, business_id) == before


async def test_a_statement_is_withdrawn(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient
) -> None:
    await recorded(analyst, business_id)
    page = address(business_id, "/declared/withdraw")
    assert f'href="{page}"' in (await analyst.get(address(business_id))).text
    asked = await analyst.get(page)
    assert "Withdraw this statement?" in words_of(asked)
    assert (await stored(runtime, organization_id, business_id)).statements != ()
    answer = await analyst.post(page, data=confirmation_in(asked))
    assert (answer.status_code, answer.headers["Location"]) == (303, address(business_id))
    assert (await stored(runtime, organization_id, business_id)).statements == ()
    # There is nothing to withdraw any more.
    for again in (await analyst.get(page), await analyst.post(page, data=confirmation_in(asked))):
        assert (again.status_code, again.headers["Location"]) == (303, address(business_id))


async def test_a_statement_that_was_changed_meanwhile_is_not_withdrawn(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient
) -> None:
    await recorded(analyst, business_id)
    page = address(business_id, "/declared/withdraw")
    confirmed = confirmation_in(await analyst.get(page))
    await sent_form(analyst, address(business_id, "/declared"), {"declaredBy": "Somebody else"})
    for sent in (confirmed, {"csrf": confirmed["csrf"]}):
        refused = await analyst.post(page, data=sent)
        assert refused.status_code == 409
        assert "Somebody else" in words_of(refused)
    assert (await stored(runtime, organization_id, business_id)).statements != ()
    assert (await analyst.post(page, data=confirmation_in(refused))).status_code == 303
    assert (await stored(runtime, organization_id, business_id)).statements == ()


async def test_a_statement_that_is_too_long_for_the_form_is_not_shortened(
    runtime: Runtime, organization_id: UUID, business_id: UUID, analyst: httpx2.AsyncClient
) -> None:
    parties = [{"id": "b", "kind": "business", "name": "Acme", "businessId": str(business_id)}]
    parties += [{"id": f"p{number}", "kind": "person", "name": f"Person {number}"} for number in range(MAX_PARTIES - 1)]
    await put(runtime, organization_id, business_id, parties=parties)
    refused = await analyst.get(address(business_id, "/declared"))
    assert refused.status_code == 400
    assert "Use the API to change it." in words_of(refused)


async def test_a_claimant_that_does_not_exist_is_not_found(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    assert (await analyst.get(address(business_id, "/neighbour"))).status_code == 404


async def test_names_are_escaped(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    await recorded(analyst, business_id, **{"parties.2.name": "<script>alert(1)</script>"})
    for page in (address(business_id), address(business_id, "/declared")):
        text = (await analyst.get(page)).text
        assert "<script>alert" not in text
        assert "<b>Bakery" not in text


async def test_figures_have_the_decimals_of_the_language(business_id: UUID, analyst: httpx2.AsyncClient) -> None:
    await recorded(analyst, business_id)
    page = await analyst.get(address(business_id), headers=FRENCH)
    assert re.search(r"60,5\W*%", unescape(page.text)) is not None
