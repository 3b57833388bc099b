"""Load the NAICS tables (download or import, parse, index, check, swap in), and classify websites by them.

The tables are reference data, not a source of entries. There is one load per world.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from tempfile import mkstemp

import anyio
from pydantic import ValidationError

from bonafide.errors import ParseFailed, RefreshRefused, SegmentCorrupt, SourceError
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, context_message, join_messages
from bonafide.index import hold_exclusive_lock
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document, Instant
from bonafide.model.loading import LoadedFile
from bonafide.model.search.website import Industry
from bonafide.net.fetch import Fetcher
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.indexing.distribution import build_exclusively
from bonafide.services.indexing.naics_transfer import NAICS, get_naics_folder, remove_old_files, write_pointer
from bonafide.services.loading.imported_file import measure_imported_file
from bonafide.website.industry.classifier import IndustryClassifier, build_unclassified
from bonafide.website.industry.index_building import build_index
from bonafide.website.industry.naics_index import read_index, write_index
from bonafide.website.industry.naics_tables import (
    ADDRESSES,
    EDITION,
    PUBLISHER,
    NaicsEdition,
    NaicsTable,
    NaicsTableFile,
    build_editions,
    read_naics_table,
)
from bonafide.website.industry.site_texts import collect_site_texts
from bonafide.website.page_content.markup import SitePage

KEY = NAICS
"""Its key on the command line, beside those of sources."""
MIN_CLASSES = 2000
"""The minimum number of classes of all levels; the 2022 edition has 2,059."""
MIN_PHRASES = 18_000
"""The minimum number of phrases of six-digit classes; the 2022 edition has 21,037."""
MAX_DROP_SHARE = 0.1
"""The largest allowed decrease from the last load; an edition changes only by corrections."""
TABLES_OF_A_LANGUAGE = 2
_NAMES = {Language.ENGLISH: context_message("tables", "English"), Language.FRENCH: context_message("tables", "French")}
_COUNTED = {"classes": Message("classes"), "phrases": Message("phrases")}
Progress = Callable[[str, int, int | None], None]
_log = get_logger(__name__)


class NaicsLoad(Document):
    """A load of the tables: its edition, files, languages and counts."""

    edition: str
    publisher: str
    world: World
    loaded_at: Instant
    retrieved_at: Instant
    as_of: date | None
    files: tuple[LoadedFile, ...]
    languages: tuple[Language, ...]
    classes: int
    """The number of six-digit classes."""
    titles: dict[Language, int]
    """The number of titles of all levels, by language."""
    phrases: dict[Language, int]
    notes: tuple[Message, ...] = ()
    """What could not be loaded, and why."""

    @property
    def digest(self) -> str:
        """The digest of its files: equal tables have equal digests."""
        joined = ",".join(sorted(file.sha256 for file in self.files))
        return hashlib.sha256(joined.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class NaicsLoadRequest:
    """Load the tables into a world: downloaded unless files are given. `force` accepts what the checks of counts refuse."""

    world: World = World.LIVE
    files: tuple[Path, ...] = ()
    as_of: date | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class _NaicsFiles:
    """The files, with notes about those that could not be downloaded."""

    files: tuple[tuple[Path, LoadedFile], ...]
    notes: tuple[Message, ...] = ()


async def load_naics(runtime: Runtime, fetcher: Fetcher, order: NaicsLoadRequest, progress: Progress) -> NaicsLoad:
    """Load the tables. Raises `SourceError`, `AddressRefused`, `RefreshRefused` or `ConfigurationError`; nothing changes then."""
    async with build_exclusively(runtime, order.world, KEY):
        return await _load_exclusively(runtime, fetcher, order, progress)


async def _load_exclusively(runtime: Runtime, fetcher: Fetcher, order: NaicsLoadRequest, progress: Progress) -> NaicsLoad:
    home = _prepare_folder(_get_folder(runtime, order.world))
    if order.files:
        received = _NaicsFiles(tuple(_import_file(runtime, path, order.as_of) for path in order.files))
    else:
        received = await _download_tables(fetcher, home / "downloads", progress)
    load = await anyio.to_thread.run_sync(_load, runtime, order, received, progress)
    _log.info("load.finished", source=KEY, world=order.world, classes=load.classes, phrases=load.phrases)
    return load


def get_loaded_naics(runtime: Runtime, world: World) -> NaicsLoad | None:
    """The load in use; None without a usable one."""
    try:
        loaded = get_industries(runtime, world)
    except SegmentCorrupt:
        return None
    return NaicsLoad.model_validate(loaded.index.about) if loaded is not None else None


def get_industries(runtime: Runtime, world: World) -> IndustryClassifier | None:
    """The classifier, read once for each load; None if no tables are loaded. Raises `SegmentCorrupt` for a damaged index."""
    home = _get_folder(runtime, world)
    try:
        return _read_industries(home / (home / "current").read_text(encoding="ascii"))
    except FileNotFoundError:
        return None


@lru_cache(maxsize=len(World))
def _read_industries(path: Path) -> IndustryClassifier:
    """Read a classifier. A file never changes under its name, so the result is cached."""
    return IndustryClassifier.load(path)


def get_naics_title(runtime: Runtime, world: World, code: str, language: Language) -> str | None:
    """The official title of a class in the language; None if the tables are not loaded or lack the code."""
    try:
        loaded = get_industries(runtime, world)
    except SegmentCorrupt:
        return None
    return loaded.get_title(code, language) if loaded is not None else None


def classify_website(runtime: Runtime, world: World, pages: Sequence[SitePage]) -> Industry:
    """Classify a site by its pages; without a code if the tables are not loaded or can't be read."""
    try:
        loaded = get_industries(runtime, world)
    except SegmentCorrupt as error:
        _log.warning("classification.unreadable", problem=error.message)
        loaded = None
    return loaded.classify(collect_site_texts(pages)) if loaded is not None else build_unclassified()


def _get_folder(runtime: Runtime, world: World) -> Path:
    return get_naics_folder(runtime.settings.data_dir, world)


def _prepare_folder(home: Path) -> Path:
    (home / "downloads").mkdir(parents=True, exist_ok=True)
    return home


# ------------------------------------------------------------------------------------------------------------ getting the files


async def _download_tables(fetcher: Fetcher, folder: Path, progress: Progress) -> _NaicsFiles:
    """Download all tables. Missing tables of a language other than English are reported as notes."""
    found: list[tuple[Path, LoadedFile]] = []
    notes: list[Message] = []
    for language in Language:
        try:
            found += [await _download(fetcher, table, folder, progress) for table in NaicsTable if table.language is language]
        except SourceError as error:
            if language is Language.ENGLISH:
                raise
            notes.append(
                Message(
                    "The {language} tables could not be downloaded: {problem}", language=_NAMES[language], problem=error.message
                )
            )
    return _NaicsFiles(tuple(found), tuple(notes))


async def _download(fetcher: Fetcher, table: NaicsTable, folder: Path, progress: Progress) -> tuple[Path, LoadedFile]:
    def report(done: int, total: int | None) -> None:
        progress(f"download {table}", done, total)

    got = await fetcher.download(ADDRESSES[table], folder / f"{table}.csv", report)
    file = LoadedFile(name=table, url=got.url, sha256=got.sha256, size=got.size, retrieved_at=got.retrieved_at, as_of=got.as_of)
    return got.path, file


def _import_file(runtime: Runtime, path: Path, as_of: date | None) -> tuple[Path, LoadedFile]:
    size, digest = measure_imported_file(path, runtime.settings.max_download_bytes)
    now = runtime.clock()
    return path, LoadedFile(name=path.name, url=f"file:{path.name}", sha256=digest, size=size, retrieved_at=now, as_of=as_of)


# ------------------------------------------------------------------------------------------------------------ loading


def _load(runtime: Runtime, order: NaicsLoadRequest, received: _NaicsFiles, progress: Progress) -> NaicsLoad:
    """Read, check, index and swap in; runs in a worker thread."""
    found, used = _read_tables(order, received)
    load = _build_load_record(runtime, order, found, used)
    if not order.force:
        _raise_for_problems(find_naics_problems(load, get_loaded_naics(runtime, order.world)))
    progress("index", 0, load.classes)
    home = _get_folder(runtime, order.world)
    with hold_exclusive_lock(home, KEY):
        _swap(home, load, found)
    progress("index", load.classes, load.classes)
    return load


def _read_tables(order: NaicsLoadRequest, received: _NaicsFiles) -> tuple[tuple[NaicsEdition, ...], _NaicsFiles]:
    """Read the tables, and return them by language with their files. An imported table must be readable.

    Of downloaded tables only the English ones must be; unreadable ones of other languages are reported as notes.
    """
    tables: dict[str, NaicsTableFile] = {}
    notes = list(received.notes)
    for path, file in received.files:
        try:
            tables[file.name] = read_naics_table(path, file.name)
        except ParseFailed as error:
            if order.files or NaicsTable(file.name).language is Language.ENGLISH:
                raise
            notes.append(error.message)
    counts = Counter(table.table.language for table in tables.values())
    kept = {name: table for name, table in tables.items() if order.files or counts[table.table.language] == TABLES_OF_A_LANGUAGE}
    files = tuple((path, file) for path, file in received.files if file.name in kept)
    return build_editions(list(kept.values())), _NaicsFiles(files, tuple(notes))


def _build_load_record(
    runtime: Runtime, order: NaicsLoadRequest, found: Sequence[NaicsEdition], received: _NaicsFiles
) -> NaicsLoad:
    files = tuple(file for _, file in received.files)
    dated = [file.as_of for file in files if file.as_of is not None]
    return NaicsLoad(
        edition=EDITION,
        publisher=PUBLISHER,
        world=order.world,
        loaded_at=runtime.clock(),
        retrieved_at=min(file.retrieved_at for file in files),
        as_of=min(dated) if dated else None,
        files=files,
        languages=tuple(edition.language for edition in found),
        classes=len(found[0].codes),
        titles={edition.language: len(edition.titles) for edition in found},
        phrases={edition.language: len(edition.phrases) for edition in found},
        notes=received.notes,
    )


def find_naics_problems(load: NaicsLoad, previous: NaicsLoad | None) -> list[Message]:
    """Every reason not to trust a load. The sandbox's table may be of any size."""
    problems: list[Message] = []
    for language in load.languages:
        found = {"classes": load.titles[language], "phrases": load.phrases[language]}
        least = {"classes": MIN_CLASSES, "phrases": MIN_PHRASES} if load.world is World.LIVE else {"classes": 1, "phrases": 1}
        before = {"classes": previous.titles, "phrases": previous.phrases} if previous is not None else {}
        for what, count in found.items():
            if count < least[what]:
                problems.append(
                    Message(
                        "{count:,} {what} ({language}), expected at least {least:,}",
                        count=count,
                        what=_COUNTED[what],
                        language=language.value,
                        least=least[what],
                    )
                )
            had = before.get(what, {}).get(language, 0)
            if load.world is World.LIVE and count < had * (1 - MAX_DROP_SHARE):
                problems.append(
                    Message(
                        "{count:,} {what} ({language}), but the last load had {before:,}",
                        count=count,
                        what=_COUNTED[what],
                        language=language.value,
                        before=had,
                    )
                )
    lost = set(previous.languages) - set(load.languages) if previous is not None else set()
    problems += [Message("no {language} tables, which the last load had", language=_NAMES[language]) for language in sorted(lost)]
    return problems


def _raise_for_problems(problems: list[Message]) -> None:
    if problems:
        message = Message("{source}: {problems}. The last good data stays in use.", source=KEY, problems=join_messages(problems))
        raise RefreshRefused(message)


def _swap(home: Path, load: NaicsLoad, found: Sequence[NaicsEdition]) -> None:
    """Write the new index, verify it, and move the pointer to it."""
    index = build_index(found, load.model_dump(mode="json", by_alias=True))
    descriptor, name = mkstemp(prefix=".draft-", suffix=".npz", dir=home)
    os.close(descriptor)
    draft = Path(name)
    try:
        write_index(index, draft)
        _verify_written_index(draft, load)
        final = home / f"{load.digest[:16]}-{load.loaded_at:%Y%m%dT%H%M%S%f}.npz"
        draft.rename(final)
    finally:
        draft.unlink(missing_ok=True)
    write_pointer(home, final)
    remove_old_files(home)


def _verify_written_index(draft: Path, load: NaicsLoad) -> None:
    """Raise `ParseFailed` if the written index can't be read or differs from its tables."""
    try:
        index = read_index(draft)
        same = len(index.codes) == load.classes and NaicsLoad.model_validate(index.about).digest == load.digest
    except (SegmentCorrupt, ValidationError) as error:
        raise ParseFailed(Message("{source}: the new index can’t be read: {problem}", source=KEY, problem=str(error))) from error
    if not same:
        raise ParseFailed(Message("{source}: the new index differs from its tables", source=KEY))
