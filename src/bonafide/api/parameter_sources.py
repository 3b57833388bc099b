"""An endpoint as a function of the request alone: where its parameters come from is found out once, when it is registered.

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

from bonafide.web.exchange import Handler

Source = Callable[[Request], Awaitable[Any]]
"""What gives one parameter, or raises why the request is refused."""


def handler_of(function: Callable[..., Awaitable[Response]], rules: Sequence[Source]) -> Handler:
    """The function, given its parameters in their order after the rules have been kept; what they give is not used.

    Raises `TypeError` for a parameter that says not where it comes from.
    """
    sources = _sources(function)

    async def handle(request: Request) -> Response:
        for rule in rules:
            await rule(request)
        return await function(**{name: await source(request) for name, source in sources})

    update_wrapper(handle, function)
    # The framework would look through it at the parameters, and ask the request for them.
    del handle.__dict__["__wrapped__"]
    handle.__annotations__ = {"request": Request, "return": Response}
    return handle


def _sources(function: Callable[..., Any]) -> list[tuple[str, Source]]:
    return [(name, _source(name, each)) for name, each in inspect.signature(function, eval_str=True).parameters.items()]


async def _itself(request: Request) -> Request:
    return request


def _source(name: str, parameter: inspect.Parameter) -> Source:
    if parameter.annotation is Request:
        return _itself
    for said in getattr(parameter.annotation, "__metadata__", ()):
        if isinstance(said, Depends) and said.dependency is not None:
            source: Source = said.dependency
            return source
    raise TypeError(f"the parameter {name} says not where it comes from")
