"""Read the body of a request for a batch: rows as JSON, or a form with a file."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fastapi import Request
from pydantic import ValidationError

from bonafide.api.protocol.file_form import FileForm, read_file_form
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.upload_body import is_form
from bonafide.errors import InvalidJson, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.batches.batch import BatchForm, BatchRequest
from bonafide.runtime import Runtime
from bonafide.services.batches.requests import SubmittedBatch, clean_file_name
from bonafide.services.batches.row_files import guess_format
from bonafide.strict_json import parse_request_json
from bonafide.web.validation_errors import to_api_error

FORM_FIELDS: Mapping[str, str] = MappingProxyType({
    "kind": "`search`, `verify` or `screen`.",
    "format": "`jsonl`, `csv`, `xlsx` or `parquet`; that of the name of the file without it.",
    "mapping": 'JSON object with the column of each field, such as `{"name": "Company"}`. Fields that are left out are found by '
    "the names of the columns.",
    "parameters": "JSON object with `threshold`, `limit` and `jurisdictions`.",
})  # fmt: skip
"""The parts of the form besides the file."""
_JSON_FIELDS = frozenset({"mapping", "parameters"})
_parse_json = create_body_parser(BatchRequest)


async def parse_batch(request: Request) -> BatchRequest | FileForm:
    """A dependency: the rows of a JSON body, or a form with a file."""
    if not is_form(request):
        return await _parse_json(request)
    runtime: Runtime = request.app.state.runtime
    return await read_file_form(request, runtime.settings.batch_max_bytes, FORM_FIELDS)


def read_batch_form(form: FileForm) -> SubmittedBatch:
    """What a form requests. Raises `ValidationFailed`."""
    values: dict[str, Any] = dict(form.fields)
    for name in _JSON_FIELDS & values.keys():
        try:
            values[name] = parse_request_json(values[name])
        except (ValueError, RecursionError, InvalidJson):
            raise ValidationFailed.of_field(name, Message("must be a JSON object")) from None
    try:
        wanted = BatchForm.model_validate_json(json.dumps(values), strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        raise to_api_error(error, BatchForm) from None
    file_format = wanted.format if wanted.format is not None else guess_format(form.name)
    if file_format is None:
        raise ValidationFailed.of_field("format", Message("is required: the name of the file has no known ending"))
    return SubmittedBatch(form.path, clean_file_name(form.name), wanted.kind, file_format, wanted.mapping, wanted.parameters)
