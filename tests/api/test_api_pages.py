import re
from datetime import date

import httpx2
import pytest
from lxml import etree, html

from bonafide.api.changelog import Category, Change, changelog, parse
from bonafide.api.changelog_pages import changelog_feed, changelog_page
from bonafide.api.components import api_errors
from bonafide.api.openapi import described

pytestmark = pytest.mark.anyio


async def page(client: httpx2.AsyncClient, path: str) -> html.HtmlElement:
    answer = await client.get(path)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    return html.document_fromstring(answer.text)


@pytest.mark.parametrize("path", ["/docs", "/changelog"])
async def test_a_page_needs_nothing_from_elsewhere(anonymous: httpx2.AsyncClient, path: str) -> None:
    document = await page(anonymous, path)
    assert document.xpath("//script | //img | //iframe | //@style | //link[@rel='stylesheet']") == []
    assert [address for address in document.xpath("//@href | //@src") if not address.startswith(("/", "#"))] == []


@pytest.mark.parametrize("path", ["/docs", "/changelog"])
async def test_a_page_may_do_nothing_but_be_read(anonymous: httpx2.AsyncClient, path: str) -> None:
    headers = (await anonymous.get(path)).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


async def test_the_reference_holds_every_operation_schema_and_error(anonymous: httpx2.AsyncClient) -> None:
    document = await page(anonymous, "/docs")
    text, ids = document.text_content(), set(document.xpath("//@id"))
    description = described()
    for path, methods in description["paths"].items():
        assert path in text
        assert {operation["operationId"] for operation in methods.values()} <= ids
    assert set(description["components"]["schemas"]) <= ids
    assert {address[1:] for address in document.xpath("//a/@href") if address.startswith("#")} <= ids
    assert all(kind.code in text for kind in api_errors())


async def test_the_changelog_is_a_page_and_a_feed(anonymous: httpx2.AsyncClient) -> None:
    document = await page(anonymous, "/changelog")
    assert document.xpath("//h2/text()")[-1] == "2026-11-20"
    answer = await anonymous.get("/changelog.rss")
    assert answer.headers["Content-Type"].startswith("application/rss+xml")
    feed = etree.fromstring(answer.content)
    assert len(feed.findall("channel/item")) == len(document.xpath("//li")) == len(changelog())
    assert feed.findtext("channel/item/link") == "http://bonafide.test/changelog#2026-11-20"
    assert feed.findtext("channel/item/pubDate") == "Fri, 20 Nov 2026 00:00:00 +0000"
    assert len({guid.text for guid in feed.findall("channel/item/guid")}) == len(changelog())


def test_the_shipped_changelog_begins_with_the_first_version() -> None:
    assert changelog()[-1].day == date(2026, 11, 20)
    assert any("/v1/search" in change.text for change in changelog())


def test_entries_are_read_with_their_date_and_category() -> None:
    newest = "## 2027-01-02\n\n### Breaking\n\n- One\n  goes on.\n\n### Fixed\n\n- Two\n\n"
    text = f"# API changelog\n\nPreface.\n\n{newest}## 2027-01-01\n### Added\n- Three"
    assert list(parse(text)) == [
        Change(date(2027, 1, 2), Category.BREAKING, "One goes on."),
        Change(date(2027, 1, 2), Category.FIXED, "Two"),
        Change(date(2027, 1, 1), Category.ADDED, "Three"),
    ]


@pytest.mark.parametrize(
    "text", ["## soon", "## 2027-01-01\n### Improved", "## 2027-01-01\n- no category", "## 2027-01-01\n### Added\nprose"]
)
def test_what_is_not_a_changelog_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        list(parse(text))


def test_what_an_entry_quotes_stays_text() -> None:
    change = Change(date(2027, 1, 1), Category.ADDED, 'A `<b>` & "quotes": <script>alert(1)</script>')
    shown = changelog_page([change])
    assert "<code>&lt;b&gt;</code> &amp; " in shown
    assert re.search(r"<script", shown) is None
    feed = etree.fromstring(changelog_feed([change], "http://bonafide.test/changelog").encode())
    assert feed.findtext("channel/item/description") == change.text
