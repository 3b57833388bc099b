"""The endpoint of the timeline of a business record."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, MAX_PAGE
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.model.records.timeline import TimelinePage
from bonafide.services.cases import timeline
from bonafide.services.cases.timeline import TimelinePosition

TAG = "Business records"
router = APIRouter(prefix="/v1")
_FURTHER_SCOPES = {"entries.event": Scope.EVENTS_READ, "entries.screening": Scope.SANCTIONS_READ}


class TimelineQuery(Document):
    """From which position to list a timeline."""

    cursor: Annotated[
        Text | None,
        Field(
            description="`cursor.next` of an earlier response, for older entries.",
            examples=[timeline.encode_timeline_cursor(timeline.NEWEST)],
        ),
    ] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of entries to return.", examples=[25])] = (
        DEFAULT_PAGE
    )

    @property
    def start(self) -> TimelinePosition:
        """The position to read from. Raises `ValidationFailed` for an invalid cursor."""
        return timeline.decode_timeline_cursor(self.cursor) if self.cursor is not None else timeline.NEWEST


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/timeline",),
    OperationSpec(
        operation_id="readTimeline",
        summary="Get the timeline of a business",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        further_scopes=_FURTHER_SCOPES,
        path_id="BusinessId",
        query=TimelineQuery,
        answers={200: OperationResponse("A page of the timeline, newest entry first", TimelinePage, "timeline_page")},
        errors=(NotFound,),
    ),
)
async def read_timeline(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    query: Annotated[TimelineQuery, Depends(create_query_parser(TimelineQuery))],
) -> Response:
    """List the events, checks and decisions of a business record in one list, newest first.

    Requires the scopes `events:read` and `sanctions:read` too. To follow what happens from now on, use `GET /v1/events` with
    `businessId`.
    """
    for part, scope in _FURTHER_SCOPES.items():
        caller.check_scope(scope, part)
    page = await timeline.read_timeline(runtime, caller.organization_id, business_id, query.start, query.limit)
    return create_document_response(page, language)
