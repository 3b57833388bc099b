"""Endpoints of business records: upsert, list as a change feed, read, audit log, legal hold, erase.

Every endpoint parses, calls one service and renders. `services/records` matches and changes records.
"""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field, PlainValidator, WithJsonSchema, model_validator
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import Conflict, NotFound, StaleWrite
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.accounts.retention import ErasureAccepted, ErasureRequest, LegalHold, LegalHoldChange
from bonafide.model.base import Document, create_field_error
from bonafide.model.query import Text
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import AuditPage, Author, BusinessAnswer, BusinessPage, FeedPosition
from bonafide.model.records.connections import BusinessConnections
from bonafide.services.lookup import connections
from bonafide.services.records import business_records, change_feed
from bonafide.services.retention import erasure_requests, legal_holds
from bonafide.store.records.businesses import FeedFilter
from bonafide.web.request_context import get_request_context

MAX_PAGE = 100
DEFAULT_PAGE = 25
MAX_OFFSET = 2**31 - 1
"""Larger than any list, and within the range of a database integer."""
TAG = "Business records"
EXAMPLE_CURSOR = "MjAyNi0xMS0yMFQxNDozMzowMC4xMjVa"
router = APIRouter(prefix="/v1")


def build_author(request: Request, caller: Principal) -> Author:
    """The author of a request's changes in the audit log."""
    return Author(caller.identity, get_request_context(request.scope).request_id)


ErasureBody = Annotated[ErasureRequest, Depends(create_body_parser(ErasureRequest))]
"""A parameter: the body of an erasure."""


def describe_erasure(operation_id: str, summary: str, tag: str, path_id: str) -> OperationSpec:
    """An operation that erases a record or a check. Whatever is erased, it needs the scope that erases business records."""
    return OperationSpec(
        operation_id=operation_id,
        summary=summary,
        tag=tag,
        scope=Scope.BUSINESSES_WRITE,
        path_id=path_id,
        body=ErasureRequest,
        body_example="erasure_request",
        answers={202: OperationResponse("It is erased, and a worker erases the rest", ErasureAccepted, "erasure_accepted")},
        errors=(NotFound, Conflict),
    )


def _describe_upsert(operation_id: str, summary: str) -> OperationSpec:
    return OperationSpec(
        operation_id=operation_id,
        summary=summary,
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        body=BusinessUpsert,
        body_example="business_upsert",
        answers={
            200: OperationResponse("The updated record", BusinessAnswer, "business"),
            201: OperationResponse("The new record", BusinessAnswer, "business"),
        },
        errors=(NotFound, Conflict, StaleWrite),
    )


@endpoint(router, "POST", ("/businesses",), _describe_upsert("upsertBusiness", "Create or update a business record"))
@endpoint(
    router,
    "PUT",
    ("/businesses",),
    _describe_upsert("putBusiness", "Create or update a business record (alias of POST /v1/businesses)"),
)
async def upsert_business(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business: Annotated[BusinessUpsert, Depends(create_body_parser(BusinessUpsert))],
) -> Response:
    """Create a business record, or update the one that matches.

    The record is identified by `id`, or else matched by `externalId`, or else by `jurisdiction` and `registrationNumber` in any
    format. Without `id` and without a match, a record is created; this requires one of these or a `name`. Only the fields sent are
    changed, and `null` clears a field. A record that was read can be sent back: its read-only fields are ignored. Every changed
    field is recorded in the record's audit log. With `expectedUpdatedAt`, the record is changed only if it is still that version;
    otherwise the error is `STALE_WRITE`. `CONFLICT` means that the identifiers sent belong to two different records.
    """
    work = business_records.upsert(runtime, caller.organization_id, business, build_author(request, caller))

    def respond(done: business_records.UpsertResult) -> Response:
        return create_document_response(BusinessAnswer(business=done.record), language, 201 if done.created else 200)

    return await respond_once(work, respond)


def _parse_instant(value: object) -> datetime:
    """An instant in a query string, where an offset's plus sign that was not escaped arrives as a space."""
    try:
        instant = datetime.fromisoformat(value.replace(" ", "+")) if isinstance(value, str) else None
        utc = instant.astimezone(UTC) if instant is not None and instant.tzinfo is not None else None
    except (ValueError, OverflowError):
        utc = None
    if utc is None:
        raise ValueError(Message("must be a date-time with a time zone, such as 2026-11-20T14:33:00Z"))
    return utc


Since = Annotated[datetime, PlainValidator(_parse_instant), WithJsonSchema({"type": "string", "format": "date-time"})]


class FeedQuery(Document):
    """Which records to list, and from which position. Two parameters have two names."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of records to return.", examples=[25])] = (
        DEFAULT_PAGE
    )
    cursor: Annotated[
        Text | None,
        Field(
            description="`cursor.next` of an earlier response. Takes precedence over `updated_since`.", examples=[EXAMPLE_CURSOR]
        ),
    ] = None
    since: Annotated[
        Since | None,
        Field(
            alias="updated_since",
            description="Return only records changed after this time. Used on the first request only.",
            examples=["2026-11-01T00:00:00Z"],
        ),
    ] = None
    since_again: Annotated[
        Since | None, Field(alias="updatedSince", description="Alias of `updated_since`.", examples=["2026-11-01T00:00:00Z"])
    ] = None
    external_id: Annotated[
        Text | None,
        Field(alias="external_id", description="Return only the record with this `externalId`.", examples=["crm-1042"]),
    ] = None
    external_id_again: Annotated[
        Text | None, Field(alias="externalId", description="Alias of `external_id`.", examples=["crm-1042"])
    ] = None
    archived: Annotated[
        bool | None, Field(description="`true` for archived records only, `false` for the others only.", examples=[False])
    ] = None
    monitored: Annotated[
        bool | None, Field(description="`true` for monitored records only, `false` for the others only.", examples=[True])
    ] = None

    @model_validator(mode="after")
    def _one_spelling(self) -> "FeedQuery":
        for name in ("since", "external_id"):
            if getattr(self, name) is not None and getattr(self, f"{name}_again") is not None:
                alias = type(self).model_fields[f"{name}_again"].alias
                raise create_field_error(str(alias), Message("is given under two names"))
        return self

    @property
    def start(self) -> FeedPosition:
        """The position to read from. Raises `ValidationFailed` for an invalid cursor."""
        if self.cursor is not None:
            return change_feed.decode_cursor(self.cursor)
        since = self.since if self.since is not None else self.since_again
        return change_feed.build_position_after(since) if since is not None else change_feed.START

    @property
    def chosen(self) -> FeedFilter:
        """The filters."""
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
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[FeedQuery, Depends(create_query_parser(FeedQuery))],
) -> Response:
    """List the organization's records in the order of their last change.

    Repeat the request with `cursor.next` until `pagination.hasMore` is false. Keep the last cursor and use it later to get what has
    changed since: no change is skipped. A record that changes between two pages appears again on a later page.
    """
    page = await change_feed.read_feed(runtime, caller.organization_id, query.chosen, query.start, query.limit)
    return create_document_response(page, language)


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
async def read_business(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, business_id: PathId) -> Response:
    """Return a stored business record."""
    record = await business_records.find_record(runtime, caller.organization_id, business_id=business_id)
    return create_document_response(BusinessAnswer(business=record), language)


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/connections",),
    OperationSpec(
        operation_id="readConnections",
        summary="Get what a business shares with others",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        answers={200: OperationResponse("What the record shares, and with whom", BusinessConnections, "connections")},
        errors=(NotFound,),
    ),
)
async def read_connections(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, business_id: PathId) -> Response:
    """List your other records with a person of equal name, the same address, phone or website, and register entries at its address.

    The counts tell a mail drop from a neighbour: a unit that hundreds of businesses share is an address for mail. Equal names do
    not show that two people are one. `coverage` lists the registers that could not be compared. Loaded registers have no people,
    phones and websites, so their `entries` count is null for these.
    """
    found = await connections.read_connections(runtime, caller.organization_id, caller.world, business_id)
    return create_document_response(found, language)


class AuditLogQuery(Document):
    """Which entries of an audit log to list."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of entries to return.", examples=[25])] = (
        DEFAULT_PAGE
    )
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET, description="Number of entries to skip, from the oldest.", examples=[0])] = 0


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/audit",),
    OperationSpec(
        operation_id="readBusinessTrail",
        summary="Get the audit log of a business record",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        query=AuditLogQuery,
        answers={200: OperationResponse("A page of the audit log, oldest entry first", AuditPage, "audit_page")},
        errors=(NotFound,),
    ),
)
async def read_audit_log(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    query: Annotated[AuditLogQuery, Depends(create_query_parser(AuditLogQuery))],
) -> Response:
    """List every change of every field: who made it, when, in which request, and the old and new values.

    Changes made by this service are included.
    """
    return create_document_response(
        await change_feed.read_audit_log(runtime, caller.organization_id, business_id, query.limit, query.offset), language
    )


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/legal-hold",),
    OperationSpec(
        operation_id="readLegalHold",
        summary="Get the legal hold on a business",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        answers={200: OperationResponse("Whether the record is held", LegalHold, "legal_hold")},
        errors=(NotFound,),
    ),
)
async def read_legal_hold(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, business_id: PathId) -> Response:
    """Return whether a business record is held, since when and why. The hold on the whole organization is in the settings."""
    return create_document_response(await legal_holds.read_hold(runtime, caller.organization_id, business_id), language)


@endpoint(
    router,
    "PUT",
    ("/businesses/{id}/legal-hold",),
    OperationSpec(
        operation_id="putLegalHold",
        summary="Set or lift the legal hold on a business",
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        path_id="BusinessId",
        body=LegalHoldChange,
        body_example="legal_hold_change",
        answers={200: OperationResponse("Whether the record is held", LegalHold, "legal_hold")},
        errors=(NotFound,),
    ),
)
async def put_legal_hold(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    change: Annotated[LegalHoldChange, Depends(create_body_parser(LegalHoldChange))],
) -> Response:
    """Hold a business record, replace the reason of its hold, or lift it.

    While a record is held, no retention policy deletes anything of it, and erasures of the record, its checks, its reports and its
    cases are refused with `CONFLICT`. Every change is recorded in the record's audit log. A hold that is already as requested stays
    as it is.
    """
    author = build_author(request, caller)
    hold = await legal_holds.change_hold(runtime, caller.organization_id, business_id, change, author)
    return create_document_response(hold, language)


@endpoint(router, "POST", ("/businesses/{id}/erase",), describe_erasure("eraseBusiness", "Erase a business", TAG, "BusinessId"))
async def erase_business(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    erasure: ErasureBody,
) -> Response:
    """Erase a business record with everything that is stored about it. This can't be undone.

    The record is unknown at once. A worker then erases its searches, verifications, screenings, reports, cases, files and events,
    and the content of its entries in the audit log, which can still be verified. The event `data.erased` reports that this is done.
    Checks that do not refer to the record are kept. `CONFLICT` means that a legal hold is in place, on the organization or on the
    record.
    """
    author = build_author(request, caller)
    work = erasure_requests.erase_business(runtime, caller.organization_id, business_id, erasure, author)
    return await respond_once(work, lambda accepted: create_document_response(accepted, language, 202))
