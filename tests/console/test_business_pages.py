"""The pages of business records: listed, read with who wrote what, edited without anything lost, brought in from files."""

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from bonafide.console.businesses import import_export
from bonafide.console.businesses.record_fields import GROUPS, REPEATED
from bonafide.console.businesses.record_form import MAX_ROWS
from bonafide.console.frame.code_labels import JURISDICTION
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.records import business_records
from bonafide.web.templates import PageTexts
from tests.support.console.searches import runtime_over, words_of
from tests.support.console.sessions import csrf_of, send, signed_in_client

pytestmark = pytest.mark.anyio
LIST = "/console/businesses"
IMPORT = f"{LIST}/import"
SOMEBODY = Author("ann@north.example", "request-7")
FRENCH = {"Accept-Language": "fr-CA"}
BAKERY: dict[str, Any] = {
    "externalId": "crm-1",
    "name": "Acme <b>Bakery</b> Ltd.",
    "operatingNames": ["The Bakery", "Bread & Co."],
    "jurisdiction": "ON",
    "registrationNumber": "1000017",
    "city": "Toronto",
    "people": [{"name": "Ada Okafor", "roles": ["President", "Director"], "email": "ada@acme.example"}, {"name": "Bo"}],
    "addresses": [{"type": "mailing", "street": "1 Main St", "city": "Perth"}],
    "notes": "Called.\n\nTwice.",
}
_INPUT = re.compile(r'<input [^>]*?name="([^"]+)" value="([^"]*)"')
_AREA = re.compile(r'<textarea [^>]*?name="([^"]+)"[^>]*>\n(.*?)</textarea>', re.DOTALL)
_CHOSEN = re.compile(r'<select [^>]*?name="jurisdiction"(?:(?!</select>).)*?<option value="(\w*)" selected>', re.DOTALL)


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    """Nothing loaded: no page of these asks a source."""
    folder = tmp_path_factory.mktemp("businesses")
    async with runtime_over(sqlite_template, folder, folder) as opened:
        yield opened


async def organization_id(runtime: Runtime, organization: str) -> UUID:
    return (await find_organization(runtime, organization, World.SANDBOX)).id


async def stored(runtime: Runtime, organization: str, **said: Any) -> BusinessRecord:
    request = BusinessUpsert.model_validate(said)
    return (await business_records.upsert(runtime, await organization_id(runtime, organization), request, SOMEBODY)).record


async def now(runtime: Runtime, organization: str, record: BusinessRecord) -> BusinessRecord:
    return await business_records.find_record(runtime, await organization_id(runtime, organization), business_id=record.id)


def form_in(page: httpx2.Response) -> dict[str, str]:
    """The record's form as a browser would send it."""
    fields = dict(_INPUT.findall(page.text)) | dict(_AREA.findall(page.text))
    chosen = _CHOSEN.search(page.text)
    return {name: unescape(value) for name, value in fields.items()} | ({"jurisdiction": chosen[1]} if chosen is not None else {})


async def sent_form(client: httpx2.AsyncClient, address: str, **changed: str) -> httpx2.Response:
    """Open the form, change some fields, send it."""
    return await client.post(address, data={**form_in(await client.get(address)), **changed})


async def sent_file(client: httpx2.AsyncClient, text: str, **fields: str) -> httpx2.Response:
    data = {"csrf": csrf_of(await client.get(IMPORT)), **fields}
    return await client.post(IMPORT, data=data, files={"file": ("records.csv", text.encode(), "text/csv")})


# -------------------------------------------------------------------------------------------------------------- reading


async def test_records_are_listed_and_filtered(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    assert "No business records yet" in words_of(await analyst.get(LIST))
    await stored(runtime, organization, **BAKERY)
    await stored(runtime, organization, name="Birch Inc.", isMonitored=True)
    await stored(runtime, organization, name="Cedar Ltd.", isArchived=True)
    said = words_of(await analyst.get(LIST))
    assert "Acme <b>Bakery</b> Ltd." in said
    assert "Cedar" not in said
    assert "Cedar" in words_of(await analyst.get(f"{LIST}?archived=all"))
    only = words_of(await analyst.get(f"{LIST}?monitored=yes&text=birch&archived=narnia&discrepancies=x"))
    assert "Birch Inc." in only
    assert "Bakery" not in only
    assert "No matching records" in words_of(await analyst.get(f"{LIST}?text=zzz"))


@pytest.mark.parametrize("query", ["text=%00", "jurisdiction=narnia&verification=x", "since=2026-13-01&until=9999-12-31"])
async def test_a_filter_that_makes_no_sense_is_as_if_it_was_not_said(analyst: httpx2.AsyncClient, query: str) -> None:
    assert (await analyst.get(f"{LIST}?{query}")).status_code == 200


async def test_pages_keep_the_filter(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    for n in range(26):
        await stored(runtime, organization, name=f"Maple & {n}", isMonitored=True)
    first = await analyst.get(f"{LIST}?text=maple+%26&monitored=yes")
    (older,) = re.findall(r'rel="next" href="([^"]+)"', first.text)
    second = await analyst.get(unescape(older))
    assert "Maple & 0" in words_of(second)
    assert "Maple & 1" not in words_of(second)
    assert 'rel="next"' not in second.text


async def test_a_record_says_by_whom_and_when_each_field_was_written(
    runtime: Runtime, organization: str, analyst: httpx2.AsyncClient
) -> None:
    record = await stored(runtime, organization, **BAKERY)
    await sent_form(analyst, f"{LIST}/{record.id}/edit", city="Ottawa")
    said = words_of(await analyst.get(f"{LIST}/{record.id}"))
    assert f"City Ottawa analyst@{organization}.example 20 Nov 2026" in said
    assert "Registration number 1000017 ann@north.example 20 Nov 2026" in said
    assert "Not provided: Unit" in said or "Not provided: Street" in said
    assert "President, Director" in said
    assert "Last verified Never" in said


async def test_the_trail_is_told_and_checked(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    record = await stored(runtime, organization, **BAKERY)
    await sent_form(analyst, f"{LIST}/{record.id}/edit", city="Ottawa")
    said = words_of(await analyst.get(f"{LIST}/{record.id}/audit?check=yes"))
    assert f"City Toronto Ottawa analyst@{organization}.example" in said
    assert "People No value Ada Okafor · President, Director · ada@acme.example Bo ann@north.example" in said
    assert "request request-7" in said
    assert "audit log is intact: 11 entries verified." in said
    assert "No entries on this page" in words_of(await analyst.get(f"{LIST}/{record.id}/audit?offset=50"))


# -------------------------------------------------------------------------------------------------------------- writing


async def test_a_form_that_is_saved_untouched_changes_nothing(
    runtime: Runtime, organization: str, analyst: httpx2.AsyncClient
) -> None:
    record = await stored(runtime, organization, **BAKERY)
    answer = await sent_form(analyst, f"{LIST}/{record.id}/edit")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{LIST}/{record.id}")
    assert await now(runtime, organization, record) == record


async def test_fields_are_changed_cleared_and_rows_added_and_removed(
    runtime: Runtime, organization: str, analyst: httpx2.AsyncClient
) -> None:
    record = await stored(runtime, organization, **BAKERY)
    changed = {"city": "", "notes": "", "operatingNames": "One\r\n\r\nTwo", "people.1.name": "", "people.2.name": "Cy"}
    await sent_form(analyst, f"{LIST}/{record.id}/edit", **changed)
    after = await now(runtime, organization, record)
    assert (after.address.city, after.notes, after.operating_names) == (None, None, ("One", "Two"))
    assert [person.name for person in after.people] == ["Ada Okafor", "Cy"]
    assert after.people[0].roles == ("President", "Director")


async def test_a_list_too_long_for_a_form_is_left_as_it_is(
    runtime: Runtime, organization: str, analyst: httpx2.AsyncClient
) -> None:
    people = [{"name": f"Person {n}"} for n in range(MAX_ROWS + 1)]
    record = await stored(runtime, organization, name="Acme", people=people)
    assert "There are too many to edit here." in words_of(await analyst.get(f"{LIST}/{record.id}/edit"))
    await sent_form(analyst, f"{LIST}/{record.id}/edit", name="Acme Ltd.")
    after = await now(runtime, organization, record)
    assert (after.name, len(after.people)) == ("Acme Ltd.", MAX_ROWS + 1)


async def test_what_is_wrong_is_told_at_its_field_and_nothing_typed_is_lost(
    runtime: Runtime, organization: str, analyst: httpx2.AsyncClient
) -> None:
    record = await stored(runtime, organization, **BAKERY)
    wrong = {"incorporationYear": "soon", "people.1.email": "x", "name": "...", "city": "Ottawa"}
    answer = await sent_form(analyst, f"{LIST}/{record.id}/edit", **wrong)
    assert answer.status_code == 422
    for told in (
        'id="field-incorporationYear-problem">must be a whole number',
        'id="field-people-1-email-problem">must be an email address',
        'id="field-name-problem">must have at least one letter or digit',
        'href="#field-people-1-email"',
    ):
        assert told in answer.text
    assert form_in(answer)["city"] == "Ottawa"
    assert await now(runtime, organization, record) == record


async def test_who_saves_over_somebody_elses_change_sees_both_first(
    runtime: Runtime, organization: str, analyst: httpx2.AsyncClient
) -> None:
    record = await stored(runtime, organization, **BAKERY)
    address = f"{LIST}/{record.id}/edit"
    opened = form_in(await analyst.get(address))
    await stored(runtime, organization, externalId="crm-1", phoneNumber="613 555 0100")
    answer = await analyst.post(address, data={**opened, "city": "Ottawa"})
    assert answer.status_code == 409
    said = words_of(answer)
    assert "This record was changed after you opened it." in said
    assert "Phone 613 555 0100 No value" in said
    assert "City Toronto Ottawa" in said
    assert (await now(runtime, organization, record)).address.city == "Toronto"
    again = await analyst.post(address, data=form_in(answer))
    assert again.status_code == 303
    after = await now(runtime, organization, record)
    assert (after.address.city, after.phone_number) == ("Ottawa", None)


async def test_a_new_record_is_made_unless_there_is_one_of_its_ids(
    runtime: Runtime, organization: str, analyst: httpx2.AsyncClient
) -> None:
    made = await sent_form(analyst, f"{LIST}/new", name="Acme Ltd.", externalId="crm-1")
    assert made.status_code == 303
    assert "Acme Ltd." in words_of(await analyst.get(made.headers["Location"]))
    again = await sent_form(analyst, f"{LIST}/new", name="Acme Limited", externalId="crm-1")
    assert again.status_code == 409
    assert "This record already exists." in words_of(again)
    assert form_in(again)["name"] == "Acme Limited"
    assert (await sent_form(analyst, f"{LIST}/new")).status_code == 422


async def test_the_ids_of_another_record_are_refused(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    await stored(runtime, organization, **BAKERY)
    other = await stored(runtime, organization, name="Birch", externalId="crm-2")
    answer = await sent_form(analyst, f"{LIST}/{other.id}/edit", externalId="crm-1")
    assert (answer.status_code, "Another record has this externalId." in words_of(answer)) == (409, True)


async def test_a_record_is_archived_and_monitored(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    record = await stored(runtime, organization, **BAKERY)
    page = f"{LIST}/{record.id}"
    await send(analyst, page, f"{page}/switch", archived="yes")
    await send(analyst, page, f"{page}/switch", monitored="yes")
    await send(analyst, page, f"{page}/switch", archived="maybe")
    after = await now(runtime, organization, record)
    assert (after.is_archived, after.is_monitored) == (True, True)


# ---------------------------------------------------------------------------------------------------------------- files

FILE = "externalId,name,city\ncrm-1,Acme Ltd.,Ottawa\ncrm-2,Birch Inc.,Lévis\ncrm-3,...,\ncrm-4\n"


async def test_a_file_is_shown_confirmed_and_told(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    record = await stored(runtime, organization, externalId="crm-1", name="Acme Ltd.", city="Toronto")
    address = (await sent_file(analyst, FILE)).headers["Location"]
    said = words_of(await analyst.get(address))
    assert "1 Updated records" in said or "Updated records 1" in said
    assert "City Toronto → Ottawa" in said
    assert "name : must have at least one letter or digit" in said
    assert "1 cells, but the header has 3 columns" in said
    assert await now(runtime, organization, record) == record
    assert (await analyst.get(f"{address}/refused")).text.count("\r\n") == 3
    assert (await send(analyst, address)).status_code == 303
    done = words_of(await analyst.get(address))
    assert "The file was imported, except for the rejected rows." in done
    assert "Rejected rows" in done
    refused = await analyst.get(f"{address}/refused")
    assert refused.text.splitlines()[1:] == [
        "name: must have at least one letter or digit,crm-3,...,",
        '"1 cells, but the header has 3 columns",crm-4',
    ]
    assert refused.headers["Content-Disposition"] == 'attachment; filename="refused-rows.csv"'
    # Sent twice by mistake: it is only told again.
    assert (await analyst.post(address, data={"csrf": csrf_of(await analyst.get(IMPORT))})).status_code == 303
    assert (await now(runtime, organization, record)).address.city == "Ottawa"


async def test_rows_without_a_name_are_pointed_out(analyst: httpx2.AsyncClient) -> None:
    answer = await sent_file(analyst, "externalId,name\nd-1,Alder\nd-2,\nd-3,\n")
    said = words_of(await analyst.get(answer.headers["Location"]))
    assert "2 rows have no name." in said
    assert "Lines 3, 4" in said
    named = await sent_file(analyst, "externalId,name\nd-4,Birch\n")
    assert "no name" not in words_of(await analyst.get(named.headers["Location"]))


async def test_an_empty_cell_clears_where_the_preview_said_so(
    runtime: Runtime, organization: str, analyst: httpx2.AsyncClient
) -> None:
    record = await stored(runtime, organization, externalId="crm-1", name="Acme Ltd.", city="Toronto")
    address = (await sent_file(analyst, "externalId,city\ncrm-1,\n", clearEmpty="true")).headers["Location"]
    page = await analyst.get(address)
    assert "City Toronto → No value" in words_of(page)
    await analyst.post(address.partition("?")[0], data=form_in(page) | {"clearEmpty": "true"})
    assert (await now(runtime, organization, record)).address.city is None


async def test_a_file_that_can_not_be_read_is_refused_with_reasons(analyst: httpx2.AsyncClient) -> None:
    answer = await sent_file(analyst, "name,External ID\nAcme,1\n")
    assert (answer.status_code, "did you mean 'externalId'?" in words_of(answer)) == (422, True)
    nothing = await analyst.post(IMPORT, data={"csrf": csrf_of(await analyst.get(IMPORT))})
    assert (nothing.status_code, import_export.NO_FILE in words_of(nothing)) == (422, True)


async def test_a_file_of_too_many_rows_is_refused_and_forgotten(analyst: httpx2.AsyncClient) -> None:
    # Rows that can't be read cost least, and count.
    address = (await sent_file(analyst, "name,city\n" + "x\n" * (import_export.MAX_ROWS + 1))).headers["Location"]
    answer = await analyst.get(address)
    assert (answer.status_code, "more than 5,000 rows" in words_of(answer)) == (422, True)
    assert (await analyst.get(address)).status_code == 404


async def test_a_file_that_was_cancelled_is_gone(analyst: httpx2.AsyncClient) -> None:
    address = (await sent_file(analyst, FILE)).headers["Location"]
    assert (await send(analyst, address, f"{address}/cancel")).headers["Location"] == IMPORT
    assert (await analyst.get(address)).status_code == 404


async def test_what_is_listed_is_exported(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    await stored(runtime, organization, name="=Acme", isMonitored=True)
    await stored(runtime, organization, name="Birch")
    sheet = await analyst.get(f"{LIST}/export?monitored=yes")
    assert sheet.content.startswith(b"\xef\xbb\xbfid,externalId,name")
    assert [line.split(",")[2] for line in sheet.text.splitlines()[1:]] == ["'=Acme"]
    assert sheet.headers["Content-Disposition"] == 'attachment; filename="businesses-2026-11-20.csv"'
    assert (await analyst.get(f"{LIST}/export", headers=FRENCH)).content.startswith(b"\xef\xbb\xbfid;externalId;")
    assert (await analyst.get(f"{LIST}/export?for=program", headers=FRENCH)).content.startswith(b"id,externalId,")


# -------------------------------------------------------------------------------------------------------------- who may


async def test_another_organization_sees_nothing_of_it(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    record = await stored(runtime, organization, **BAKERY)
    kept = (await sent_file(analyst, FILE)).headers["Location"]
    async with await signed_in_client(runtime, Role.OWNER, f"s{uuid4().hex}") as south:
        for address in (f"{LIST}/{record.id}", f"{LIST}/{record.id}/edit", f"{LIST}/{record.id}/audit", kept, f"{kept}/refused"):
            assert (await south.get(address)).status_code == 404
        token = csrf_of(await south.get(IMPORT))
        for address in (f"{LIST}/{record.id}/edit", f"{LIST}/{record.id}/switch", kept):
            assert (await south.post(address, data={"csrf": token, "archived": "yes", "name": "x"})).status_code == 404
        await south.post(f"{kept}/cancel", data={"csrf": token})
        assert "Acme" not in (await south.get(f"{LIST}?archived=all")).text
        assert "Acme" not in (await south.get(f"{LIST}/export")).text
    assert (await analyst.get(kept)).status_code == 200
    assert await now(runtime, organization, record) == record


async def test_a_viewer_reads_and_changes_nothing(runtime: Runtime, organization: str, viewer: httpx2.AsyncClient) -> None:
    record = await stored(runtime, organization, **BAKERY)
    page = f"{LIST}/{record.id}"
    shown = await viewer.get(page)
    assert "/edit" not in shown.text
    assert "/switch" not in shown.text
    assert "New record" not in words_of(await viewer.get(LIST))
    assert (await viewer.get(f"{page}/audit")).status_code == 200
    assert (await viewer.get(f"{LIST}/export")).status_code == 200
    for address in (f"{page}/edit", f"{LIST}/new", IMPORT, f"{IMPORT}/1-{'0' * 32}"):
        assert (await viewer.get(address)).status_code == 403
        assert (await send(viewer, "/console/profile", address, name="x")).status_code == 403
    assert (await send(viewer, "/console/profile", f"{page}/switch", archived="yes")).status_code == 403
    assert await now(runtime, organization, record) == record


@pytest.mark.parametrize("path", ["x", "x/edit", "x/audit", str(UUID(int=1)), f"{UUID(int=1)}/edit", "import/x"])
async def test_what_there_is_not_is_a_page_that_does_not_exist(analyst: httpx2.AsyncClient, path: str) -> None:
    assert (await analyst.get(f"{LIST}/{path}")).status_code == 404


# --------------------------------------------------------------------------------------------------------------- French


async def test_it_is_there_in_french(runtime: Runtime, organization: str, analyst: httpx2.AsyncClient) -> None:
    record = await stored(runtime, organization, **BAKERY)
    said = words_of(await analyst.get(f"{LIST}/{record.id}", headers=FRENCH))
    assert "Numéro d’immatriculation 1000017" in said
    address = (await sent_file(analyst, FILE)).headers["Location"]
    said = words_of(await analyst.get(address, headers=FRENCH))
    assert "1 cellules, mais l’en-tête a 3 colonnes" in said
    assert "doit comporter au moins une lettre ou un chiffre" in said


def test_every_field_has_a_french_name() -> None:
    t = PageTexts(Language.FRENCH).translate
    fields = [field for part in (*GROUPS, *REPEATED) for field in part.fields]
    said = {text for field in fields for text in (field.label, field.hint)} | {part.label for part in (*GROUPS, *REPEATED)}
    same = {text for text in said | set(JURISDICTION.values()) if t(text) == text}
    provinces = {"Alberta", "Manitoba", "Ontario", "Saskatchewan", "Yukon", "Nunavut"}
    assert same <= {"", "Description", "Notes", "Province", "Type"} | provinces


# --------------------------------------------------------------------------------------------------------- also connected


async def test_the_page_of_connections_lists_records_and_says_what_was_not_compared(
    runtime: Runtime, organization: str, viewer: httpx2.AsyncClient
) -> None:
    record = await stored(runtime, organization, name="Acme Ltd.", people=[{"name": "Ada Okafor"}], phoneNumber="416 555 0123")
    page = f"{LIST}/{record.id}/connections"
    assert f'href="{page}"' in (await viewer.get(f"{LIST}/{record.id}")).text
    said = words_of(await viewer.get(page))
    assert "Nothing in common was found" in said
    assert "Register entries were not compared, because no register is loaded." in said
    other = await stored(runtime, organization, name="Birch & Sons <Ltd.>", people=[{"name": "Okafor, Ada"}])
    answer = await viewer.get(page)
    said = words_of(answer)
    assert "Person of the same name: Ada Okafor" in said
    assert "Same name. Equal names do not show that it is the same person." in said
    assert "1 other record" in said
    assert "Birch & Sons <Ltd.>" in said
    assert f'href="{LIST}/{other.id}"' in answer.text
    assert "Not compared:" in said


async def test_connections_of_another_organization_are_not_there(
    runtime: Runtime, organization: str, viewer: httpx2.AsyncClient
) -> None:
    own = await stored(runtime, organization, name="Acme Ltd.", phoneNumber="416 555 0123")
    async with await signed_in_client(runtime, Role.OWNER, uuid4().hex) as stranger:
        assert (await stranger.get(f"{LIST}/{own.id}/connections")).status_code == 404
    assert (await viewer.get(f"{LIST}/{own.id}/connections")).status_code == 200
