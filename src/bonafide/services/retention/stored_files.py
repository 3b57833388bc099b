"""The names of the stored files of a row, to delete them after it. Pure."""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import Table

from bonafide.model.records.documents import DocumentType
from bonafide.services.packs.pack_files import build_pack_folder
from bonafide.services.printing.pdf_reports import PRINTED
from bonafide.services.records.uploads import UploadFolder, build_upload_name
from bonafide.services.reports.report_pdf import REPORTS, SEARCHES
from bonafide.store.database.schema.case_tables import case_attachments
from bonafide.store.database.schema.manual_check_tables import manual_check_files
from bonafide.store.database.schema.pack_tables import packs
from bonafide.store.database.tables import business_documents, extracts, searches


def list_files(table: Table, ids: Iterable[UUID]) -> list[str]:
    """The files of the rows of a table with these IDs; the name of a folder ends with a slash. Some of them may not exist."""
    return [name for one in ids for name in _list_files_of_row(table, one)]


def _list_files_of_row(table: Table, row_id: UUID) -> list[str]:
    if table in {case_attachments, manual_check_files}:
        return [build_upload_name(UploadFolder.ATTACHMENTS, row_id, kind) for kind in DocumentType]
    if table is business_documents:
        return [build_upload_name(UploadFolder.DOCUMENTS, row_id, kind) for kind in DocumentType]
    if table is packs:
        return [build_pack_folder(row_id)]
    folders = [PRINTED]
    if table is searches:
        folders.append(SEARCHES)
    elif table is extracts:
        folders.append(REPORTS)
    return [f"{folder}/{row_id}/" for folder in folders]
