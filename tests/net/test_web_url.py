"""Reading of addresses: whatever comes in, what comes out is public, plain, and reads as itself."""

from ipaddress import ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonafide.errors import AddressRefused, InvalidInput
from bonafide.net.address_guard import is_public
from bonafide.net.web_url import DEFAULT_PORTS, MAX_LENGTH, WebUrl

HOSTS = st.sampled_from(
    [
        "shop.example",
        "SHOP.Example.",
        "érable.example",
        "127.0.0.1",
        "8.8.8.8",
        "0x8.8.8.8",
        "[::1]",
        "[2606:4700::1]",
        "a@b.example",
        "ß.ca",
    ]
)
PIECES = st.lists(st.sampled_from([*"/?#@:%.[]\\ ;=&éＡ。\t\u200b", "..", "//", "%2e", "%00", "80", "x"]), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://shop.example", "http://shop.example/"),
        ("HTTPS://Shop.Example.:443/A?b=C#d", "https://shop.example/A?b=C"),
        ("http://shop.example:443/", "http://shop.example:443/"),
        ("https://shop.example:80/", "https://shop.example:80/"),
        ("http://shop.example:/?a", "http://shop.example/?a"),
        ("http://shop.example/a/../b/./c", "http://shop.example/b/c"),
        ("http://shop.example/é?ô=û", "http://shop.example/%C3%A9?%C3%B4=%C3%BB"),
        ("http://érable.example/", "http://xn--rable-9ra.example/"),
        ("http://ＳＨＯＰ。example/", "http://shop.example/"),
        ("http://0x8.8.8.8/", "http://8.8.8.8/"),
        ("http://134744072/", "http://8.8.8.8/"),
        ("http://[2606:4700:0:0:0:0:0:1111]:80/", "http://[2606:4700::1111]/"),
        ("http://my_shop.example/", "http://my_shop.example/"),
    ],
)
def test_an_address_has_one_spelling(text: str, url: str) -> None:
    assert str(WebUrl.parse(text)) == url


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("/x", "https://shop.example/x"),
        ("x?y", "https://shop.example/a/x?y"),
        ("?y", "https://shop.example/a/b?y"),
        ("../../../x", "https://shop.example/x"),
        ("//other.example/x", "https://other.example/x"),
        ("http://other.example", "http://other.example/"),
    ],
)
def test_a_reference_is_read_from_where_it_stands(reference: str, url: str) -> None:
    assert str(WebUrl.parse("https://shop.example/a/b").join(reference)) == url


@pytest.mark.parametrize(
    "text", ["http://shop.example/" + "x" * MAX_LENGTH, "http://shop.example/" + "é" * 1000, f"http://{'a.' * 130}ca/"]
)
def test_an_address_has_an_end(text: str) -> None:
    with pytest.raises(InvalidInput):
        WebUrl.parse(text)


def _check(url: WebUrl) -> None:
    assert WebUrl.parse(str(url)) == url
    assert url.scheme in DEFAULT_PORTS
    assert url.port in DEFAULT_PORTS.values()
    assert str(url).isascii()
    assert "@" not in url.origin
    assert url.target.startswith("/")
    if url.host.replace(".", "").isdigit() or ":" in url.host:
        assert is_public(ip_address(url.host))


@given(st.text())
@example("http://℀.example/")
@example("http://xn--a.example/")
def test_any_text_is_an_address_or_is_not(text: str) -> None:
    for candidate in (text, f"http://{text}", f"https://{text}/", f"http://shop.example/{text}"):
        try:
            _check(WebUrl.parse(candidate))
        except (AddressRefused, InvalidInput):
            continue


@given(st.sampled_from(["http://", "https://", "http:", "//", ""]), HOSTS, PIECES, HOSTS, PIECES)
def test_any_redirect_is_an_address_or_is_not(scheme: str, host: str, middle: str, other: str, end: str) -> None:
    try:
        _check(WebUrl.parse("https://shop.example/a").join(scheme + host + middle + other + end))
    except (AddressRefused, InvalidInput):
        return
