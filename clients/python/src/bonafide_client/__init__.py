"""The client library of bonafide, which checks Canadian businesses.

`BonafideClient` blocks, `AsyncBonafideClient` is for event loops. The values of requests and responses are in
`bonafide_client.models`.
"""

from bonafide_client.client import AsyncBonafideClient, BonafideClient
from bonafide_client.errors import (
    ApiError,
    BonafideClientError,
    ConnectionFailed,
    InvalidWebhook,
    KeyRefused,
    RateLimitExceeded,
    RequestInvalid,
    ResourceNotFound,
    ScopeMissing,
    ServiceFailed,
    StateConflict,
    UnexpectedResponse,
    VerificationNotMade,
    WaitTimedOut,
)
from bonafide_client.files import StatementOptions, read_upload
from bonafide_client.json_codec import UNSET, Unset
from bonafide_client.retrying import RetryPolicy
from bonafide_client.version import VERSION
from bonafide_client.webhooks import verify_webhook

__version__ = VERSION
__all__ = [
    "UNSET",
    "ApiError",
    "AsyncBonafideClient",
    "BonafideClient",
    "BonafideClientError",
    "ConnectionFailed",
    "InvalidWebhook",
    "KeyRefused",
    "RateLimitExceeded",
    "RequestInvalid",
    "ResourceNotFound",
    "RetryPolicy",
    "ScopeMissing",
    "ServiceFailed",
    "StateConflict",
    "StatementOptions",
    "UnexpectedResponse",
    "Unset",
    "VerificationNotMade",
    "WaitTimedOut",
    "read_upload",
    "verify_webhook",
]
