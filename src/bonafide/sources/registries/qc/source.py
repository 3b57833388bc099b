"""Quebec's open data: a ZIP of six CSV files, which a person downloads, joined on the NEQ in one pass and in bounded memory.

Not read: activities, numbers of employees, the statute and the continuations, for whose codes no meaning was ever seen.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from bonafide.errors import ParseFailed
from bonafide.model.entry import RegistryEntry
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import squeeze
from bonafide.sources.registries.qc.archive import BAD, Archive, Record, Table, is_neq, opened
from bonafide.sources.registries.qc.enterprises import ENTERPRISES, Known, Withheld, entry_of
from bonafide.sources.registries.qc.joining import Company, Related
from bonafide.sources.registries.qc.names import NAMES
from bonafide.sources.registries.qc.ordering import in_order
from bonafide.sources.registries.qc.places import ESTABLISHMENTS

MERGERS = Table("mergers", "FusionScissions.csv", ("NEQ", "NEQ_ASSUJ_REL", "COD_RELA_ASSUJ"))
CONTINUATIONS = Table("continuations", "ContinuationsTransformations.csv", ("NEQ", "COD_TYP_CHANG"))
CODES = Table("codes", "DomaineValeur.csv", ("TYP_DOM_VAL", "COD_DOM_VAL", "VAL_DOM_FRAN"), bool)
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
        opened(resources[0], context, (ENTERPRISES, *RELATED, CODES)) as archive,
        tempfile.TemporaryDirectory(prefix="bonafide-qc-") as folder,
    ):
        packed = archive.day(ENTERPRISES)
        if packed is not None:
            context.dated(packed)
        # What the operator says; failing that when the file was put into the archive, or when it was brought here.
        day = archive.resource.as_of or packed or archive.resource.retrieved_at.date()
        context.note(f"good standing is judged on {day}")
        known = Known(context, _decoder(archive), _absorbed(archive), day)
        yield from _joined(archive, Path(folder), known)


def _joined(archive: Archive, folder: Path, known: Known) -> Iterator[RegistryEntry]:
    context, part, withheld = known.context, archive.part(ENTERPRISES), Withheld()
    # All files are looked through here, before the first entry goes out.
    enterprises = in_order(archive, ENTERPRISES, folder)
    files = tuple(Related(in_order(archive, table, folder), archive.part(table), context) for table in RELATED)
    for record in _once(_readable(enterprises, part, context), part, context):
        company = Company(context, files, tuple(file.of(record.neq) for file in files))
        try:
            entry = entry_of(record, company.rows[0], company.rows[1], known, withheld)
        except ValueError as error:
            context.reject(part, record.line, str(error))
            company.refuse()
            continue
        company.merge()
        yield entry
    for file in files:
        file.finish()
    withheld.tell(context)


def _readable(records: Iterator[Record], part: Resource, context: ParseContext) -> Iterator[Record]:
    """The rows that can be read; the others are rejected."""
    for record in records:
        context.row()
        if record.neq != BAD:
            yield record
        else:
            context.reject(part, record.line, record.cells[0])


def _once(records: Iterator[Record], part: Resource, context: ParseContext) -> Iterator[Record]:
    """Of rows with the same number, which stand together, the first; the others are rejected."""
    last = BAD
    for record in records:
        if record.neq != last:
            yield record
        else:
            context.reject(part, record.line, "the NEQ was read before")
        last = record.neq


# ------------------------------------------------------------------------------------------------------------ small files


def _decoder(archive: Archive) -> Callable[[str, str], str]:
    """What codes mean, by the archive's own table; an unknown one is counted, and stands for itself."""
    context, meanings = archive.context, _meanings(archive)

    def decode(domain: str, code: str) -> str:
        meaning = meanings.get((domain, code))
        if meaning is not None:
            return meaning
        key = f"{domain} {code}"
        word = context.term(key)
        return word if word != key else code

    return decode


def _meanings(archive: Archive) -> dict[tuple[str, str], str]:
    meanings: dict[tuple[str, str], str] = {}
    for record in _readable(archive.records(CODES), archive.part(CODES), archive.context):
        archive.context.merge()
        domain, code, meaning = map(squeeze, record.cells)
        if domain is not None and code is not None and meaning is not None:
            meanings.setdefault((domain, code), meaning)
    return meanings


def _absorbed(archive: Archive) -> frozenset[str]:
    """Numbers of enterprises that went into a merger. The rows are read again, and counted, with those of their enterprises."""
    numbers = (
        record.cells[1].strip() for record in archive.records(MERGERS) if record.neq != BAD and record.cells[2].strip() == FOUNDER
    )
    found = frozenset(islice(filter(is_neq, numbers), MAX_ABSORBED + 1))
    if len(found) > MAX_ABSORBED:
        raise ParseFailed(f"{archive.part(MERGERS).name}: more than {MAX_ABSORBED:,} founders of mergers")
    return found
