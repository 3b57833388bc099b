"""The parsers of what strangers send: pages, robots.txt, sitemaps, registries of domains, compressed bodies, tables of industries.

No site is visited.
"""

import gzip
import zlib
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from starlette.responses import Response

from bonafide.net.decompression import Decompressor
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.net.web_fetch import WebResponse
from bonafide.net.web_url import WebUrl
from bonafide.website.crawling.page_fetching import assess_response, decode_page
from bonafide.website.crawling.page_links import choose_links, find_page_links
from bonafide.website.crawling.site_files import RobotsTxt, parse_sitemap
from bonafide.website.domain_registration import _parse_creation_date, _UnclearError
from bonafide.website.extraction.extractor import extract_statements
from bonafide.website.industry.index_building import build_index
from bonafide.website.industry.naics_index import read_index, write_index
from bonafide.website.industry.naics_tables import build_editions, read_naics_table
from bonafide.website.industry.site_texts import collect_site_texts
from bonafide.website.page_content.markup import SitePage
from bonafide.website.registrable_domain import parse_registrable_domain
from bonafide_sandbox.sites.catalog import load_catalog
from bonafide_sandbox.sites.hostile import HOSTILE_SITES
from bonafide_sandbox.world.builder import DEFAULT_SEED
from tests.support.fuzzing.parsers import Make, Parser, Workshop
from tests.support.fuzzing.seeds import chosen, made_world

NOW = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
HOME = "https://heron.example/"
SITES = 8
SMALL = 30_000
TYPES = (
    "text/html",
    "text/html; charset=utf-8",
    "text/html; charset=windows-1252",
    "text/html; charset=utf-16",
    "text/html; charset=x",
)
ROOM = 1 << 20
RDAP = b"""{"objectClassName": "domain", "ldhName": "heron.ca",
 "events": [{"eventAction": "registration", "eventDate": "2001-02-03T04:05:06Z"}]}"""
ROBOTS = b"""User-agent: *
Disallow: /private/*.pdf$
Allow: /private/a%20b
Sitemap: https://heron.example/sitemap.xml

User-agent: bonafide
Disallow:
"""
SITEMAP = b"""<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://heron.example/about</loc></url></urlset>
"""


def parsers() -> Mapping[str, Make]:
    """By name."""
    return {
        "website:page": _pages,
        "website:robots": lambda _: Parser(_read_robots, [ROBOTS]),
        "website:sitemap": lambda _: Parser(parse_sitemap, [SITEMAP, SITEMAP.replace(b"url", b"sitemap")]),
        "website:domain": lambda _: Parser(_read_domain, [RDAP]),
        "website:address": lambda _: Parser(_read_address, _addresses()),
        "website:body": lambda _: Parser(_inflated, _bodies()),
        "naics:tables": _tables,
        "naics:index": _index,
    }


# ------------------------------------------------------------------------------------------------------------ pages


def _pages(_workshop: Workshop) -> Parser:
    return Parser(_read_page, chosen(0, _seen_pages()))


@cache
def _seen_pages() -> tuple[bytes, ...]:
    """The home pages of some of the made-up businesses, and the short ones of those who mean harm."""
    town = load_catalog(DEFAULT_SEED)
    honest = [town.page(host, "/") for host in (*town.hosts[:SITES], *town.misleading, *town.written)]
    hostile = (answer("/") for label, answer in HOSTILE_SITES.items() if label not in {"bomb", "double-bomb"})
    bodies = [page.body for page in honest if page is not None]
    bodies += [
        bytes(answer.body) for answer in hostile if type(answer).__name__ != "StreamingResponse" and isinstance(answer, Response)
    ]
    return tuple(body[:SMALL] for body in bodies)


def _read_page(data: bytes) -> None:
    """All that is done with a page: judged, decoded, its links followed, its statements and its trade read."""
    if not data:
        return
    content_type = TYPES[data[0] % len(TYPES)]
    visit = WebResponse(HOME, 200, content_type, data[1:], {}, NOW, (), is_truncated=False)
    html = decode_page(visit.body, content_type)
    assess_response(visit, html)
    page = SitePage(HOME, html, NOW)
    choose_links(find_page_links(page), (), 5)
    extract_statements([page]).model_dump_json()
    collect_site_texts([page])


def _read_robots(data: bytes) -> None:
    robots = RobotsTxt.parse(decode_page(data, "text/plain"), "bonafide")
    robots.is_allowed("/private/a b.pdf?x=%C3%A9")
    robots.is_allowed(decode_page(data, "text/plain")[:100])


def _read_domain(data: bytes) -> None:
    with suppress(_UnclearError):
        _parse_creation_date(
            SourceResponse(SourceRequest("https://rdap.example/domain/heron.ca"), 200, "application/rdap+json", data, NOW),
            "heron.ca",
        )


def _addresses() -> list[bytes]:
    texts = (
        "https://www.heron.ca/a?b=c#d",
        "http://[2001:db8::1]:8080/",
        "héron.ca",
        "HTTP://user:pass@x.co.uk",
        "//x",
        "127.1",
        "a..b",
    )
    return [text.encode() for text in texts]


def _read_address(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    parse_registrable_domain(text)
    WebUrl.parse(HOME).join(text)
    WebUrl.parse(text)


# ------------------------------------------------------------------------------------------------------------ bodies


def _bodies() -> list[bytes]:
    plain = b"<p>Good morning</p>" * 20
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    return chosen(
        0, (plain, gzip.compress(plain), zlib.compress(plain), raw.compress(plain) + raw.flush(), gzip.compress(bytes(1 << 22)))
    )


def _inflated(data: bytes) -> None:
    if not data:
        return
    inflater, size = Decompressor(("", "gzip", "deflate", "x-gzip", "br")[data[0] % 5]), 0
    for at in range(1, len(data), 512):
        size += len(inflater.decode(data[at : at + 512], ROOM + 1 - size))
        if size > ROOM:
            return


# ------------------------------------------------------------------------------------------------------------ industries


def _naics(workshop: Workshop) -> list[Path]:
    """The tables, whole: each leans on another."""
    files = [file for file in made_world(workshop.world) if file.source == "naics"]
    return [workshop.world / file.path for file in files]


def _tables(workshop: Workshop) -> Parser:
    whole = _naics(workshop)

    def run(data: bytes) -> None:
        if not data:
            return
        path = workshop.scratch / "table.csv"
        path.write_bytes(data[1:])
        paths = [path if at == data[0] % len(whole) else one for at, one in enumerate(whole)]
        build_index(build_editions([read_naics_table(one, one.name) for one in paths]), {})

    return Parser(run, chosen(0, (path.read_bytes() for path in whole)))


def _index(workshop: Workshop) -> Parser:
    whole = workshop.scratch / "whole.npz"
    write_index(build_index(build_editions([read_naics_table(path, path.name) for path in _naics(workshop)]), {}), whole)

    def run(data: bytes) -> None:
        path = workshop.scratch / "index.npz"
        path.write_bytes(data)
        read_index(path)

    return Parser(run, [whole.read_bytes()])
