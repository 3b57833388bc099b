"""Download and upload files."""

import base64
import datetime as dt
import json
from os import PathLike
from pathlib import Path
from typing import Literal, TypedDict, Unpack
from uuid import UUID, uuid4

from bonafide_client.json_codec import Model, encode
from bonafide_client.models import (
    Batch,
    BatchFormat,
    BatchKind,
    BatchMapping,
    BatchParameters,
    Claimant,
    DocumentUpload,
    OwnershipAnswer,
    PdfRequest,
)
from bonafide_client.requests import ApiRequest, Body, FileUpload, quote_path
from bonafide_client.transport import AsyncTransport, SyncTransport

OwnershipFormat = Literal["bods", "ftm", "csv", "parquet", "svg"]
StatementType = Literal["application/vnd.bods+json", "text/csv"]


class StatementOptions(TypedDict, total=False):
    """What a file about ownership does not say itself: see `put_ownership`."""

    as_of: dt.date | str
    """The day on which it is true. Required with CSV."""
    claimed_by: Claimant
    declared_by: str
    subject: str


class Files(SyncTransport):
    """Operations whose body or response is a file, beside their JSON forms."""

    def download_pdf(self, body: PdfRequest | Body, *, idempotency_key: str | None = None) -> bytes:
        """The PDF report of a search, verification or screening. `create_pdf` returns its URL instead."""
        return self._download(build_pdf_request(body, idempotency_key))

    def export_ownership(self, business_id: UUID | str, *, format: OwnershipFormat) -> bytes:  # noqa: A002 - as in the API
        """The ownership of a business in another format: statements, entities, tables or a diagram."""
        return self._download(build_export_request(business_id, format))

    def import_ownership(
        self, business_id: UUID | str, content: bytes, content_type: StatementType, **options: Unpack[StatementOptions]
    ) -> OwnershipAnswer:
        """Replace the declared ownership with statements of the Beneficial Ownership Data Standard, or with a table."""
        return self._send(build_import_request(business_id, content, content_type, options), OwnershipAnswer)

    def upload_batch(
        self,
        path: str | PathLike[str],
        kind: BatchKind,
        *,
        format: BatchFormat | None = None,  # noqa: A002 - as in the API
        mapping: BatchMapping | Body | None = None,
        parameters: BatchParameters | Body | None = None,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Request a batch with the rows of a file: JSON lines, CSV, XLSX or Parquet. `create_batch` sends up to 1,000 rows as JSON.

        `mapping` has the columns of fields that are not found by their names.
        """
        upload = build_batch_upload(path, kind, format, mapping, parameters)
        return self._send(build_batch_request(upload, idempotency_key), Batch)

    def save_batch_results(
        self,
        batch_id: UUID | str,
        path: str | PathLike[str],
        *,
        format: BatchFormat = "jsonl",  # noqa: A002 - as in the API
    ) -> None:
        """Download the results of a batch into a file. `read_batch_results` returns them instead."""
        self._save(build_results_request(batch_id, format), Path(path))


class AsyncFiles(AsyncTransport):
    """As `Files`, in an event loop."""

    async def download_pdf(self, body: PdfRequest | Body, *, idempotency_key: str | None = None) -> bytes:
        """The PDF report of a search, verification or screening. `create_pdf` returns its URL instead."""
        return await self._download(build_pdf_request(body, idempotency_key))

    async def export_ownership(self, business_id: UUID | str, *, format: OwnershipFormat) -> bytes:  # noqa: A002 - as in the API
        """The ownership of a business in another format: statements, entities, tables or a diagram."""
        return await self._download(build_export_request(business_id, format))

    async def import_ownership(
        self, business_id: UUID | str, content: bytes, content_type: StatementType, **options: Unpack[StatementOptions]
    ) -> OwnershipAnswer:
        """Replace the declared ownership with statements of the Beneficial Ownership Data Standard, or with a table."""
        return await self._send(build_import_request(business_id, content, content_type, options), OwnershipAnswer)

    async def upload_batch(
        self,
        path: str | PathLike[str],
        kind: BatchKind,
        *,
        format: BatchFormat | None = None,  # noqa: A002 - as in the API
        mapping: BatchMapping | Body | None = None,
        parameters: BatchParameters | Body | None = None,
        idempotency_key: str | None = None,
    ) -> Batch:
        """Request a batch with the rows of a file: JSON lines, CSV, XLSX or Parquet. `create_batch` sends up to 1,000 rows as JSON.

        `mapping` has the columns of fields that are not found by their names.
        """
        upload = build_batch_upload(path, kind, format, mapping, parameters)
        return await self._send(build_batch_request(upload, idempotency_key), Batch)

    async def save_batch_results(
        self,
        batch_id: UUID | str,
        path: str | PathLike[str],
        *,
        format: BatchFormat = "jsonl",  # noqa: A002 - as in the API
    ) -> None:
        """Download the results of a batch into a file. `read_batch_results` returns them instead."""
        await self._save(build_results_request(batch_id, format), Path(path))


def read_upload(path: str | PathLike[str]) -> DocumentUpload:
    """A file as the body of `add_document`, `add_case_attachment` and `add_manual_check_attachment`."""
    file = Path(path)
    return DocumentUpload(name=file.name, content=base64.b64encode(file.read_bytes()).decode())


def build_pdf_request(body: Model | Body, idempotency_key: str | None) -> ApiRequest:
    """The request for the bytes of a PDF."""
    return ApiRequest("POST", "/v1/pdf", body=body, accept="application/pdf", idempotency_key=idempotency_key or str(uuid4()))


def build_export_request(business_id: UUID | str, file_format: OwnershipFormat) -> ApiRequest:
    """The request for ownership in another format."""
    return ApiRequest("GET", f"/v1/businesses/{quote_path(business_id)}/ownership", query={"format": file_format}, accept="*/*")


def build_import_request(
    business_id: UUID | str, content: bytes, content_type: StatementType, options: StatementOptions
) -> ApiRequest:
    """The request that declares ownership in another format."""
    return ApiRequest(
        "PUT",
        f"/v1/businesses/{quote_path(business_id)}/ownership",
        query={
            "asOf": options.get("as_of"),
            "claimedBy": options.get("claimed_by"),
            "declaredBy": options.get("declared_by"),
            "subject": options.get("subject"),
        },
        content=content,
        content_type=content_type,
    )


def build_batch_upload(
    path: str | PathLike[str],
    kind: BatchKind,
    file_format: BatchFormat | None,
    mapping: Model | Body | None,
    parameters: Model | Body | None,
) -> FileUpload:
    """The form of a batch."""
    fields: dict[str, str] = {"kind": kind}
    if file_format is not None:
        fields["format"] = file_format
    for name, value in (("mapping", mapping), ("parameters", parameters)):
        if value is not None:
            fields[name] = json.dumps(encode(value), ensure_ascii=False)
    return FileUpload(Path(path), fields)


def build_batch_request(upload: FileUpload, idempotency_key: str | None) -> ApiRequest:
    """The request of a batch with a file."""
    return ApiRequest("POST", "/v1/batches", upload=upload, idempotency_key=idempotency_key or str(uuid4()))


def build_results_request(batch_id: UUID | str, file_format: BatchFormat) -> ApiRequest:
    """The request for the results of a batch."""
    return ApiRequest("GET", f"/v1/batches/{quote_path(batch_id)}/results", query={"format": file_format}, accept="*/*")
