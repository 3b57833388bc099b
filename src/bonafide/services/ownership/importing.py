"""Read an ownership statement that was sent as a document of this API or as a file of one of the formats of `formats/`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.ownership.file_format import OwnershipFileOptions
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.runtime import Runtime
from bonafide.services.ownership.formats.bods_import import read_bods
from bonafide.services.ownership.formats.bods_statements import BODS_MEDIA_TYPE
from bonafide.services.ownership.formats.csv_interests import CSV_MEDIA_TYPE, read_csv
from bonafide.services.ownership.formats.statement_draft import StatementDraft, StatementSubject
from bonafide.services.records import business_records

FileReader = Callable[[bytes, StatementSubject, OwnershipFileOptions], StatementDraft]
READERS: Mapping[str, FileReader] = MappingProxyType({BODS_MEDIA_TYPE: read_bods, CSV_MEDIA_TYPE: read_csv})
"""What reads a file, by its media type."""


@dataclass(frozen=True, slots=True)
class OwnershipUpload:
    """A file with an ownership statement; `media_type` is one of `READERS`."""

    media_type: str
    content: bytes


async def read_statement(
    runtime: Runtime,
    organization_id: UUID,
    business_id: UUID,
    sent: OwnershipStatement | OwnershipUpload,
    options: OwnershipFileOptions,
) -> OwnershipStatement:
    """The statement that a request sends, as a document or as a file. `options` are for files.

    Raises `NotFound` for an unknown business, `InvalidJson`, and `ValidationFailed` with the places in the file.
    """
    if isinstance(sent, OwnershipStatement):
        _check_unused(options)
        return sent
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    subject = StatementSubject(business_id, record.name)
    with runtime.compute_for(organization_id):
        return await run_cpu_bound(_read_file, sent, subject, options)


def _read_file(sent: OwnershipUpload, subject: StatementSubject, options: OwnershipFileOptions) -> OwnershipStatement:
    return READERS[sent.media_type](sent.content, subject, options).to_statement()


def _check_unused(options: OwnershipFileOptions) -> None:
    given = options.model_dump(by_alias=True, exclude_none=True)
    problems = [FieldProblem(name, Message("is for files only; state it in the body")) for name in given]
    if problems:
        raise ValidationFailed.of_fields(problems)
