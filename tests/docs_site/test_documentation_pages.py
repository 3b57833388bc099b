"""The pages as they are served: all of them, their links, what browsers may do with them, and in which language their frame is."""

import gzip
import re
import tomllib
from collections import deque
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import httpx2
import pytest
from lxml import html

from bonafide.docs_site import doc_pages
from bonafide.web.assets import STYLE_SHEET, get_asset_url
from tests.support.served_pages import ServedPage

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
KINDS = ["/docs", "/docs/api/searches", "/docs/api/schemas", "/docs/api/schemas/SearchRequest", "/docs/quickstart", "/changelog"]
"""One page of each kind."""
OURS = ("/docs", "/changelog", "/openapi.json", "/assets")
MOST_BYTES = 100_000


async def page(client: httpx2.AsyncClient, path: str, **headers: str) -> html.HtmlElement:
    answer = await client.get(path, headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8"), path
    return html.document_fromstring(answer.text)


@pytest.mark.parametrize("path", KINDS)
async def test_a_page_needs_nothing_from_elsewhere(reader: httpx2.AsyncClient, path: str) -> None:
    document = await page(reader, path)
    loaded = document.xpath("//script/@src | //link[@rel='stylesheet' or @rel='icon']/@href | //img/@src")
    assert [address for address in loaded if not address.startswith("/assets/")] == []
    assert document.xpath("//script[not(@src)] | //style | //@style | //iframe | //@onclick") == []


@pytest.mark.parametrize("path", [*KINDS, "/changelog.rss", "/openapi.json", "/docs/nothing"])
async def test_a_page_may_load_and_run_only_what_is_ours(reader: httpx2.AsyncClient, path: str) -> None:
    headers = (await reader.get(path)).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("path", KINDS)
async def test_headings_are_in_order_and_places_have_names(reader: httpx2.AsyncClient, path: str) -> None:
    document = await page(reader, path)
    levels = [int(heading.tag[1]) for heading in document.xpath("//main//*[self::h1 or self::h2 or self::h3 or self::h4]")]
    assert levels.count(1) == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert document.xpath("//table[not(.//th[@scope])]") == []
    assert document.xpath("//*[@role='region'][not(@aria-label or @aria-labelledby)]") == []
    ids = document.xpath("//@id")
    assert len(ids) == len(set(ids))


@pytest.mark.slow
async def test_every_link_of_every_page_leads_somewhere(reader: httpx2.AsyncClient) -> None:
    waiting, found, wanted, missing = deque(["/docs", "/docs/index"]), {}, set(), []
    while waiting:
        path = waiting.popleft()
        if path in found:
            continue
        answer = await reader.get(path)
        is_page = answer.headers["Content-Type"].startswith("text/html")
        document = ServedPage(answer.text) if is_page else None
        found[path] = set(document.select_texts("//@id")) if document is not None else set()
        if not answer.is_success:
            missing.append(path)
        for target in document.select_texts("//a/@href") if document is not None else ():
            address, fragment = urldefrag(urljoin(path, target))
            if address.startswith(OURS):
                waiting.append(address)
                wanted.add((address, unquote(fragment), path))
    assert missing == []
    assert [one for one in wanted if one[1] != "" and one[1] not in found[one[0]]] == []
    assert {page.address for shelf in doc_pages.list_sections() for page in shelf.pages} <= found.keys()


@pytest.mark.parametrize("path", [*KINDS, *(page.address for shelf in doc_pages.list_sections() for page in shelf.pages)])
async def test_a_page_with_all_that_it_loads_is_light(reader: httpx2.AsyncClient, path: str) -> None:
    document = await page(reader, path)
    loaded = [path, get_asset_url(STYLE_SHEET), *document.xpath("//script/@src | //img/@src")]
    weight = 0
    for address in loaded:
        async with reader.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as answer:
            weight += sum([len(part) async for part in answer.aiter_raw()])
    assert weight < MOST_BYTES


async def test_a_browser_that_has_a_page_is_told_so(reader: httpx2.AsyncClient) -> None:
    first = await reader.get("/docs/quickstart")
    again = await reader.get("/docs/quickstart", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_a_page_is_compressed_for_who_takes_it(reader: httpx2.AsyncClient) -> None:
    plain = await reader.get("/docs", headers={"Accept-Encoding": "identity"})
    async with reader.stream("GET", "/docs", headers={"Accept-Encoding": "gzip"}) as answer:
        packed = b"".join([part async for part in answer.aiter_raw()])
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == plain.content
    assert "Accept-Encoding" in answer.headers["Vary"]


async def test_the_frame_speaks_french_to_who_prefers_it_and_the_text_stays_english(reader: httpx2.AsyncClient) -> None:
    document = await page(reader, "/docs/quickstart", **{"Accept-Language": "fr-CA, en;q=0.5"})
    assert document.get("lang") == "fr"
    assert "Pour commencer" in document.xpath("//nav//h2/text()")
    assert document.xpath("//main/div/@lang") == ["en"]
    assert document.xpath("//main//h1/text()") == ["Quickstart"]


async def test_the_menu_lists_a_translated_page_once_in_the_readers_language(reader: httpx2.AsyncClient) -> None:
    english = (await page(reader, "/docs/howto/cases-console")).xpath("//nav//a/@href")
    french = (await page(reader, "/docs/howto/cases-console.fr", **{"Accept-Language": "fr"})).xpath("//nav//a/@href")
    assert [address for address in english if address.endswith(".fr")] == []
    assert {"/docs/index.fr", "/docs/quickstart.fr", "/docs/howto/analysts-manual.fr", "/docs/howto/cases-console.fr"} <= set(
        french
    )
    assert {"/docs/index", "/docs/quickstart", "/docs/howto/analysts-manual", "/docs/howto/cases-console"} & set(french) == set()
    assert "/docs/howto/run-in-production" in french
    assert len(english) == len(french)


async def test_the_menu_marks_the_page_that_is_shown_in_another_language(reader: httpx2.AsyncClient) -> None:
    document = await page(reader, "/docs/howto/cases-console.fr")
    assert document.xpath("//nav//a[@aria-current]/@href") == ["/docs/howto/cases-console.fr"]
    assert document.xpath("//nav//a[@href='/docs/howto/cases-console']") == []


async def test_the_start_page_is_in_the_readers_language(reader: httpx2.AsyncClient) -> None:
    start = "//a[@class='brand']/@href"
    assert (await page(reader, "/docs")).xpath(start) == ["/docs/index"]
    assert (await page(reader, "/docs", **{"Accept-Language": "fr-CA"})).xpath(start) == ["/docs/index.fr"]


@pytest.mark.parametrize(
    "translated", [one for shelf in doc_pages.list_sections() for one in shelf.pages if one.path != one.original], ids=str
)
def test_the_versions_of_a_page_link_to_each_other_at_their_top(translated: doc_pages.DocsPage) -> None:
    original, version = doc_pages.list_versions(translated)
    assert version == translated
    for one, other in ((original, version), (version, original)):
        introduction = one.text.partition("\n## ")[0]
        assert f"({other.path.rpartition('/')[2]}.md)" in introduction, one.path


def test_the_french_page_of_scores_has_the_measured_shares_of_the_english_one() -> None:
    def read_numbers(path: str) -> list[str]:
        text = doc_pages.get_page(path).text.replace("\N{NO-BREAK SPACE}", "").replace("%", " %")
        rows = [row for row in text.splitlines() if row.startswith(("| person", "| organi", "| business", "| entreprise"))]
        return re.findall(r"\d+", " ".join(rows).replace(",", ""))

    english = read_numbers("discussions/understanding-scores")
    assert len(english) == 24
    assert read_numbers("discussions/understanding-scores.fr") == english


async def test_what_is_not_there_is_a_page_that_says_so(reader: httpx2.AsyncClient) -> None:
    for path in (
        "/docs/nothing",
        "/docs/api/nothing",
        "/docs/api/schemas/Nothing",
        "/docs/../README",
        "/docs/openapi-released.json",
    ):
        answer = await reader.get(path, headers={"X-Request-Id": "0b0b7f7e-5a51-4f43-8f8f-5c6a0d1f2e3d"})
        assert answer.status_code == 404, path
    document = html.document_fromstring((await reader.get("/docs/nothing")).text)
    assert document.xpath("//h1/text()") == ["This page does not exist"]
    assert document.xpath("//main//a/@href") == ["/docs/index"]


async def test_the_addresses_of_earlier_releases_answer(reader: httpx2.AsyncClient) -> None:
    for path in ("/docs", "/docs/", "/changelog", "/changelog.rss", "/openapi.json"):
        assert (await reader.get(path, follow_redirects=True)).status_code == 200, path


NOT_SERVED = {"docs/modules.md"}
"""The map of modules, for contributors."""


def test_every_page_of_the_repository_is_in_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert [place for file, place in packed.items() if place != f"bonafide/docs_site/{file}"] == []
    served = {f"docs/{page.path}.md" for shelf in doc_pages.list_sections() for page in shelf.pages} | {"docs/api-changelog.md"}
    assert [name for name in served if not any(name == file or name.startswith(f"{file}/") for file in packed)] == []
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert files - NOT_SERVED == served


async def test_images_of_pages_are_served_and_no_other_file_is(reader: httpx2.AsyncClient) -> None:
    image = await reader.get("/docs/images/calibration.svg")
    assert (image.status_code, image.headers["content-type"].partition(";")[0]) == (200, "image/svg+xml")
    assert image.text == doc_pages.read_doc("images/calibration.svg")
    picture = await reader.get("/docs/images/manual-case-fr.png")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert picture.content == doc_pages.read_image("images/manual-case-fr.png")
    assert (await reader.get("/docs/images/console.png")).status_code == 404


def test_every_image_is_shown_by_a_page_and_is_in_the_package() -> None:
    texts = [one.text for shelf in doc_pages.list_sections() for one in shelf.pages]
    assert [name for name in doc_pages.IMAGES if not any(f"/{name})" in text for text in texts)] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "docs/images" in project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert [name for name in doc_pages.IMAGES if not (ROOT / "docs" / name).is_file()] == []
