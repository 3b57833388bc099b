"""What a job remembers beside its key: in which world it is done, and which request ordered it.

So the lines that a worker writes carry the id of the request, and its trace leads to the request's. It is the job's payload,
as JSON; earlier versions kept nothing there, or the world alone, and their jobs are done as well.
"""

from contextlib import suppress
from typing import Self

from pydantic import ValidationError

from bonafide.observability.log import current_request_id
from bonafide.model.base import Document
from bonafide.model.accounts.organizations import World
from bonafide.observability.tracing import traceparent


class Errand(Document):
    """A payload. Without a request it was ordered by a command."""

    world: World | None = None
    request_id: str | None = None
    traceparent: str | None = None

    @classmethod
    def now(cls, world: World | None = None) -> Self:
        """As the request under way orders it."""
        return cls(world=world, request_id=current_request_id(), traceparent=traceparent())

    @classmethod
    def of(cls, payload: str) -> Self:
        """What a payload says; nothing where it is of none of the known forms."""
        with suppress(ValueError):
            return cls(world=World(payload))
        with suppress(ValidationError):
            return cls.model_validate_json(payload)
        return cls()
