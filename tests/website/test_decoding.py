"""Text from bytes, in the encoding that header, first bytes or document name."""

import pytest

from bonafide.website.crawling.page_fetching import decode_page

FRENCH = "Café Ödön à l’été"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (FRENCH.encode(), "text/html"),
        (FRENCH.encode(), ""),
        (FRENCH.encode(), "text/html; charset=UTF-8"),
        (FRENCH.encode(), 'text/html; charset="utf-8"; x=y'),
        (FRENCH.encode("cp1252"), "text/html"),
        (FRENCH.encode("cp1252"), "text/html; charset=ISO-8859-1"),
        (FRENCH.encode("cp1252"), "text/html;charset=windows-1252"),
        (b"\xef\xbb\xbf" + FRENCH.encode(), "text/html; charset=iso-8859-1"),
        (b"\xff\xfe" + FRENCH.encode("utf-16-le"), "text/html"),
        (b"\xfe\xff" + FRENCH.encode("utf-16-be"), "text/html"),
        (FRENCH.encode("utf-16-le"), "text/html; charset=utf-16le"),
        (FRENCH.encode(), "text/html; charset=no-such-thing"),
    ],
)
def test_a_page_is_read_as_it_says(body: bytes, content_type: str) -> None:
    assert decode_page(body, content_type) == FRENCH


@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="windows-1252">',
        "<META CHARSET=iso-8859-1>",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">',
        '<?xml version="1.0" encoding="iso-8859-1"?>',
    ],
)
def test_a_page_may_name_its_encoding_itself(meta: str) -> None:
    assert decode_page((meta + FRENCH).encode("cp1252"), "text/html") == meta + FRENCH


def test_a_header_counts_more_than_the_page() -> None:
    text = '<meta charset="windows-1252">' + FRENCH
    assert decode_page(text.encode(), "text/html; charset=utf-8") == text


@pytest.mark.parametrize(
    "name", ["utf-7", "rot13", "hex", "zip", "base64", "idna", "punycode", "unicode_escape", "undefined", "mbcs"]
)
def test_codecs_that_are_no_encodings_of_pages_are_not_used(name: str) -> None:
    assert decode_page(b"<p>+ADw-</p> \\x41", f"text/html; charset={name}") == "<p>+ADw-</p> \\x41"


def test_a_page_that_was_cut_within_a_letter_is_still_utf_8() -> None:
    assert decode_page("Café été".encode()[:-1], "text/html").startswith("Café ét")


def test_any_bytes_are_text() -> None:
    every = bytes(range(256))
    assert len(decode_page(every, "")) == len(decode_page(every, "text/html; charset=ascii")) == 256
