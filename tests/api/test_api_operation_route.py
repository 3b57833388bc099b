"""The route of an operation: it calls the endpoint with the dependencies that its signature names, like FastAPI's own route."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any

import pytest
from fastapi import Depends, Request
from starlette.responses import Response

from bonafide.api.protocol.operation_route import OperationRoute

pytestmark = pytest.mark.anyio
REQUEST = Request({"type": "http", "path": "/", "headers": [(b"x-word", b"hello")]})


async def _word(request: Request) -> str:
    return request.headers["x-word"]


async def _answer(word: Annotated[str, Depends(_word)], request: Request) -> Response:
    return Response(f"{word} {request.url.path}")


def _create_route(
    endpoint: Callable[..., Awaitable[Response]], rules: Sequence[Callable[..., Any]] = (), path: str = "/"
) -> OperationRoute:
    return OperationRoute(path, endpoint, methods=["GET"], dependencies=[Depends(rule) for rule in rules], response_model=None)


async def test_each_parameter_comes_from_its_dependency() -> None:
    assert (await _create_route(_answer).get_route_handler()(REQUEST)).body == b"hello /"


async def test_rules_are_checked_first_and_in_their_order() -> None:
    called = []

    async def first(request: Request) -> None:
        called.append(f"first {request.url.path}")

    async def second(request: Request) -> None:
        called.append(f"second {request.url.path}")
        raise PermissionError

    async def last(_word: Annotated[str, Depends(_word)]) -> Response:
        raise AssertionError

    with pytest.raises(PermissionError):
        await _create_route(last, [first, second]).get_route_handler()(REQUEST)
    assert called == ["first /", "second /"]


async def _lost(word: str) -> Response:
    return Response(word)


async def _lost_dependency(request: Request, word: str) -> str:
    return f"{request.url.path}{word}"


async def _nested(request: Request, _inner: Annotated[str, Depends(_word)]) -> str:
    return request.url.path


@pytest.mark.parametrize("path", ["/", "/{word}"])
def test_a_parameter_without_a_dependency_is_refused_at_registration(path: str) -> None:
    with pytest.raises(TypeError, match="word"):
        _create_route(_lost, path=path)


@pytest.mark.parametrize("rule", [_lost_dependency, _nested, REQUEST.json])
def test_a_dependency_on_more_than_the_request_is_refused_at_registration(rule: Callable[..., Any]) -> None:
    with pytest.raises(TypeError):
        _create_route(_answer, [rule])
