"""What can be wrong with a live source that answers questions, and the error that any connector must make of it."""

import pytest

from bonafide.errors import SourceAuthFailed, SourceNotFound, SourceRateLimited, UpstreamFailed
from bonafide.sandbox.broken import Said, Status

HTTP_FAULTS = [
    pytest.param(Status(429, 1), SourceRateLimited, "asked us to slow down", id="too often"),
    pytest.param(Status(503), UpstreamFailed, "answered HTTP 503", id="out of order"),
    pytest.param(Status(403), SourceAuthFailed, "refused us", id="a wall"),
    pytest.param(Status(404), SourceNotFound, "nothing answers at", id="moved away"),
    pytest.param(Said(b"", "text/html", 302), UpstreamFailed, "answered HTTP 302", id="sent elsewhere"),
]
"""Faults that mean the same whatever the source speaks."""
