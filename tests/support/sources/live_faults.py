"""What can be wrong with a live source that answers questions, and the error that any connector must make of it."""

import pytest

from bonafide.errors import SourceAuthFailed, SourceNotFound, SourceRateLimited, UpstreamFailed
from bonafide_sandbox.publisher_faults import FixedResponseFault, StatusFault

HTTP_FAULTS = [
    pytest.param(StatusFault(429, 1), SourceRateLimited, "limits the rate of requests", id="too often"),
    pytest.param(StatusFault(503), UpstreamFailed, "returned HTTP 503", id="out of order"),
    pytest.param(StatusFault(403), SourceAuthFailed, "refused the request", id="a wall"),
    pytest.param(StatusFault(404), SourceNotFound, "does not exist|was not found", id="moved away"),
    pytest.param(FixedResponseFault(b"", "text/html", 302), UpstreamFailed, "returned HTTP 302", id="sent elsewhere"),
]
"""Faults that mean the same whatever the source speaks."""
