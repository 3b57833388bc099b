"""Quebec's open data: a ZIP of six CSV files, which a person downloads, joined on the NEQ in one pass and in bounded memory.

Not read: activities, numbers of employees, the statute and the continuations, for whose codes no meaning was ever seen.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from bonafide.errors import ParseFailed
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
"""The other enterprise of the row went into the merger of which this one came."""
MAX_ABSORBED = 1_000_000
"""Numbers that are kept in memory, about 100 bytes each."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry an enterprise. Raises `ParseFailed`, before the first one, for an archive that is not whole."""
    if len(resources) != 1:
        raise ParseFailed(f"qc: one archive is read at a time, not {len(resources)}")
    with (
        open_archive(resources[0], context, (ENTERPRISES, *RELATED, CODES)) as archive,
        tempfile.TemporaryDirectory(prefix="bonafide-qc-") as folder,
    ):
        packed = archive.day(ENTERPRISES)
        if packed is not None:
            context.set_as_of(packed)
        # What the operator says; failing that when the file was put into the archive, or when it was brought here.
        day = archive.resource.as_of or packed or archive.resource.retrieved_at.date()
        context.note(f"good standing is judged on {day}")
        known = EnterpriseContext(context, _create_decoder(archive), _read_absorbed(archive), day)
        yield from _join_files(archive, Path(folder), known)


def _join_files(archive: QuebecArchive, folder: Path, known: EnterpriseContext) -> Iterator[RegistryEntry]:
    context, part, withheld = known.context, archive.part(ENTERPRISES), WithheldNames()
    # All files are looked through here, before the first entry goes out.
    enterprises = read_sorted(archive, ENTERPRISES, folder)
    files = tuple(RelatedRows(read_sorted(archive, table, folder), archive.part(table), context) for table in RELATED)
    for record in _skip_duplicates(_skip_unreadable(enterprises, part, context), part, context):
        company = EnterpriseRows(context, files, tuple(file.of(record.neq) for file in files))
        try:
            entry = build_entry(record, company.rows[0], company.rows[1], known, withheld)
        except ValueError as error:
            context.reject(part, record.line, str(error))
            company.refuse()
            continue
        company.merge()
        yield entry
    for file in files:
        file.finish()
    withheld.tell(context)


def _skip_unreadable(records: Iterator[QuebecRow], part: Resource, context: ParseContext) -> Iterator[QuebecRow]:
    """The rows that can be read; the others are rejected."""
    for record in records:
        context.row()
        if record.neq != BAD_ROW_KEY:
            yield record
        else:
            context.reject(part, record.line, record.cells[0])


def _skip_duplicates(records: Iterator[QuebecRow], part: Resource, context: ParseContext) -> Iterator[QuebecRow]:
    """Of rows with the same number, which stand together, the first; the others are rejected."""
    last = BAD_ROW_KEY
    for record in records:
        if record.neq != last:
            yield record
        else:
            context.reject(part, record.line, "the NEQ was read before")
        last = record.neq


# ------------------------------------------------------------------------------------------------------------ small files


def _create_decoder(archive: QuebecArchive) -> Callable[[str, str], str]:
    """What codes mean, by the archive's own table; an unknown one is counted, and stands for itself."""
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
    """Numbers of enterprises that went into a merger. The rows are read again, and counted, with those of their enterprises."""
    numbers = (
        record.cells[1].strip()
        for record in archive.records(MERGERS)
        if record.neq != BAD_ROW_KEY and record.cells[2].strip() == FOUNDER
    )
    found = frozenset(islice(filter(is_neq, numbers), MAX_ABSORBED + 1))
    if len(found) > MAX_ABSORBED:
        raise ParseFailed(f"{archive.part(MERGERS).name}: more than {MAX_ABSORBED:,} founders of mergers")
    return found
