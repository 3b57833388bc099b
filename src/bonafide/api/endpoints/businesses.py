"""Endpoints of business records: upsert, list as a change feed, read, audit log.

Every endpoint parses, calls one service and renders. `services/records` matches and changes records.
"""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field, PlainValidator, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, PathId, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_json_response
from bonafide.errors import Conflict, NotFound, StaleWrite
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.base import FIELD, Document
from bonafide.model.query import Text
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import AuditPage, Author, BusinessAnswer, BusinessPage, FeedPosition
from bonafide.services.records import business_records, change_feed
from bonafide.store.records.businesses import FeedFilter
from bonafide.web.request_context import get_request_context

MAX_PAGE = 100
DEFAULT_PAGE = 25
MAX_OFFSET = 2**31 - 1
"""Beyond any list; a database's numbers have an end."""
TAG = "Business records"
router = APIRouter(prefix="/v1")


def build_author(request: Request, caller: Principal) -> Author:
    """The author of a request's changes in the audit log."""
    return Author(caller.identity, get_request_context(request.scope).request_id)


def _describe_upsert(operation_id: str, summary: str) -> OperationSpec:
    return OperationSpec(
        operation_id=operation_id,
        summary=summary,
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        body=BusinessUpsert,
        body_example="business_upsert",
        answers={
            200: OperationResponse("The record as it is now", BusinessAnswer, "business"),
            201: OperationResponse("The new record", BusinessAnswer, "business"),
        },
        errors=(Conflict, StaleWrite),
    )


@endpoint(router, "POST", ("/businesses",), _describe_upsert("upsertBusiness", "Create or change a business record"))
@endpoint(router, "PUT", ("/businesses",), _describe_upsert("putBusiness", "Create or change a business record (alias of POST)"))
async def upsert_business(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    business: Annotated[BusinessUpsert, Depends(create_body_parser(BusinessUpsert))],
) -> Response:
    """Store what you know of a business.

    The record is found by `externalId`, or else by `jurisdiction` and `registrationNumber` in any spelling; where there is none, it
    is created, which takes one of those or a `name`. Only the fields that are sent change; `null` clears one. A record that was
    read may be sent back: its read-only fields are ignored. Every changed field stands in the record's trail. With
    `expectedUpdatedAt` the record is changed only if it is still that version, else the answer is `STALE_WRITE`. `CONFLICT` means
    that the ids sent are those of two records.
    """
    done = await business_records.upsert(runtime, caller.organization_id, business, build_author(request, caller))
    return create_json_response(BusinessAnswer(business=done.record).to_json(), 201 if done.created else 200)


def _parse_instant(value: object) -> datetime:
    """An instant in a query string, where an offset's plus sign that was not escaped arrives as a space."""
    try:
        instant = datetime.fromisoformat(value.replace(" ", "+")) if isinstance(value, str) else None
        utc = instant.astimezone(UTC) if instant is not None and instant.tzinfo is not None else None
    except (ValueError, OverflowError):
        utc = None
    if utc is None:
        raise ValueError("must be a date-time with a time zone, such as 2026-11-20T14:33:00Z")
    return utc


Since = Annotated[datetime, PlainValidator(_parse_instant), WithJsonSchema({"type": "string", "format": "date-time"})]


class FeedQuery(Document):
    """Which records to list, and from where on. Two parameters have two spellings."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="How many to list")] = DEFAULT_PAGE
    cursor: Annotated[Text | None, Field(description="`cursor.next` of an earlier answer; it counts more than `updated_since`")] = (
        None
    )
    since: Annotated[
        Since | None,
        Field(alias="updated_since", description="Only records that changed after this instant; for the first request"),
    ] = None
    since_again: Annotated[Since | None, Field(alias="updatedSince", description="Another spelling of `updated_since`")] = None
    external_id: Annotated[Text | None, Field(alias="external_id", description="Only the record with this `externalId`")] = None
    external_id_again: Annotated[Text | None, Field(alias="externalId", description="Another spelling of `external_id`")] = None
    archived: Annotated[bool | None, Field(description="Only archived records, or only the others")] = None
    monitored: Annotated[bool | None, Field(description="Only monitored records, or only the others")] = None

    @model_validator(mode="after")
    def _one_spelling(self) -> "FeedQuery":
        for name in ("since", "external_id"):
            if getattr(self, name) is not None and getattr(self, f"{name}_again") is not None:
                alias = type(self).model_fields[f"{name}_again"].alias
                raise PydanticCustomError("one_spelling", "is given in two spellings", {FIELD: alias})
        return self

    @property
    def start(self) -> FeedPosition:
        """Where to read on. Raises `ValidationFailed` for a cursor that is none."""
        if self.cursor is not None:
            return change_feed.decode_cursor(self.cursor)
        since = self.since if self.since is not None else self.since_again
        return change_feed.build_position_after(since) if since is not None else change_feed.START

    @property
    def chosen(self) -> FeedFilter:
        """Which records are listed."""
        external_id = self.external_id if self.external_id is not None else self.external_id_again
        return FeedFilter(external_id, self.archived, self.monitored)


@endpoint(
    router,
    "GET",
    ("/businesses",),
    OperationSpec(
        operation_id="listBusinesses",
        summary="List business records as a change feed",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        query=FeedQuery,
        answers={200: OperationResponse("A page of the feed, oldest change first", BusinessPage, "business_page")},
    ),
)
async def list_businesses(
    runtime: ServedRuntime, caller: Caller, query: Annotated[FeedQuery, Depends(create_query_parser(FeedQuery))]
) -> Response:
    """The organization's records in the order of their last change.

    Ask again with `cursor.next` until `pagination.hasMore` is false, keep the last cursor, and ask with it later for what has
    changed since: no change is ever passed over. A record that changes meanwhile comes again, further on.
    """
    page = await change_feed.read_feed(runtime, caller.organization_id, query.chosen, query.start, query.limit)
    return create_document_response(page)


@endpoint(
    router,
    "GET",
    ("/businesses/{id}",),
    OperationSpec(
        operation_id="readBusiness",
        summary="Get a business record",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        answers={200: OperationResponse("The record", BusinessAnswer, "business")},
        errors=(NotFound,),
    ),
)
async def read_business(runtime: ServedRuntime, caller: Caller, business_id: PathId) -> Response:
    """A stored record."""
    record = await business_records.find_record(runtime, caller.organization_id, business_id=business_id)
    return create_document_response(BusinessAnswer(business=record))


class AuditLogQuery(Document):
    """Which stretch of a trail to list."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="How many entries to list")] = DEFAULT_PAGE
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET, description="How many to pass over, from the oldest")] = 0


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/audit",),
    OperationSpec(
        operation_id="readBusinessTrail",
        summary="Get what became of a business record",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        query=AuditLogQuery,
        answers={200: OperationResponse("A stretch of the trail, oldest first", AuditPage, "audit_page")},
        errors=(NotFound,),
    ),
)
async def read_audit_log(
    runtime: ServedRuntime,
    caller: Caller,
    business_id: PathId,
    query: Annotated[AuditLogQuery, Depends(create_query_parser(AuditLogQuery))],
) -> Response:
    """Every change of every field: who made it, when, in which request, from what to what. This service's own are among them."""
    return create_document_response(
        await change_feed.read_audit_log(runtime, caller.organization_id, business_id, query.limit, query.offset)
    )
