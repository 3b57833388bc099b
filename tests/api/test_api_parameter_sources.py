"""How an endpoint gets its parameters: each from where its signature says, after the rules of its operation."""

from typing import Annotated

import pytest
from fastapi import Depends, Request
from starlette.responses import Response

from bonafide.api.protocol.dependency_resolution import build_handler

pytestmark = pytest.mark.anyio
REQUEST = Request({"type": "http", "path": "/", "headers": [(b"x-word", b"hello")]})


async def _word(request: Request) -> str:
    return request.headers["x-word"]


async def _answer(word: Annotated[str, Depends(_word)], request: Request) -> Response:
    """Says it again."""
    return Response(f"{word} {request.url.path}")


async def test_each_parameter_comes_from_where_it_says() -> None:
    assert (await build_handler(_answer, [])(REQUEST)).body == b"hello /"


async def test_rules_are_kept_first_and_in_their_order() -> None:
    kept = []

    async def first(_request: Request) -> None:
        kept.append("first")

    async def second(_request: Request) -> None:
        kept.append("second")
        raise PermissionError

    async def last(_word: Annotated[str, Depends(second)]) -> Response:
        raise AssertionError

    with pytest.raises(PermissionError):
        await build_handler(last, [first, second])(REQUEST)
    assert kept == ["first", "second"]


def test_a_parameter_from_nowhere_is_refused_when_it_is_registered() -> None:
    async def lost(word: str) -> Response:
        return Response(word)

    with pytest.raises(TypeError, match="word"):
        build_handler(lost, [])


def test_the_handler_is_described_as_the_function_is() -> None:
    handler = build_handler(_answer, [])
    assert (handler.__name__, handler.__doc__) == ("_answer", "Says it again.")
