"""What the documentation says to type works: commands and options exist, calls are answered, answers look as shown."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.core import TyperCommand
from typer.core import TyperGroup as Group

from bonafide.cli import app
from tests.support.documented_examples import LOCAL, PAGES, Block, Call, blocks, call_of, commands, is_part
from tests.support.paths import ROOT

pytestmark = pytest.mark.anyio
PROGRAMS = ("bonafide", ".venv/bin/bonafide")
JOINTS = {"|", "&&", ">", "&"}
SOME_ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"
CONFLICT = 409
EXPECTED = {("quickstart.md", "/v1/search/SEARCH_ID/selection"): CONFLICT}
"""Calls that are shown to be refused."""
ATTEMPTS = 60
PAUSE_S = 0.25
"""How often, and after which pause, a call is repeated that depends on what a worker does after the call before it."""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def uses_of_the_program() -> list[tuple[str, list[str]]]:
    """Every `bonafide …` in a block, by its page."""
    found = []
    for page in PAGES:
        for words in (words for block in blocks(page) for words in commands(block)):
            for place, word in enumerate(words):
                if word in PROGRAMS:
                    end = next((at for at in range(place, len(words)) if words[at] in JOINTS), len(words))
                    found.append((name_of(page), words[place + 1 : end]))
    return found


@pytest.mark.parametrize(("page", "words"), uses_of_the_program(), ids=lambda one: one if isinstance(one, str) else " ".join(one))
def test_a_command_that_is_shown_is_one(page: str, words: list[str], tmp_path: Path) -> None:
    del page
    command: TyperCommand | Group = app
    values = {"ID": SOME_ID, "BUSINESS_ID": SOME_ID, "FOLDER": str(tmp_path)}
    rest = [values.get(word, word) for word in words]
    while isinstance(command, Group):
        assert rest[0] in command.commands, rest[0]
        found, rest = command.commands[rest[0]], rest[1:]
        assert isinstance(found, TyperCommand | Group)
        command = found
    command.make_context(words[0], rest)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_json_that_is_shown_is_json(page: Path) -> None:
    for block in blocks(page):
        if block.language == "json":
            json.loads(block.text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_call_of_the_api_is_shown_where_it_can_be_run(page: Path) -> None:
    """Those of the demo are run below; of others, only the spelling is known to be right."""
    calls = [call_of(words) for block in blocks(page) for words in commands(block) if words[0] == "curl"]
    assert [call.url for call in calls if not call.is_local and "bonafide" not in call.url] == []


def pages_with_calls() -> list[Path]:
    """The pages with calls, last the one that activates risk rules: the page about these counts their versions from the first."""
    pages = [page for page in PAGES if any(call_of(words).is_local for words in curls(page))]
    return sorted(pages, key=lambda page: page.name == "onboard-a-customer.md")


def curls(page: Path) -> list[list[str]]:
    return [words for block in blocks(page) for words in commands(block) if words[0] == "curl"]


def filled(text: str, known: dict[str, str]) -> str:
    return re.sub(r"\b[A-Z]+_ID\b", lambda found: known.get(found[0], SOME_ID), text)


def learn(answer: Any, known: dict[str, str]) -> None:
    """Remember the first id of each kind on a page: `searchId` as `SEARCH_ID`; of what a page stores or lists, that one."""
    if isinstance(answer, dict):
        for name, value in answer.items():
            if name.endswith("Id") and isinstance(value, str):
                known.setdefault(f"{name.removesuffix('Id').upper()}_ID", value)
            learn(value, known)
    elif isinstance(answer, list):
        for item in answer:
            learn(item, known)


def learn_resource(call: Call, answer: Any, known: dict[str, str]) -> None:
    """Remember the record, the case and the pack that a call has stored or listed."""
    if not isinstance(answer, dict):
        return
    if call.body is not None and isinstance(answer.get("business"), dict) and "externalId" in call.body:
        known["BUSINESS_ID"] = answer["business"]["id"]
    if answer.get("cases"):
        known["CASE_ID"] = answer["cases"][0]["id"]
    if call.url.endswith("/v1/packs") and "id" in answer:
        known["PACK_ID"] = answer["id"]


async def send_when_ready(client: httpx2.AsyncClient, call: Call, known: dict[str, str], key: str) -> httpx2.Response:
    """Send a call; again while a worker has not opened the case that it lists, or has not settled what the case has open."""
    for _attempt in range(ATTEMPTS):
        response = await send(client, call, known, key)
        is_early = "/v1/cases" in call.url and (response.status_code == CONFLICT or response.text.startswith('{"cases":[]'))
        if not is_early:
            break
        await asyncio.sleep(PAUSE_S)
    return response


async def send(client: httpx2.AsyncClient, call: Call, known: dict[str, str], key: str) -> httpx2.Response:
    assert call.form == (), "no page sends a form to the demo"
    headers = {name: value.replace("$KEY", key) for name, value in call.headers.items()}
    body = filled(call.body, known) if call.body is not None else None
    return await client.request(call.method, filled(call.url.removeprefix(LOCAL), known), headers=headers, content=body)


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with_calls(), ids=name_of)
async def test_calls_are_answered_as_the_page_shows(page: Path, api_key: str, caller: httpx2.AsyncClient) -> None:
    known = await stored_example(caller, api_key)
    answer: Any = None
    for block in blocks(page):
        if block.language == "json" and answer is not None:
            assert is_part(json.loads(block.text), answer), block.text
            answer = None
        for call in calls_of(block):
            response = await send_when_ready(caller, call, known, api_key)
            expected = EXPECTED.get((page.name, call.url.removeprefix(LOCAL)))
            assert response.status_code == expected if expected is not None else response.is_success, response.text
            is_document = response.headers["Content-Type"].startswith("application/json")
            answer = response.json() if is_document else None
            learn(answer, known)
            learn_resource(call, answer, known)


async def stored_example(client: httpx2.AsyncClient, key: str) -> dict[str, str]:
    """The ids of a search, a business record and a webhook endpoint: what the pages speak of may have been made elsewhere."""
    headers = {"Authorization": f"Bearer {key}"}
    answer = (await client.post("/v1/search", json={"name": "Sandbox Bakery"}, headers=headers)).json()
    stored = (await client.post("/v1/businesses", json={"name": "Sandbox Bakery Inc."}, headers=headers)).json()
    paused = {"url": "https://hooks.acme.example/", "enabled": False}
    endpoint = (await client.post("/v1/webhook-endpoints", json=paused, headers=headers)).json()
    return {
        "ENDPOINT_ID": endpoint["id"],
        "SEARCH_ID": answer["meta"]["searchId"],
        "MATCH_ID": answer["businesses"][0]["matchId"],
        "BUSINESS_ID": stored["business"]["id"],
    }


def calls_of(block: Block) -> list[Call]:
    return [call for words in commands(block) if words[0] == "curl" and (call := call_of(words)).is_local]
