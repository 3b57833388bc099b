"""Resolve the parameters of an endpoint once, when it is registered, into a function of the request alone.

An endpoint says in its signature what it needs, as everywhere in the framework (`Annotated[..., Depends(...)]`). The framework
finds the same out anew with each request, which costs as much as reading a search and answering with it.
"""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import update_wrapper
from typing import Any

from fastapi import Request
from fastapi.params import Depends
from starlette.responses import Response

from bonafide.web.request_context import Handler

ParameterResolver = Callable[[Request], Awaitable[Any]]
"""What gives one parameter, or raises why the request is refused."""


def build_handler(function: Callable[..., Awaitable[Response]], rules: Sequence[ParameterResolver]) -> Handler:
    """The function, given its parameters in their order after the rules have been kept; what they give is not used.

    Raises `TypeError` for a parameter that says not where it comes from.
    """
    sources = _find_resolvers(function)

    async def handle(request: Request) -> Response:
        for rule in rules:
            await rule(request)
        return await function(**{name: await source(request) for name, source in sources})

    update_wrapper(handle, function)
    # The framework would look through it at the parameters, and ask the request for them.
    del handle.__dict__["__wrapped__"]
    handle.__annotations__ = {"request": Request, "return": Response}
    return handle


def _find_resolvers(function: Callable[..., Any]) -> list[tuple[str, ParameterResolver]]:
    return [(name, _find_resolver(name, each)) for name, each in inspect.signature(function, eval_str=True).parameters.items()]


async def _get_request(request: Request) -> Request:
    return request


def _find_resolver(name: str, parameter: inspect.Parameter) -> ParameterResolver:
    if parameter.annotation is Request:
        return _get_request
    for said in getattr(parameter.annotation, "__metadata__", ()):
        if isinstance(said, Depends) and said.dependency is not None:
            source: ParameterResolver = said.dependency
            return source
    raise TypeError(f"the parameter {name} says not where it comes from")
