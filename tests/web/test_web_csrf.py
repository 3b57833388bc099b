"""Forms are ours: a token that only our pages know, and what the browser says of where it is."""

import secrets

import pytest

from bonafide.web.csrf import create_token, is_same_origin, is_valid

SECRET = secrets.token_bytes(32)
BASE = "https://bonafide.example"


def test_a_token_proves_its_secret() -> None:
    assert is_valid(SECRET, create_token(SECRET))


def test_two_pages_never_show_the_same_token() -> None:
    assert len({create_token(SECRET) for _ in range(20)}) == 20


@pytest.mark.parametrize("token", ["", "x", "é", "====", "\x00" * 88, "AAAA" * 22])
def test_anything_else_does_not(token: str) -> None:
    assert not is_valid(SECRET, token)


def test_nor_does_a_token_of_another_secret_or_a_part_of_one() -> None:
    assert not is_valid(SECRET, create_token(secrets.token_bytes(32)))
    assert not is_valid(SECRET, create_token(SECRET)[:-4])
    assert not is_valid(SECRET, create_token(SECRET + b"x"))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
        {"origin": "https://bonafide.example"},
        {"origin": "https://bonafide.example:443"},
        # Behind a proxy that calls us by another name, the browser's own word counts.
        {"sec-fetch-site": "same-origin", "origin": "https://other.example"},
    ],
)
def test_a_page_of_ours_is_told_by_its_headers(headers: dict[str, str]) -> None:
    assert is_same_origin(headers, BASE)


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "http://bonafide.example"},
        {"origin": "https://bonafide.example:8443"},
        {"origin": "https://bonafide.example.evil.example"},
        {"origin": "null"},
        {"origin": "https://bonafide.example:port"},
    ],
)
def test_a_page_of_somebody_else_is_too(headers: dict[str, str]) -> None:
    assert not is_same_origin(headers, BASE)
