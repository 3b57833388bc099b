"""Assertions on error responses of the API."""

import re

import httpx2

_SIGNED_URL = re.compile(rb'"reportUrl":"[^"]*","reportUrlExpiresAt":"[^"]*"')


def assert_error(answer: httpx2.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.headers["Content-Type"] == "application/json"
    assert set(answer.json()) <= {"error", "code", "requestId", "details"}
    assert (len(answer.json().get("details", [])) > 0) is (code == "VALIDATION_ERROR")


def refused_fields(answer: httpx2.Response) -> dict[str, str]:
    assert_error(answer, 400, "VALIDATION_ERROR")
    return {detail["path"]: detail["message"] for detail in answer.json()["details"]}


def without_signed_urls(content: bytes) -> bytes:
    """The text of a result without the signed URLs of its reports, which are new in each response."""
    return _SIGNED_URL.sub(b"", content)
