"""The forms of webhook endpoints, and the documents of the service that they become."""

from typing import Annotated, TypeVar
from uuid import UUID

from pydantic import Field

from bonafide.console.frame.forms import FormSubmission
from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.model.query import Text
from bonafide.model.webhooks import (
    DEFAULT_OVERLAP,
    MAX_OVERLAP,
    EndpointUrl,
    NewWebhookEndpoint,
    SigningMethod,
    WebhookEndpointChange,
    WebhookKind,
)


class EndpointForm(Document):
    """The form that changes an endpoint. `all_types` and `enabled` are checkboxes, which a form omits when they are not checked."""

    url: EndpointUrl
    description: Text | None = None
    all_types: bool = False
    types: tuple[EventType, ...] = ()
    min_severity: EventSeverity = EventSeverity.INFO

    @property
    def chosen_types(self) -> tuple[EventType, ...]:
        """The types as the service takes them: empty for all."""
        return () if self.all_types else self.types

    def to_change(self) -> WebhookEndpointChange:
        """The change of an endpoint. The form has no business records, so that those of the endpoint are kept."""
        return WebhookEndpointChange(
            url=self.url, description=self.description, types=self.chosen_types, min_severity=self.min_severity
        )


class NewEndpointForm(EndpointForm):
    """The form that creates an endpoint."""

    kind: WebhookKind = WebhookKind.STANDARD
    signing: SigningMethod = SigningMethod.HMAC
    enabled: bool = False

    def to_endpoint(self) -> NewWebhookEndpoint:
        """The new endpoint."""
        return NewWebhookEndpoint(
            url=self.url,
            description=self.description,
            types=self.chosen_types,
            min_severity=self.min_severity,
            kind=self.kind,
            signing=self.signing,
            enabled=self.enabled,
        )


EndpointFormT = TypeVar("EndpointFormT", bound=EndpointForm)


class SecretRotationForm(Document):
    """The form that rotates a secret."""

    overlap_seconds: Annotated[int, Field(ge=0, le=int(MAX_OVERLAP.total_seconds()))] = int(DEFAULT_OVERLAP.total_seconds())


class SendAgainForm(Document):
    """The form that repeats one delivery."""

    event_id: UUID


def find_problems(submission: FormSubmission[EndpointFormT]) -> dict[str, Message]:
    """The problems of a form by its fields. To select no type is one, because the service interprets that as all types."""
    problems = dict(submission.problems)
    form = submission.value
    if form is not None and not form.all_types and not form.types:
        problems["types"] = Message("select at least one type, or all types")
    return problems
