"""The addresses of a sitemap, from friends and strangers."""

import pytest

from bonafide.website.crawling.site_files import MAX_ADDRESSES, Sitemap, parse_sitemap

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def test_pages_and_further_sitemaps_are_read_with_or_without_a_namespace() -> None:
    pages = (
        f'<?xml version="1.0" encoding="UTF-8"?><urlset {SPACE}><url><loc> https://a.example/é?a=1&amp;b=2\n</loc></url></urlset>'
    )
    assert parse_sitemap(pages.encode()) == Sitemap(("https://a.example/é?a=1&b=2",))
    index = b"<sitemapindex><sitemap><loc>/pages.xml</loc></sitemap><sitemap><lastmod/></sitemap></sitemapindex>"
    assert parse_sitemap(index) == Sitemap((), ("/pages.xml",))


@pytest.mark.parametrize("body", [b"", b"not xml", b"<html><body>404</body></html>", b"\0\1\2", b"<urlset><url>", b"\xff\xfe<"])
def test_what_is_no_sitemap_names_nothing(body: bytes) -> None:
    assert parse_sitemap(body) == Sitemap()


def test_a_broken_sitemap_is_read_as_far_as_it_goes() -> None:
    assert parse_sitemap(b"<urlset><url><loc>/a</loc></url><url><loc>/b&c</loc></ur").pages[0] == "/a"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_not_resolved(encoding: str, tmp_path: object) -> None:
    bomb = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">' + '<!ENTITY f SYSTEM "file:///etc/passwd">'
    text = f"<!DOCTYPE urlset [{bomb}]><urlset><url><loc>/x&b;&f;</loc></url></urlset>"
    assert "root:" not in str(parse_sitemap(text.encode(encoding)))
    assert "haha" not in str(parse_sitemap(text.encode(encoding)))


def test_only_so_many_addresses_are_taken() -> None:
    body = b"<urlset>" + b"<url><loc>/a</loc></url>" * (MAX_ADDRESSES + 10) + b"</urlset>"
    assert len(parse_sitemap(body).pages) == MAX_ADDRESSES
