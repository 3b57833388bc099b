"""The route of an operation: calls its endpoint with the dependencies that FastAPI has read from the signature.

FastAPI resolves dependencies anew for each request. Here the signature becomes a list of calls at registration, which makes reads
of stored searches much cheaper (ADR 18). The routes are ordinary FastAPI routes otherwise, and appear in the API description.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from fastapi import Request
from fastapi.dependencies.models import Dependant
from starlette.responses import Response

from bonafide.api.protocol.concurrency_limits import EXPENSIVE_ROUTES, run_in_work_slot
from bonafide.api.protocol.file_form import FILE_FORM, read_form_identity
from bonafide.api.protocol.idempotency import honour_idempotency_key
from bonafide.api.protocol.request_body import read_body
from bonafide.api.protocol.response_storage import collect_models
from bonafide.api.protocol.upload_body import UPLOAD_BODY, read_upload
from bonafide.web.request_context import Handler
from bonafide.web.routing import DirectRoute


class OperationRoute(DirectRoute):
    """Calls the endpoint after its dependencies, in their order. A POST honours `Idempotency-Key`.

    An expensive operation waits for a work slot once its dependencies are resolved, which read and validate the request.
    Dependencies are async functions of the request alone. Raises `TypeError` at registration for any other parameter.
    """

    def get_route_handler(self) -> Handler:
        """The endpoint as a function of the request."""
        is_expensive = any((method, self.path_format) in EXPENSIVE_ROUTES for method in self.methods or ())
        handle = _build_handler(self.dependant, is_expensive=is_expensive)
        if self.methods is None or "POST" not in self.methods:
            return handle
        read = read_upload if UPLOAD_BODY in self.dependencies else read_body
        if FILE_FORM in self.dependencies:
            read = read_form_identity
        return honour_idempotency_key(handle, collect_models(self.responses), read)


def _build_handler(endpoint: Dependant, *, is_expensive: bool) -> Handler:
    function = _get_call(endpoint)
    request_name = endpoint.request_param_name
    resolvers = [(dependency.name, _get_resolver(dependency)) for dependency in endpoint.dependencies]

    async def handle(request: Request) -> Response:
        arguments: dict[str, Any] = {} if request_name is None else {request_name: request}
        for name, resolve in resolvers:
            value = await resolve(request)
            if name is not None:
                arguments[name] = value
        run: Callable[[], Awaitable[Response]] = partial(function, **arguments)
        return await (run_in_work_slot(request, run) if is_expensive else run())

    return handle


def _get_resolver(dependency: Dependant) -> Callable[[Request], Awaitable[Any]]:
    function = _get_call(dependency)
    if dependency.request_param_name is None or dependency.dependencies:
        raise TypeError(f"{function} must take the request as its only parameter")
    return function


def _get_call(dependant: Dependant) -> Callable[..., Awaitable[Any]]:
    """The function to call. Raises `TypeError` if the framework would take a parameter of it from the request's data."""
    parameters = [*dependant.path_params, *dependant.query_params, *dependant.header_params, *dependant.cookie_params]
    names = [parameter.name for parameter in (*parameters, *dependant.body_params)]
    if dependant.call is None or names:
        raise TypeError(f"{dependant.call} reads {', '.join(names)} from the request without a dependency")
    return dependant.call
