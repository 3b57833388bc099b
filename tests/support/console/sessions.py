"""People of the tests, signed in: a client with the cookie of a real session, and a way to send the forms of its pages.

Nobody types a password here, so that no test pays for hashing one.
"""

import re
from html import unescape

import httpx2

from bonafide.app.application import create_app
from bonafide.console.frame.console_request import SESSION_COOKIE, build_cookie_name
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, sessions
from tests.support.log_watch import heed

OPERATOR = Author("cli:test")
CHEAP = {"password_memory_kib": 8, "password_passes": 1, "password_lanes": 1}
"""Settings for tests that do hash passwords: what makes guessing dear must not make tests slow."""
_CSRF = re.compile(r'name="csrf" value="([^"]+)"')


def anonymous_client(runtime: Runtime) -> httpx2.AsyncClient:
    """A browser in which nobody is signed in."""
    transport = httpx2.ASGITransport(create_app(runtime))
    return httpx2.AsyncClient(transport=transport, base_url=runtime.settings.base_url, event_hooks={"request": [heed]})


async def signed_in_client(
    runtime: Runtime,
    role: Role = Role.OWNER,
    organization: str = "north",
    world: World = World.SANDBOX,
    email: str | None = None,
) -> httpx2.AsyncClient:
    """A browser in which a new member of the organization is signed in: `owner@north.example` and so on, if no e-mail is given.

    Use it with `async with`.
    """
    person = email if email is not None else f"{role}@{organization}.example"
    request = UserRequest(email=person, organization=organization, role=role, world=world)
    made = await members.create_user(runtime, request, OPERATOR)
    client = anonymous_client(runtime)
    token = await sessions.begin_session(runtime, made.user.id, "Test browser")
    client.cookies.set(build_cookie_name(runtime, SESSION_COOKIE), token)
    return client


def csrf_of(page: httpx2.Response) -> str:
    """The token of a page's forms."""
    found = _CSRF.search(page.text)
    assert found is not None, f"{page.url} has no form"
    return unescape(found[1])


async def send(client: httpx2.AsyncClient, page: str, action: str | None = None, /, **fields: object) -> httpx2.Response:
    """Open the page and send a form of it to `action` (the page itself by default), as a browser does; follows no redirect."""
    token = csrf_of(await client.get(page))
    data = {name: value if isinstance(value, list) else str(value) for name, value in fields.items()}
    return await client.post(action if action is not None else page, data={"csrf": token, **data})
