"""Read a form with a large file: the file is written to the local disk while it arrives, and its other parts are short texts."""

import asyncio
import hashlib
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import cast

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from bonafide.api.protocol.request_body import check_content_encoding, read_body
from bonafide.api.protocol.upload_body import FILE_PART, is_form
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.runtime import Runtime
from bonafide.web.body_stream import BodyLimits, receive_body
from bonafide.web.request_context import get_request_context

MAX_FIELDS = 10
MAX_FIELD_BYTES = 64 * 1024
_COPIED_BYTES = 1024**2


class FileForm:
    """A received form: the file on the local disk, its name, and the texts of the other parts.

    The file is deleted by `close`, or with the last reference: the endpoint of a repeated request is not called.
    """

    def __init__(self, name: str, fields: Mapping[str, str]) -> None:
        handle, path = mkstemp(prefix="bonafide-upload-")
        os.close(handle)
        self.path = Path(path)
        self.name = name
        self.fields = fields
        self.digest = b""
        """The SHA-256 of the file."""

    def close(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)

    def __del__(self) -> None:
        """Delete the file, if `close` was not called."""
        self.close()

    def fill(self, upload: UploadFile) -> None:
        """Copy the file. Blocks."""
        digest = hashlib.sha256()
        with self.path.open("wb") as copy:
            upload.file.seek(0)
            while piece := upload.file.read(_COPIED_BYTES):
                digest.update(piece)
                copy.write(piece)
        self.digest = digest.digest()


async def _accept_file_form(request: Request) -> None:
    """Mark a route."""


FILE_FORM = Depends(_accept_file_form)
"""A dependency of routes whose body may be a form with a large file."""


async def read_file_form(request: Request, max_bytes: int, fields: Collection[str]) -> FileForm:
    """The form of the request, cached for later calls; its file has up to `max_bytes`.

    Raises `BodyTooLarge`, `BodyTooSlow`, `UnsupportedMediaType` for a compressed body, and `ValidationFailed`.
    """
    kept = cast("FileForm | None", getattr(request.state, "file_form", None))
    if kept is None:
        request.state.file_form = kept = await _receive_form(request, max_bytes)
    # The form of a request with an idempotency key was received before.
    unknown = next((name for name in kept.fields if name not in fields), None)
    if unknown is not None:
        raise ValidationFailed.of_field(unknown, Message("is not a part of this form"))
    return kept


async def _receive_form(request: Request, max_bytes: int) -> FileForm:
    check_content_encoding(request.headers.getlist("content-encoding"))
    runtime: Runtime = request.app.state.runtime
    size = max_bytes + MAX_FIELDS * MAX_FIELD_BYTES
    limits = BodyLimits(size, runtime.settings.upload_timeout_s, runtime.settings.min_body_rate)
    async with receive_body(request, limits, [get_request_context(request.scope).sender]) as chunks:
        parser = MultiPartParser(request.headers, chunks, max_files=1, max_fields=MAX_FIELDS, max_part_size=MAX_FIELD_BYTES)
        try:
            form = await parser.parse()
        except (MultiPartException, ValueError, LookupError, KeyError):
            problem = Message("the form is malformed, or has more parts than it may have")
            raise ValidationFailed.of_field(FILE_PART, problem) from None
    try:
        upload = form.get(FILE_PART)
        if not isinstance(upload, UploadFile) or not upload.filename:
            raise ValidationFailed.of_field(FILE_PART, Message("is required, as a part with a file name"))
        texts = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        received = FileForm(upload.filename, texts)
        await asyncio.to_thread(received.fill, upload)
        return received
    finally:
        await form.close()


async def read_form_identity(request: Request) -> bytes:
    """What makes two requests the same: the file and the other parts, or the JSON body."""
    if not is_form(request):
        return await read_body(request)
    kept = cast("FileForm | None", getattr(request.state, "file_form", None))
    if kept is None:
        runtime: Runtime = request.app.state.runtime
        kept = request.state.file_form = await _receive_form(request, runtime.settings.batch_max_bytes)
    parts = [kept.name, *(f"{name}={value}" for name, value in sorted(kept.fields.items()))]
    return "\n".join(parts).encode() + kept.digest
