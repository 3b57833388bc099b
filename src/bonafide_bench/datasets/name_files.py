"""Files of `record<TAB>name` lines, the input of the index benchmark.

By default they contain the sandbox's names. Each smaller file is a prefix of the largest one, so that a query whose expected
records are in the smallest file is valid for all sizes.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path

from bonafide.matching.entries.index_terms import build_business_terms
from bonafide_sandbox.generator.businesses import MAX_SIZE, create_businesses
from bonafide_sandbox.world.builder import DEFAULT_SEED

NameFileRow = tuple[int, str]
"""A record number and one of its names, or the distinctive words of a name separated by spaces."""
BATCH = 10_000


def format_size(size: int) -> str:
    """A size as it appears in file names: 5k, 1m, 10m."""
    return f"{size // 1_000_000}m" if size % 1_000_000 == 0 else f"{size // 1_000}k"


def read_rows(path: Path) -> Iterator[NameFileRow]:
    """Yield the rows of a file. Raises `ValueError` for a malformed line."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record, tab, text = line.rstrip("\n").partition("\t")
            if not tab:
                raise ValueError(f"{path}: no tab in {line!r}")
            yield int(record), text


def read_records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield each record of a file with its texts."""
    for record, rows in groupby(read_rows(path), key=lambda row: row[0]):
        yield record, [text for _, text in rows]


def write_rows(path: Path, rows: Iterable[NameFileRow], least: int = 0) -> None:
    """Write a file atomically. Raises `ValueError` if there are fewer than `least` rows."""
    partial = path.with_name(f"{path.name}.part")
    count = 0
    with partial.open("w", encoding="utf-8") as lines:
        for record, text in rows:
            lines.write(f"{record}\t{text}\n")
            count += 1
    if count < least:
        partial.unlink()
        raise ValueError(f"there are {count:,}, not {least:,}")
    partial.replace(path)


def create_rows(seed: int = DEFAULT_SEED) -> Iterator[NameFileRow]:
    """Yield the names of the sandbox's businesses, including former and trade names."""
    for record, business in enumerate(create_businesses(seed, 0, MAX_SIZE), start=1):
        for name in (business.name, *business.other_names, *(former.name for former in business.former_names)):
            yield record, name


def prepare_names(folder: Path, size: int, given: Path | None) -> Path:
    """The file of the first `size` names, created if it does not exist. Raises `ValueError` if `given` has fewer."""
    path = folder / f"n{format_size(size)}.tsv"
    if not path.exists():
        write_rows(path, islice(create_rows() if given is None else read_rows(given), size), least=size)
    return path


def prepare_words(folder: Path, size: int, names: Path) -> Path:
    """The same file with the distinctive words of each name, for engines that do not parse names."""
    path = folder / f"words{format_size(size)}.tsv"
    if not path.exists():
        write_rows(path, _to_words(read_rows(names)))
    return path


def _to_words(rows: Iterator[NameFileRow]) -> Iterator[NameFileRow]:
    while batch := list(islice(rows, BATCH)):
        found = build_business_terms([name for _, name in batch])
        for place, words in zip(found.places, found.words, strict=True):
            yield batch[place][0], " ".join(words)
