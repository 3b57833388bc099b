"""The print model of an examiner's pack, and the names of its files. Pure."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from bonafide import __version__
from bonafide.i18n.catalog import translate
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Organization
from bonafide.model.packs.manifest import PackedFile
from bonafide.model.packs.pack import PackContent
from bonafide.pdf.print_packs import PrintedAuditEntry, PrintedPack, PrintedPackSection
from bonafide.services.packs.audit_extract import AuditExtract
from bonafide.services.reports.report_pdf import build_file_name
from bonafide.store.packs.packs import StoredPack

_TICK = timedelta(microseconds=1)
FILE_NAME = Message("Examiner’s pack {subject}")
PERIOD_NAME = Message("Examiner’s pack {first} to {last}")


def build_pack_sheet(
    row: StoredPack,
    organization: Organization,
    sections: Sequence[PrintedPackSection],
    extract: AuditExtract,
    files: Sequence[PackedFile],
    *,
    is_detailed: bool,
) -> PrintedPack:
    """The print model; `files` are those that belong to no item."""
    content = PackContent.model_validate_json(row.document)
    return PrintedPack(
        language=content.language,
        document_id=row.id,
        issued_at=row.requested_at,
        organization=organization.name,
        name=content.business_name,
        business_id=row.business_id,
        period_from=row.from_at,
        period_to=row.to_at,
        period_last=row.to_at - _TICK if row.to_at is not None else None,
        requested_at=row.requested_at,
        requested_by=row.requested_by,
        version=__version__,
        is_detailed=is_detailed,
        sections=tuple(sections),
        audit=extract.audit,
        entries=tuple(
            PrintedAuditEntry(id=entry.id, at=entry.at, actor=entry.actor, field=entry.field, hash=entry.hash)
            for entry in extract.listed
        ),
        files=tuple(files),
    )


def build_file_stem(row: StoredPack, content: PackContent) -> str:
    """The name of both files without its ending: the business and the day, or the days of the period."""
    day = row.requested_at.date()
    if row.from_at is None or row.to_at is None:
        name = FILE_NAME.fill(subject=content.business_name if content.business_name is not None else "")
        return build_file_name(translate(name, content.language), day).removesuffix(".pdf")
    period = PERIOD_NAME.fill(first=_format_day(row.from_at.date()), last=_format_day((row.to_at - _TICK).date()))
    stem = build_file_name(translate(period, content.language), day).removesuffix(".pdf")
    return re.sub(rf"-{day.isoformat()}$", "", stem)


def _format_day(day: date) -> str:
    return day.isoformat()
