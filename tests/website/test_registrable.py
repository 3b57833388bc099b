"""Which domain a web address belongs to, by the public suffix list."""

import pytest

from bonafide.website.registrable_domain import parse_registrable_domain


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.example.ca/about", "example.ca"),
        ("http://example.com", "example.com"),
        ("https://shop.example.qc.ca", "example.qc.ca"),
        ("https://www.example.gc.ca", "example.gc.ca"),
        ("https://a.b.example.co.uk:443/", "example.co.uk"),
        ("HTTPS://EXAMPLE.CA.", "example.ca"),
        ("example.ca/contact", "example.ca"),
        ("https://www.café.ca", "xn--caf-dma.ca"),
        ("https://xn--caf-dma.ca", "xn--caf-dma.ca"),
        ("https://bakery.sandbox.example", "bakery.sandbox.example"),
        ("https://user@example.ca", "example.ca"),
        ("https://shop.example.org.au", "example.org.au"),
        ("https://weebly.com", "weebly.com"),
        ("https://myshopify.com", "myshopify.com"),
    ],
)
def test_the_domain_is_one_label_below_its_suffix(url: str, domain: str) -> None:
    found = parse_registrable_domain(url)

    assert (found.domain, found.reason) == (domain, None)
    assert found.service is not None
    assert found.service.startswith("https://")
    assert found.service.endswith("/")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://[2001:db8::1]/",
        "http://[fe80::1%25eth0]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://１２７.0.0.1/",
    ],
)
def test_an_ip_address_has_no_domain(url: str) -> None:
    found = parse_registrable_domain(url)

    assert found.service is None
    assert "IP address" in (found.reason or "")


@pytest.mark.parametrize(
    "url",
    ["", "https://", "https://ca", "https://qc.ca", "https://a..ca", f"https://{'a' * 64}.ca", "https://-.ca", "http://[", "\0.ca"],
)
def test_what_can_not_be_registered_has_a_reason(url: str) -> None:
    found = parse_registrable_domain(url)

    assert found.service is None
    assert found.reason


def test_a_registry_that_is_not_in_the_table_is_not_asked() -> None:
    found = parse_registrable_domain("https://shop.example.zz")

    assert (found.domain, found.service) == ("example.zz", None)
    assert "no RDAP service is known for .zz" in (found.reason or "")
    # A suffix with a rule of its own, below a top-level domain without a registry in the table.
    assert parse_registrable_domain("https://www.shop.example.kawasaki.jp").domain == "shop.example.kawasaki.jp"


@pytest.mark.parametrize("platform", ["myshopify.com", "wixsite.com", "github.io", "weebly.com", "business.site"])
def test_the_age_of_a_platform_says_nothing_of_its_customers(platform: str) -> None:
    found = parse_registrable_domain(f"https://my-bakery.{platform}/pages/contact")

    assert (found.domain, found.service) == (f"my-bakery.{platform}", None)
    assert f"a subdomain of {platform}" in (found.reason or "")
