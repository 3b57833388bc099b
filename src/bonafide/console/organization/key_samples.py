"""A sample `curl` call for a new API key."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bonafide.model.accounts.organizations import Scope
from bonafide.services.accounts.api_access import CreatedApiKey

SAMPLE_NAME = "Sandbox Bakery Inc."
"""Known to the made-up Canada; in the real one nothing is found, and that is an answer too."""


@dataclass(frozen=True, slots=True)
class _SampleRequest:
    """One call: its path below the service's address, and what is sent, if anything is."""

    path: str
    body: Mapping[str, object] | None = None


_BUSINESS = {"legalName": SAMPLE_NAME, "jurisdiction": "ON", "registrationNumber": "1000017"}
_CALLS = MappingProxyType({
    Scope.SEARCH_WRITE: _SampleRequest("/v1/search", {"name": SAMPLE_NAME}),
    Scope.VERIFY_WRITE: _SampleRequest("/v1/verify", _BUSINESS),
    Scope.SANCTIONS_WRITE: _SampleRequest("/v1/sanctions", {"name": SAMPLE_NAME}),
    Scope.SEARCH_READ: _SampleRequest("/v1/coverage"),
    Scope.BUSINESSES_READ: _SampleRequest("/v1/businesses"),
    Scope.SANCTIONS_READ: _SampleRequest("/v1/sanctions/dismissals"),
})  # fmt: skip
"""The most telling first. The other scopes need the id of something that is there."""


def build_sample_call(base_url: str, created: CreatedApiKey) -> str | None:
    """The `curl` line with the key in it; None for a key whose scopes allow no call without an id."""
    call = next((call for scope, call in _CALLS.items() if scope in created.key.scopes), None)
    if call is None:
        return None
    lines = [f"curl -s {shlex.quote(base_url + call.path)}", f"-H {shlex.quote(f'Authorization: Bearer {created.text}')}"]
    if call.body is not None:
        lines += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(json.dumps(call.body))}"]
    return " \\\n  ".join(lines)
