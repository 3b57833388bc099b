"""The paths of the reconciliation service, and the API key that they may contain.

OpenRefine can't send headers, so a path may contain the key: `/reconcile/key/bf_live_…`. Addresses are stored in project files and
in logs of proxies, so such a key may have the scope that reconciliation needs, and no other.
"""

from starlette.types import Scope

from bonafide.errors import ScopeMissing
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.accounts.organizations import Scope as KeyScope
from bonafide.web.request_context import KnownRoute, get_request_context

PREFIX = "/reconcile"
KEY_PREFIX = f"{PREFIX}/key/{{key}}"
"""The template of the paths with a key."""
SCOPE = KeyScope.SEARCH_READ
"""The scope of every request: nothing is stored, and only loaded data of registers is read."""


def is_reconciliation_route(route: KnownRoute | None) -> bool:
    """Whether a route is one of the service."""
    return route is not None and (route.template == PREFIX or route.template.startswith(f"{PREFIX}/"))


def find_path_key(scope: Scope) -> str | None:
    """The API key in the path of a request; None for other paths."""
    context = get_request_context(scope)
    if context.route is None or not context.route.template.startswith(KEY_PREFIX):
        return None
    return context.parameters["key"]


def check_path_key(principal: Principal) -> None:
    """Raise `ScopeMissing` for a key in a path that may do more than the service needs."""
    if principal.scopes - {SCOPE}:
        raise ScopeMissing(
            Message(
                "An API key in an address may have the scope `{scope}` only, because addresses are stored in projects and logs. "
                "Create a key for this purpose.",
                scope=SCOPE.value,
            )
        )
