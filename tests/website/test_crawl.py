"""Reading a site: which pages, in which order, and what each way of failing is called."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from bonafide.model.search.website import WebsiteStatus
from bonafide.net.address_guard import Resolver
from bonafide.net.web_fetch import WebFetcher
from bonafide.settings import Settings
from bonafide.website.crawling.crawler import Crawl, CrawlLimits, crawl
from tests.support.servers.fake_internet import Answerer, Internet, Site, answer, internet, name_server, names
from tests.support.waiting import LOOKUP_S, TIMEOUT_S

pytestmark = pytest.mark.anyio
HOSTILE = yaml.safe_load((Path(__file__).parent / "hostile.yml").read_text(encoding="utf-8"))
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
SHOP, OTHER = "93.184.215.14", "93.184.215.15"
NAMES = {
    "shop.example": [SHOP],
    "other.example": [OTHER],
    "private.example": ["10.0.0.1"],
    "mixed.example": [SHOP, "127.0.0.1"],
}
ENOUGH_S = 3.0
"""For two pages, which take milliseconds, on any machine; it is waited for."""
LIMITS = CrawlLimits(pages=8, timeout_s=TIMEOUT_S)
TEXT = "<p>" + "A bakery of the oldest kind, with bread from its own mill. " * 3 + "</p>"
SCRIPTED = '<html><body><div id="root"></div><script src="/app.js"></script><noscript>Enable JavaScript</noscript></body></html>'


def linking(*paths: str) -> bytes:
    return answer(TEXT + "".join(f'<a href="{path}">{path.strip("/").replace("-", " ")}</a>' for path in paths))


@asynccontextmanager
async def online(
    sites: dict[str, Site], resolve: Resolver | None = None, **given: float
) -> AsyncIterator[tuple[WebFetcher, Internet]]:
    async with internet(sites) as made:
        settings = Settings.model_validate({"website_timeout_s": LOOKUP_S, **given})
        visitor = WebFetcher(settings, lambda: NOW, resolve=resolve if resolve is not None else names(NAMES), sockets=made)
        yield visitor, made
        await visitor.close()


async def crawled(
    answers: Mapping[str, bytes | Answerer], address: str = "http://shop.example/", limits: CrawlLimits = LIMITS
) -> Crawl:
    async with online({SHOP: Site(dict(answers)), OTHER: Site({"*": answer(TEXT)})}) as (visitor, made):
        found = await crawl(visitor, address, limits, lambda: NOW)
        assert made.trap.accepted == 0
        return found


def paths(found: Crawl) -> list[str]:
    return [page.url.removeprefix("http://shop.example") for page in found.pages]


async def test_the_home_page_and_what_it_links_to_is_read() -> None:
    shop = {"/": linking("/contact", "/about", "/shop", "/terms", "/privacy", "/legal"), "*": answer(TEXT)}
    found = await crawled(shop)
    assert (found.status, found.error, found.url) == (WebsiteStatus.SUCCESS, None, "http://shop.example/")
    assert paths(found) == ["/", "/contact", "/about", "/legal", "/terms", "/privacy"]
    assert [(page.url, page.status, page.size, page.note) for page in found.asked] == [
        (page.url, 200, len(page.html.encode()), None) for page in found.pages
    ]
    assert {page.retrieved_at for page in found.pages} == {NOW}


async def test_a_sitemap_leads_to_pages_that_the_home_page_does_not() -> None:
    index = "<sitemapindex><sitemap><loc>/posts.xml</loc></sitemap><sitemap><loc>/pages.xml</loc></sitemap></sitemapindex>"
    shop = {
        "/": linking("/shop"),
        "/robots.txt": answer("User-agent: *\nDisallow: /fr/\nSitemap: http://shop.example/map.xml\n", content_type="text/plain"),
        "/map.xml": answer(index, content_type="application/xml"),
        "/pages.xml": answer(
            "<urlset><url><loc>http://shop.example/nous-joindre</loc></url><url><loc>http://other.example/about</loc></url></urlset>",
            content_type="text/xml",
        ),
        "*": answer(TEXT),
    }
    found = await crawled(shop)
    assert (found.status, paths(found)) == (WebsiteStatus.SUCCESS, ["/", "/nous-joindre"])


async def test_the_usual_place_of_a_sitemap_is_looked_at_and_a_hostile_one_is_no_harm() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "' + "x" * 9000 + '">]><urlset><url><loc>/about&a;</loc></url></urlset>'
    site = Site({"/": linking("/contact"), "/sitemap.xml": answer(bomb, content_type="text/xml"), "/contact": answer(TEXT)})
    async with online({SHOP: site}) as (visitor, _):
        found = await crawl(visitor, "http://shop.example", LIMITS, lambda: NOW)
    assert (found.status, paths(found)) == (WebsiteStatus.SUCCESS, ["/", "/contact"])
    assert site.asked == ["/robots.txt", "/", "/sitemap.xml", "/contact"]


async def test_no_more_pages_than_allowed_are_asked_for() -> None:
    many = [f"/{part}{kind}" for kind in ("contact", "about", "legal", "terms", "privacy", "team") for part in ("", "fr/", "en/")]
    site = Site({"/": linking(*many), "*": answer(TEXT)})
    async with online({SHOP: site}) as (visitor, _):
        found = await crawl(visitor, "http://shop.example", CrawlLimits(pages=4, timeout_s=TIMEOUT_S), lambda: NOW)
    assert (len(found.pages), found.status, len(site.asked)) == (4, WebsiteStatus.SUCCESS, 5)
    only_home = await crawled({"/": linking(*many), "*": answer(TEXT)}, limits=CrawlLimits(pages=1, timeout_s=TIMEOUT_S))
    assert paths(only_home) == ["/"]


async def test_behind_a_choice_of_languages_the_site_is_found() -> None:
    shop = {
        "/": answer('<a href="/en/">English</a> <a href="/fr/">Français</a>'),
        "/en/": linking("/en/contact"),
        "/fr/": linking("/fr/contact"),
        "*": answer(TEXT),
        "/robots.txt": answer("", 404),
        "/sitemap.xml": answer("", 404),
    }
    assert paths(await crawled(shop)) == ["/", "/en/", "/fr/", "/en/contact", "/fr/contact"]


async def test_a_site_that_moves_to_another_host_is_read_there_by_the_rules_of_that_host() -> None:
    shop, other = Site({"*": answer("", 301, location="http://other.example/")}), Site({"/": linking("/about"), "*": answer(TEXT)})
    async with online({SHOP: shop, OTHER: other}) as (visitor, _):
        found = await crawl(visitor, "http://shop.example/", LIMITS, lambda: NOW)
    assert (found.url, [page.url for page in found.pages]) == (
        "http://other.example/",
        ["http://other.example/", "http://other.example/about"],
    )
    shop.answers["/robots.txt"] = answer("", 404)
    other.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /", content_type="text/plain")
    other.asked.clear()
    async with online({SHOP: shop, OTHER: other}) as (visitor, _):
        found = await crawl(visitor, "http://shop.example/", LIMITS, lambda: NOW)
    assert (found.status, other.asked) == (WebsiteStatus.BLOCKED, ["/robots.txt"])


@pytest.mark.parametrize(
    ("rules", "read"),
    [
        ("User-agent: *\nDisallow: /", []),
        ("User-agent: bonafide\nDisallow: /", []),
        ("User-agent: *\nDisallow: /\nUser-agent: bonafide\nAllow: /", ["/", "/contact", "/about"]),
        ("User-agent: *\nDisallow: /about", ["/", "/contact"]),
        ("User-agent: *\nDisallow: /*t$", ["/"]),
        ("User-agent: other\nDisallow: /", ["/", "/contact", "/about"]),
        ("<!doctype html>", ["/", "/contact", "/about"]),
    ],
)
async def test_robots_txt_is_respected(rules: str, read: list[str]) -> None:
    site = Site({"/": linking("/contact", "/about"), "*": answer(TEXT), "/robots.txt": answer(rules, content_type="text/plain")})
    async with online({SHOP: site}) as (visitor, _):
        found = await crawl(visitor, "http://shop.example/", LIMITS, lambda: NOW)
    assert (paths(found), [path for path in site.asked if "." not in path]) == (read, read)
    assert found.status is {0: WebsiteStatus.BLOCKED, 3: WebsiteStatus.SUCCESS}.get(len(read), WebsiteStatus.PARTIAL)


@pytest.mark.parametrize(
    ("status", "expected"),
    [(404, "success"), (401, "success"), (403, "success"), (410, "success"), (500, "blocked"), (503, "blocked")],
)
async def test_a_missing_robots_txt_allows_and_a_failing_one_forbids(status: int, expected: str) -> None:
    assert (await crawled({"/robots.txt": answer("x", status), "*": answer(TEXT)})).status == expected


async def test_a_long_robots_txt_is_read_in_part() -> None:
    rules = "User-agent: *\n" + "# x\n" * 200_000 + "Disallow: /\n"
    found = await crawled({"/robots.txt": answer(rules, content_type="text/plain"), "*": answer(TEXT)})
    assert found.status is WebsiteStatus.SUCCESS


CHALLENGE = '<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b"></script>'


@pytest.mark.parametrize(
    ("home", "status"),
    [
        (answer(TEXT), "success"),
        (answer(TEXT + CHALLENGE), "success"),
        (answer(SCRIPTED), "partial"),
        (answer(""), "partial"),
        (answer("", 204), "partial"),
        (answer("no", 401), "blocked"),
        (answer("no", 403), "blocked"),
        (answer("slower", 429), "blocked"),
        (answer("not in your country", 451), "blocked"),
        (answer(CHALLENGE), "blocked"),
        (answer(CHALLENGE, 503), "blocked"),
        (answer(TEXT, cf_mitigated="challenge"), "blocked"),
        (answer("gone", 404), "invalid"),
        (answer("gone", 410), "invalid"),
        (answer(b"%PDF-1.7", content_type="application/pdf"), "invalid"),
        (answer("{}", content_type="application/json"), "invalid"),
        (answer("hello", content_type="text/plain"), "invalid"),
        (answer("x", 500), "unreachable"),
        (answer("x", 503), "unreachable"),
        (answer("x", 400), "unreachable"),
        (answer("", 302), "unreachable"),
        (answer("", 302, location="/"), "unreachable"),
        (answer("", 302, location="http://127.0.0.1/"), "refused"),
        (answer("", 302, location="http://private.example/"), "refused"),
        (answer("", 302, location="http://mixed.example/"), "refused"),
        (answer("", 302, location="http://nowhere.example/"), "unreachable"),
        (answer(TEXT, content_encoding="br"), "unreachable"),
        (answer("<div>" * 300_000), "partial"),
        (answer("<div " + " ".join(f"a{n}" for n in range(200_000)) + ">"), "partial"),
    ],
)
async def test_what_the_home_page_answers_is_the_sites_status(home: bytes, status: str) -> None:
    found = await crawled({"/": home})
    assert found.status == status
    assert (found.error is None) is (status == "success")
    assert (found.pages == ()) is (status not in {"success", "partial"})
    assert len(found.asked) == 1


async def test_an_ordinary_long_page_is_read() -> None:
    found = await crawled({"/": answer("<ul>" + "<li><a href='/p'>Bread</a></li>" * 10_000 + "</ul>" + TEXT)})
    assert found.status is WebsiteStatus.SUCCESS


async def test_a_home_page_without_text_is_partial_even_where_a_script_draws_others() -> None:
    shop = {"/": answer(SCRIPTED + '<a href="/about"></a>'), "*": answer(SCRIPTED)}
    found = await crawled(shop)
    assert (found.status, paths(found)) == (WebsiteStatus.PARTIAL, ["/", "/about"])


async def test_a_page_that_can_not_be_read_makes_the_site_partial_and_says_why() -> None:
    shop = {
        "/": linking("/contact", "/about", "/legal", "/terms", "/privacy"),
        "/contact": answer("x", 500),
        "/about": answer("", 302, location="http://other.example/about"),
        "/legal": answer("", 302, location="http://[::1]/"),
        "/terms": answer(TEXT * 20_000),
        "/privacy": answer("", 302, location="/contact"),
    }
    found = await crawled(shop)
    assert (found.status, paths(found)) == (WebsiteStatus.PARTIAL, ["/", "/terms"])
    assert [(page.status, page.note) for page in found.asked] == [
        (200, None),
        (500, "the site returned HTTP 500"),
        (None, "the address redirects to another site (other.example)"),
        (None, "::1 is not a public address"),
        (200, "only the first 2,097,152 bytes were read"),
        (500, "the site returned HTTP 500"),
    ]
    assert found.error is not None
    assert found.error.startswith("5 of 6 pages")


async def test_two_links_to_one_page_are_one_page() -> None:
    shop = {"/": linking("/contact", "/about"), "/about": answer("", 302, location="/contact"), "*": answer(TEXT)}
    assert paths(await crawled(shop)) == ["/", "/contact"]


async def test_a_link_back_to_the_home_page_leaves_it_the_first() -> None:
    shop = {"/": linking("/contact"), "/contact": answer("", 302, location="/"), "*": answer(TEXT)}
    assert paths(await crawled(shop)) == ["/"]


async def _never(_path: str, _writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(TIMEOUT_S)


@pytest.mark.slow
async def test_when_the_time_is_up_what_was_read_stays() -> None:
    shop: dict[str, bytes | Answerer] = {"/": linking("/contact", "/about"), "/about": _never, "*": answer(TEXT)}
    found = await crawled(shop, limits=CrawlLimits(pages=8, timeout_s=ENOUGH_S))
    assert (found.status, paths(found)) == (WebsiteStatus.PARTIAL, ["/", "/contact"])
    assert [page.note for page in found.asked] == [None, None, "not read before the time limit"]


@pytest.mark.parametrize("path", ["/", "/robots.txt"])
async def test_a_site_that_never_answers_is_unreachable(path: str) -> None:
    found = await crawled({path: _never, "*": answer(TEXT)}, limits=CrawlLimits(pages=8, timeout_s=0.3))
    assert (found.status, found.pages, found.url) == (WebsiteStatus.UNREACHABLE, (), "http://shop.example/")


@pytest.mark.slow
async def test_a_slow_sitemap_leaves_the_home_page() -> None:
    found = await crawled({"/sitemap.xml": _never, "/": linking()}, limits=CrawlLimits(pages=8, timeout_s=ENOUGH_S))
    assert (found.status, paths(found)) == (WebsiteStatus.PARTIAL, ["/"])


@pytest.mark.parametrize("address", ["shop.example", " shop.example ", "SHOP.example/", "//shop.example"])
async def test_an_address_without_a_scheme_is_https_and_http_where_that_is_not_there(address: str) -> None:
    async with online({SHOP: Site({"*": answer(TEXT)})}) as (visitor, made):
        made.places[SHOP, 443] = 1  # nobody listens there
        found = await crawl(visitor, address, LIMITS, lambda: NOW)
    assert (found.status, found.url) == (WebsiteStatus.SUCCESS, "http://shop.example/")
    assert [(page.url[:5], page.note is None) for page in found.asked] == [("https", False), ("http:", True)]


async def test_an_address_with_https_is_not_tried_without() -> None:
    async with online({SHOP: Site({"*": answer(TEXT)})}) as (visitor, made):
        made.places[SHOP, 443] = 1
        found = await crawl(visitor, "https://shop.example", LIMITS, lambda: NOW)
    assert (found.status, found.url, made.connected) == (WebsiteStatus.UNREACHABLE, "https://shop.example", [(SHOP, 443)])


@pytest.mark.parametrize(
    ("address", "status"),
    [
        *((url, "refused") for url in HOSTILE["refused"]),
        *((url, "invalid") for url in HOSTILE["invalid"]),
        ("", "invalid"),
        ("   ", "invalid"),
        ("n/a", "invalid"),
        ("Sandbox Bakery Inc.", "invalid"),
        ("127.0.0.1", "refused"),
        ("127.0.0.1:8080/admin", "refused"),
        ("localhost:6379", "refused"),
        ("[::1]", "refused"),
        ("169.254.169.254/latest/meta-data", "refused"),
        ("mailto:info@shop.example", "refused"),
        ("info@shop.example", "refused"),
        ("nowhere.example", "unreachable"),
    ],
    ids=ascii,
)
async def test_a_hostile_or_senseless_address_is_a_status(idle: tuple[WebFetcher, Internet], address: str, status: str) -> None:
    visitor, made = idle
    found = await crawl(visitor, address, LIMITS, lambda: NOW)
    assert (found.status, found.pages) == (status, ())
    assert found.url == address.strip()
    assert (made.connected, made.trap.accepted) == ([], 0)


@pytest.fixture(scope="module")
async def idle() -> AsyncIterator[tuple[WebFetcher, Internet]]:
    """A door through which nothing goes."""
    async with online({SHOP: Site({"*": answer(TEXT)})}) as (visitor, made):
        yield visitor, made


@pytest.mark.parametrize("addresses", HOSTILE["names"], ids=" ".join)
async def test_a_name_that_turns_to_another_address_while_its_site_is_read_reaches_nothing(addresses: list[str]) -> None:
    site = Site({"*": answer(TEXT + '<a href="/about">About</a>', connection="close")})
    async with (
        name_server({"attacker.example": [[SHOP], [SHOP], addresses]}) as (server, resolve),
        online({SHOP: site}, resolve) as (visitor, made),
    ):
        found = await crawl(visitor, "http://attacker.example", LIMITS, lambda: NOW)
        assert (made.connected, made.trap.accepted) == ([(SHOP, 80)] * 2, 0)
    assert (found.status, len(found.pages), len(server.asked)) == (WebsiteStatus.PARTIAL, 1, 4)
    assert "is not a public address" in (found.asked[-1].note or "")
