"""Receive and parse submitted forms, and parse query parameters. A form becomes a document, or a problem for each invalid field.

Fields are named as on the wire, inner ones with dots (`address.street`). An empty field counts as missing, a checkbox that is not
sent as false.
"""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any, Generic, TypeVar, cast, get_args, get_origin
from uuid import UUID

from fastapi import Depends, Request
from pydantic import ValidationError
from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser

from bonafide.errors import ApiError, BodyTooLarge, FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.base import Document
from bonafide.model.records.documents import MAX_FILE_NAME_CHARACTERS
from bonafide.settings import Settings
from bonafide.web.body_stream import CLOSE, BodyLimits, receive_body
from bonafide.web.validation_errors import to_api_error

E = TypeVar("E", bound=StrEnum)
MAX_OFFSET = 2**31 - 1
D = TypeVar("D", bound=Document)
MAX_FIELDS = 1000
MAX_FILES = 2
MAX_VISITOR_BYTES = 16 * 1024
"""Of a form that is sent by a visitor who is not signed in."""
_URLENCODED, _MULTIPART = b"application/x-www-form-urlencoded", b"multipart/form-data"
_DATE_CHARACTERS = len("2026-11-20")
_PER_CENT = 100
_PERCENT = re.compile(r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\s*%?")
_ON = frozenset({"on", "true", "1"})


def parse_uuid(text: str) -> UUID | None:
    """The UUID; None if the text is not one."""
    try:
        return UUID(text)
    except ValueError:
        return None


def parse_choice(kind: type[E], text: str) -> E | None:
    """The member with that value; None if there is none."""
    return kind(text) if text in {member.value for member in kind} else None


def parse_day(text: str) -> date | None:
    """The day of a text such as 2026-11-20; None for any other text."""
    try:
        return date.fromisoformat(text) if len(text) == _DATE_CHARACTERS else None
    except ValueError:
        return None


def to_midnight(day: date, zone: tzinfo = UTC) -> datetime:
    """The instant at which the day begins in a time zone."""
    return datetime.combine(day, time.min, zone)


def parse_percent(text: str) -> float | None:
    """The fraction of a percentage as people write it (`25`, `12,5 %`); None for any other text, and beyond 0 to 100."""
    found = _PERCENT.fullmatch(text.strip())
    percent = Decimal(found[1].replace(",", ".")) if found is not None else None
    return float(percent / _PER_CENT) if percent is not None and percent <= _PER_CENT else None


def parse_number(text: str, max_digits: int) -> int | None:
    """The number in plain decimal digits; None for any other text, and for one longer than `max_digits`."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= max_digits else None


def parse_offset(request: Request) -> int:
    """How many items the page skips (`?offset=`), at most `MAX_OFFSET`."""
    return min(parse_number(request.query_params.get("offset", ""), len(str(MAX_OFFSET))) or 0, MAX_OFFSET)


@dataclass(frozen=True, slots=True)
class FormSubmission(Generic[D]):
    """A submitted form: the valid `value`, or None and `problems`, a message for each invalid field."""

    value: D | None
    raw: FormData
    problems: Mapping[str, Message] = field(default_factory=dict)

    def shown(self, name: str) -> str:
        """The submitted text of a field, to show it again."""
        value = self.raw.get(name, "")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class FormReception:
    """How the form of a request is received: its limits, its senders for `receive_body`, and the most files."""

    limits: BodyLimits
    senders: tuple[str, ...]
    max_files: int


def choose_form_limits(settings: Settings, *, is_signed_in: bool, accepts_upload: bool) -> BodyLimits:
    """The limits of a form: small before sign-in, large and slow only for an uploaded file."""
    if not is_signed_in:
        max_bytes = min(MAX_VISITOR_BYTES, settings.max_plain_form_bytes)
        return BodyLimits(max_bytes, settings.body_timeout_s, settings.min_body_rate)
    if accepts_upload:
        return BodyLimits(settings.max_form_bytes, settings.upload_timeout_s, settings.min_body_rate)
    return BodyLimits(settings.max_plain_form_bytes, settings.body_timeout_s, settings.min_body_rate)


async def receive_form(request: Request, reception: FormReception) -> None:
    """Receive and parse the form, for `read_form`. Raises `ValidationFailed` and what `receive_body` raises."""
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind not in {_URLENCODED, _MULTIPART}:
        request.state.form = FormData()
        return
    if "content-length" not in request.headers:
        # Browsers always send it.
        raise BodyTooLarge(Message("The form must state its length."), headers=CLOSE)
    if options.get(b"charset", b"utf-8").lower() not in {b"utf-8", b"utf8"}:
        raise _build_malformed_error()
    async with receive_body(request, reception.limits, reception.senders) as chunks:
        try:
            request.state.form = await _create_parser(request, kind, chunks, reception).parse()
        except (MultiPartException, ValueError, LookupError):
            # The parsers raise the last two for headers and encodings that make no sense.
            raise _build_malformed_error() from None


def _create_parser(
    request: Request, kind: bytes, chunks: AsyncGenerator[bytes, None], reception: FormReception
) -> FormParser | MultiPartParser:
    most = reception.limits.max_bytes
    if kind == _URLENCODED:
        return FormParser(request.headers, chunks, max_fields=MAX_FIELDS, max_part_size=most)
    return MultiPartParser(request.headers, chunks, max_files=reception.max_files, max_fields=MAX_FIELDS, max_part_size=most)


def _build_malformed_error() -> ValidationFailed:
    message = Message("The form couldn’t be read: it is malformed, or has too many fields or files.")
    return ValidationFailed(message, details=[FieldProblem("", message)])


async def read_form(request: Request) -> FormData:
    """The form's fields, received before the handler runs."""
    return cast("FormData", request.state.form)


async def _allow_upload() -> None:
    """Mark a route."""


UPLOAD_FORM = Depends(_allow_upload)
"""A dependency of routes whose form may have an uploaded file; without it forms are small."""


async def _accept_signed_address() -> None:
    """Mark a route."""


SIGNED_ADDRESS = Depends(_accept_signed_address)
"""A dependency of routes that a signed token in the address authorizes. Mail programs call them, so forms have no CSRF token."""


async def close_form(request: Request) -> None:
    """Close the uploaded files of the form, if it was read."""
    kept = getattr(request.state, "form", None)
    if kept is not None:
        await kept.close()


def create_form_parser(model: type[D]) -> Callable[[Request], Awaitable[FormSubmission[D]]]:
    """A dependency: the request's form as a `model`."""

    async def submission(request: Request) -> FormSubmission[D]:
        return parse_form(model, await read_form(request))

    return submission


def parse_form(model: type[D], form: FormData) -> FormSubmission[D]:
    """The form as a `model`, or its problems."""
    try:
        return FormSubmission(model.model_validate(_read_values(model, form, "")), form)
    except ValidationError as error:
        return FormSubmission(None, form, list_problems(to_api_error(error, model)))


def list_problems(error: ApiError) -> dict[str, Message]:
    """The message for each invalid field, by the field's path; empty for an error without fields."""
    return {problem.path: problem.message for problem in error.details} if isinstance(error, ValidationFailed) else {}


def get_uploaded_file(form: FormData, name: str) -> UploadFile | None:
    """The uploaded file of that field; None if no file was selected."""
    file = form.get(name)
    return file if isinstance(file, UploadFile) and file.filename else None


def get_file_name(file: UploadFile, default: str) -> str:
    """The printable end of the name of an uploaded file; `default` if it has none."""
    return "".join(filter(str.isprintable, file.filename or "")).strip()[-MAX_FILE_NAME_CHARACTERS:] or default


def _read_values(model: type[Document], form: FormData, prefix: str) -> dict[str, Any]:
    """The form's values in the shape of the model, without empty fields."""
    values: dict[str, Any] = {}
    for name, known in model.model_fields.items():
        wire = known.alias if known.alias is not None else name
        value = _read_value(known.annotation, form, f"{prefix}{wire}")
        if value is not None:
            values[wire] = value
    return values


def _read_value(annotation: Any, form: FormData, path: str) -> Any:
    inner = _unwrap_annotation(annotation)
    if isinstance(inner, type) and issubclass(inner, Document):
        return _read_values(inner, form, f"{path}.") if any(key.startswith(f"{path}.") for key in form) else None
    if inner is bool:
        return form.get(path) in _ON
    given = [value.strip() for value in form.getlist(path) if isinstance(value, str) and value.strip() != ""]
    if get_origin(inner) in {list, tuple}:
        return given or None
    return given[-1] if given else None


def _unwrap_annotation(annotation: Any) -> Any:
    """The type `X` of `X | None` or `Annotated[X, ...]`."""
    if hasattr(annotation, "__metadata__"):
        return _unwrap_annotation(get_args(annotation)[0])
    others = [part for part in get_args(annotation) if part is not type(None)]
    is_union = type(None) in get_args(annotation)
    return _unwrap_annotation(others[0]) if is_union and len(others) == 1 else annotation
