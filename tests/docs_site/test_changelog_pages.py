"""The API's changelog: read strictly from its file, shown as a page and as a feed."""

import re
from datetime import date

import httpx2
import pytest
from lxml import etree

from bonafide.api.description.deprecations import Deprecation
from bonafide.docs_site import changelog, page_rendering
from bonafide.docs_site.changelog import ChangeCategory, ChangelogEntry, list_deprecations, parse_changelog, read_changelog
from bonafide.i18n.language import Language
from tests.support.served_pages import ServedPage

pytestmark = pytest.mark.anyio


async def test_the_changelog_is_a_page_and_a_feed(reader: httpx2.AsyncClient) -> None:
    document = ServedPage((await reader.get("/changelog")).text)
    assert document.select_texts("//main//section/h2//time/text()")[-1] == "2026-11-20"
    answer = await reader.get("/changelog.rss")
    assert answer.headers["Content-Type"].startswith("application/rss+xml")
    tree = etree.fromstring(answer.content)
    assert len(tree.findall("channel/item")) == document.count("//main//section//li") == len(read_changelog())
    assert len({guid.text for guid in tree.findall("channel/item/guid")}) == len(read_changelog())


async def test_an_item_of_the_feed_leads_to_its_section(reader: httpx2.AsyncClient) -> None:
    tree = etree.fromstring((await reader.get("/changelog.rss")).content)
    item = tree.findall("channel/item")[-1]
    assert item.findtext("link") == "https://bonafide.example/changelog#2026-11-20"
    assert item.findtext("pubDate") == "Fri, 20 Nov 2026 00:00:00 +0000"
    document = ServedPage((await reader.get("/changelog")).text)
    anchors = {(link.text or "").partition("#")[2] for link in tree.findall("channel/item/link")}
    assert anchors <= set(document.select_texts("//@id"))


def test_what_is_announced_has_no_date_and_another_identity_once_it_is_released() -> None:
    announced = ChangelogEntry(None, ChangeCategory.BREAKING, "`limit` is at most 20: ask for the next page.")
    released = ChangelogEntry(date(2027, 1, 1), ChangeCategory.BREAKING, announced.text)
    first, second = changelog.build_feed_items([announced, released], "https://bonafide.example/changelog")
    assert first.title == "Announced, Breaking: limit is at most 20"
    assert first.link == "https://bonafide.example/changelog#unreleased"
    assert first.published is None
    assert second.title == "Breaking: limit is at most 20"
    assert first.identity != second.identity


def test_the_scale_of_scores_is_a_breaking_change() -> None:
    breaking = [change.text for change in read_changelog() if change.category is ChangeCategory.BREAKING and change.day is not None]
    assert any("scale from 0 to 1" in text and "divide by 100" in text for text in breaking)


def test_the_shipped_changelog_begins_with_the_first_version() -> None:
    assert read_changelog()[-1].day == date(2026, 11, 20)
    assert any("/v1/search" in change.text for change in read_changelog())


def test_entries_are_read_with_their_date_and_category() -> None:
    newest = "## 2027-01-02\n\n### Breaking\n\n- One\n  goes on.\n\n### Fixed\n\n- Two\n\n"
    text = f"# API changelog\n\nPreface.\n\n## Unreleased\n### Changed\n- Soon\n\n{newest}## 2027-01-01\n### Added\n- Three"
    assert list(parse_changelog(text)) == [
        ChangelogEntry(None, ChangeCategory.CHANGED, "Soon"),
        ChangelogEntry(date(2027, 1, 2), ChangeCategory.BREAKING, "One goes on."),
        ChangelogEntry(date(2027, 1, 2), ChangeCategory.FIXED, "Two"),
        ChangelogEntry(date(2027, 1, 1), ChangeCategory.ADDED, "Three"),
    ]


@pytest.mark.parametrize(
    "text", ["## soon", "## 2027-01-01\n### Improved", "## 2027-01-01\n- no category", "## 2027-01-01\n### Added\nprose"]
)
def test_what_is_not_a_changelog_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        list(parse_changelog(text))


def test_what_an_entry_quotes_stays_text() -> None:
    change = ChangelogEntry(date(2027, 1, 1), ChangeCategory.ADDED, 'A `<b>` & "quotes": <script>alert(1)</script>')
    shown = page_rendering.render_page(
        "changelog.html", Language.ENGLISH, "/changelog", changes=[change], anchor=changelog.build_section_anchor
    )
    assert "<code>&lt;b&gt;</code> &amp; " in shown
    assert re.search(r"<script>alert", shown) is None
    address = "https://bonafide.example/changelog"
    tree = etree.fromstring(
        page_rendering.render_plain("feed.xml", items=changelog.build_feed_items([change], address), address=address).encode()
    )
    assert tree.findtext("channel/item/description") == change.text


def test_deprecations_are_read_with_their_dates() -> None:
    texts = (
        "`GET /v1/example/{id}`: deprecated 2026-12-01, sunset 2027-06-01. `GET /v1/example`: deprecated 2026-12-01.",
        "`POST /v1/example name`: deprecated 2027-01-01; send `title`.",
    )
    entries = [ChangelogEntry(None, ChangeCategory.DEPRECATED, text) for text in texts]
    first, later = date(2026, 12, 1), date(2027, 6, 1)
    assert list_deprecations(entries) == [
        Deprecation("GET", "/v1/example/{id}", None, first, later),
        Deprecation("GET", "/v1/example", None, first, None),
        Deprecation("POST", "/v1/example", "name", date(2027, 1, 1), None),
    ]
    assert list_deprecations([ChangelogEntry(None, ChangeCategory.CHANGED, texts[0])]) == []


def test_each_deprecation_of_the_shipped_changelog_has_its_dates() -> None:
    deprecated = [change for change in read_changelog() if change.category is ChangeCategory.DEPRECATED]
    assert [change.text for change in deprecated if not list_deprecations([change])] == []
