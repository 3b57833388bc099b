"""Parse Quebec's open data: a ZIP archive of six CSV files, joined on the NEQ in one pass and in bounded memory.

Activities, numbers of employees, statutes and continuations are not read, because their codes are not documented.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entry import RegistryEntry
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.qc.archive import BAD_ROW_KEY, QuebecArchive, QuebecRow, QuebecTable, is_neq, open_archive
from bonafide.sources.registries.qc.enterprise_entries import (
    ENTERPRISES,
    ESTABLISHMENTS,
    EnterpriseContext,
    WithheldNames,
    build_entry,
)
from bonafide.sources.registries.qc.enterprise_names import NAMES
from bonafide.sources.registries.qc.row_joining import EnterpriseRows, RelatedRows, read_sorted

MERGERS = QuebecTable("mergers", "FusionScissions.csv", ("NEQ", "NEQ_ASSUJ_REL", "COD_RELA_ASSUJ"))
CONTINUATIONS = QuebecTable("continuations", "ContinuationsTransformations.csv", ("NEQ", "COD_TYP_CHANG"))
CODES = QuebecTable("codes", "DomaineValeur.csv", ("TYP_DOM_VAL", "COD_DOM_VAL", "VAL_DOM_FRAN"), bool)
RELATED = (NAMES, ESTABLISHMENTS, MERGERS, CONTINUATIONS)
FOUNDER = "FO"
"""The related enterprise was absorbed by the merger from which this one resulted."""
MAX_ABSORBED = 1_000_000
"""Maximum number of absorbed enterprises, which take about 100 bytes of memory each."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each enterprise. Raises `ParseFailed`, before the first one, for an incomplete archive."""
    if len(resources) != 1:
        raise ParseFailed(
            Message("{source}: import one archive at a time, not {count}", source=context.metadata.key, count=len(resources))
        )
    with (
        open_archive(resources[0], context, (ENTERPRISES, *RELATED, CODES)) as archive,
        tempfile.TemporaryDirectory(prefix="bonafide-qc-") as folder,
    ):
        packed = archive.day(ENTERPRISES)
        if packed is not None:
            context.set_as_of(packed)
        # The date that the operator states, or that of the file in the archive, or that of the import.
        day = archive.resource.as_of or packed or archive.resource.retrieved_at.date()
        context.note(Message("good standing is as of {date}", date=day.isoformat()))
        known = EnterpriseContext(context, _create_decoder(archive), _read_absorbed(archive), day)
        yield from _join_files(archive, Path(folder), known)


def _join_files(archive: QuebecArchive, folder: Path, known: EnterpriseContext) -> Iterator[RegistryEntry]:
    context, part, withheld = known.context, archive.part(ENTERPRISES), WithheldNames()
    # All files are scanned before the first entry is yielded.
    enterprises = read_sorted(archive, ENTERPRISES, folder)
    files = tuple(RelatedRows(read_sorted(archive, table, folder), archive.part(table), context) for table in RELATED)
    for record in _skip_duplicates(_skip_unreadable(enterprises, part, context), part, context):
        company = EnterpriseRows(context, files, tuple(file.of(record.neq) for file in files))
        try:
            entry = build_entry(record, company.rows[0], company.rows[1], known, withheld)
        except ValueError as error:
            context.reject(part, record.line, error)
            company.refuse()
            continue
        company.merge()
        yield entry
    for file in files:
        file.finish()
    withheld.add_notes(context)


def _skip_unreadable(records: Iterator[QuebecRow], part: Resource, context: ParseContext) -> Iterator[QuebecRow]:
    """The readable rows; the others are rejected."""
    for record in records:
        context.row()
        if record.neq != BAD_ROW_KEY:
            yield record
        else:
            context.reject(part, record.line, record.reason)


def _skip_duplicates(records: Iterator[QuebecRow], part: Resource, context: ParseContext) -> Iterator[QuebecRow]:
    """The first of adjacent rows with the same number; the others are rejected."""
    last = BAD_ROW_KEY
    for record in records:
        if record.neq != last:
            yield record
        else:
            context.reject(part, record.line, Message("an earlier row has the same registration number"))
        last = record.neq


# ------------------------------------------------------------------------------------------------------------ small files


def _create_decoder(archive: QuebecArchive) -> Callable[[str, str], str]:
    """The function that returns the meaning of a code by the archive's table. An unknown code is counted and returned unchanged."""
    context, meanings = archive.context, _read_meanings(archive)

    def decode(domain: str, code: str) -> str:
        meaning = meanings.get((domain, code))
        if meaning is not None:
            return meaning
        key = f"{domain} {code}"
        word = context.term(key)
        return word if word != key else code

    return decode


def _read_meanings(archive: QuebecArchive) -> dict[tuple[str, str], str]:
    meanings: dict[tuple[str, str], str] = {}
    for record in _skip_unreadable(archive.records(CODES), archive.part(CODES), archive.context):
        archive.context.merge()
        domain, code, meaning = map(normalize_whitespace, record.cells)
        if domain is not None and code is not None and meaning is not None:
            meanings.setdefault((domain, code), meaning)
    return meanings


def _read_absorbed(archive: QuebecArchive) -> frozenset[str]:
    """Numbers of enterprises that were absorbed by a merger. The rows are counted when they are read again."""
    numbers = (
        record.cells[1].strip()
        for record in archive.records(MERGERS)
        if record.neq != BAD_ROW_KEY and record.cells[2].strip() == FOUNDER
    )
    found = frozenset(islice(filter(is_neq, numbers), MAX_ABSORBED + 1))
    if len(found) > MAX_ABSORBED:
        raise ParseFailed(
            Message("{file}: more than {limit:,} absorbed enterprises", file=archive.part(MERGERS).name, limit=MAX_ABSORBED)
        )
    return found
