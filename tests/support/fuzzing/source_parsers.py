"""The parsers of sources: files of every folder, pages in which it reads what there is, what live ones answer, canonical imports.

Only what is in the folders is found; no file is downloaded.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.services.indexing.index_documents import build_index_document
from bonafide.sources.canonical.parser import CanonicalMapping as ColumnMapping
from bonafide.sources.canonical.parser import load_mapping, parse_canonical
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.discovery import Source, discover_sources, download_all
from bonafide.sources.framework.live import LiveContext, LiveQuery, RegistrationQuery
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide_sandbox.generator.business import BusinessKind, SandboxBusiness
from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.protocols import ENDPOINTS, ProtocolRequest
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.directory import BusinessDirectory
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from tests.support.fuzzing.parsers import Make, Parser, Workshop
from tests.support.fuzzing.seeds import SeedFile, chosen, few_of, saved_files, world_files
from tests.support.paths import SOURCE_TESTS

T = TypeVar("T")
RETRIEVED_AT = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
MAPPING = b"""columns: {legal_name: Name, registration_number: Number}
ignored: [Other]
statuses: {alive: active}
date_formats: ["%d.%m.%Y"]
list_separator: "|"
encoding: cp1252
delimiter: ";"
defaults: {status: alive}
"""
MAPPED = "Name;Number;Other;status\nHeron Ltée;123456;x;alive\n".encode("cp1252")


def parsers() -> Mapping[str, Make]:
    """Of every source that is there."""
    found: dict[str, Make] = {}
    for key, source in discover_sources().items():
        if source.parse is not None:
            found[f"source:{key}"] = partial(_files, source)
        if source.fetch not in {None, download_all}:
            found[f"pages:{key}"] = partial(_pages, source)
        if source.live is not None:
            found[f"live:{key}"] = partial(_live, source)
    canonical = {f"canonical:{name}": partial(_canonical, name) for name in ("csv", "jsonl", "parquet")}
    return {**found, **canonical, "canonical:mapping": _mapping}


# ------------------------------------------------------------------------------------------------------------ files


@dataclass(frozen=True, slots=True)
class _Case:
    """A file that is to be read, and others that stand before and behind it."""

    file: SeedFile
    before: Sequence[Resource] = ()
    behind: Sequence[Resource] = ()


def _files(source: Source, workshop: Workshop) -> Parser:
    own = [
        file
        for file in world_files(workshop.world, source.key, DeliveryRoute.DOWNLOAD, DeliveryRoute.FILE)
        if file.name != "register"
    ]
    saved = [file for file in saved_files(source.key) if file.name != "entries"]
    sets = [own[-8:], *([file for file in saved if file.suffix == suffix] for suffix in sorted({file.suffix for file in saved}))]
    cases = [_Case(file) for file in (*own[-8:], *saved)]
    cases += [case for number, files in enumerate(sets) if len(files) > 1 for case in _together(files, workshop, f"set-{number}")]
    return Parser(partial(_read_file, source, cases, workshop), chosen(0, (case.file.content for case in cases)))


def _together(files: Sequence[SeedFile], workshop: Workshop, folder: str) -> list[_Case]:
    """Each file among the others of its set."""
    resources = [_written(workshop, file, folder) for file in files]
    return [_Case(file, resources[:at], resources[at + 1 :]) for at, file in enumerate(files)]


def _written(workshop: Workshop, file: SeedFile, folder: str) -> Resource:
    path = workshop.scratch / folder / file.place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.content)
    return _resource(file.name, path, len(file.content))


def _resource(name: str, path: Any, size: int) -> Resource:
    return Resource(name, path, f"https://register.example/{name}", RETRIEVED_AT, "0" * 64, size)


def _read_file(source: Source, cases: Sequence[_Case], workshop: Workshop, data: bytes) -> None:
    if not data or not cases:
        return
    case = cases[data[0] % len(cases)]
    resources = [*case.before, _written(workshop, replace(case.file, content=data[1:]), "input"), *case.behind]
    context = ParseContext(source.metadata)
    assert source.parse is not None
    _account(source.parse(resources, context), context)


def _account(entries: Any, context: ParseContext) -> None:
    """Read to the end, as a load does: every entry fits the index, and every row is accounted for."""
    count = 0
    for entry in entries:
        build_index_document(entry)
        entry.to_json()
        count += 1
    report = context.report
    assert report.rows == count + report.merged + report.rejected, f"{report.rows} rows, {count} entries, {report}"


# ------------------------------------------------------------------------------------------------------------ canonical


def _canonical(form: str, workshop: Workshop) -> Parser:
    folder = SOURCE_TESTS / "canonical"
    if form == "parquet":
        path = workshop.scratch / "seed.parquet"
        table = pyarrow.csv.read_csv(folder / "sample.csv")
        pyarrow.parquet.write_table(table.slice(0, 4), path)
        pyarrow.parquet.write_table(pa.table({"legal_name": ["A"], "registration_number": [1]}), workshop.scratch / "small.parquet")
        seeds = [path.read_bytes(), (workshop.scratch / "small.parquet").read_bytes()]
    else:
        seeds = [few_of((folder / f"sample.{form}").read_bytes(), f".{form}")]
    return Parser(partial(_read_canonical, form, workshop), seeds)


def _read_canonical(form: str, workshop: Workshop, data: bytes, mapping: ColumnMapping | None = None) -> None:
    path = workshop.scratch / f"canonical.{form}"
    path.write_bytes(data)
    context = ParseContext(discover_sources()["nl"].metadata)
    _account(parse_canonical([_resource(path.name, path, len(data))], context, mapping), context)


def _mapping(workshop: Workshop) -> Parser:
    def run(data: bytes) -> None:
        path = workshop.scratch / "mapping.yml"
        path.write_bytes(data)
        _read_canonical("csv", workshop, MAPPED, load_mapping(path))

    return Parser(run, [MAPPING, b"{}", b"columns: {}\n"])


# ------------------------------------------------------------------------------------------------------------ pages


def _pages(source: Source, workshop: Workshop) -> Parser:
    pages = [file.content for file in world_files(workshop.world, source.key, DeliveryRoute.PAGE)] or [b"[]", b"<html></html>"]
    pages += [file.content for file in saved_files(source.key) if file.suffix in {".html", ".json"} and len(file.content) < 50_000]
    seeds = [seed for number in range(3) for seed in (bytes([number]) + page for page in pages)]
    return Parser(partial(_read_pages, source, pages, workshop), seeds)


def _read_pages(source: Source, pages: Sequence[bytes], workshop: Workshop, data: bytes) -> None:
    """One of the answers is the input; all others are pages of the source, in turn."""
    if not data:
        return
    asked = 0

    def answer() -> bytes:
        nonlocal asked
        asked += 1
        assert asked < 5_000, "it asks and asks"
        return data[1:] if asked == data[0] % 4 + 1 else pages[(asked - 1) % len(pages)]

    async def read(_url: str) -> bytes:
        return answer()

    async def download(resource: ResourceMetadata) -> Resource:
        path = workshop.scratch / f"{resource.name}.{resource.format}"
        path.write_bytes(content := answer())
        return _resource(resource.name, path, len(content))

    assert source.fetch is not None
    _loop().run(_finish(source.fetch(FetchContext(source.metadata.model_copy(update={"pause_s": 0.0}), download, read))))


@cache
def _loop() -> asyncio.Runner:
    """One for all inputs: some read their pages in a thread."""
    return asyncio.Runner()


async def _finish(call: Awaitable[T]) -> T:
    return await call


def _driven(call: Awaitable[T]) -> T:
    """What a call returns that has nothing to wait for, in a tenth of the time that a loop would take."""
    coroutine = _finish(call)
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    coroutine.close()
    raise AssertionError("it waits for something")


# ------------------------------------------------------------------------------------------------------------ live


@dataclass(frozen=True, slots=True)
class _Question:
    """A look-up and the true answers to all that it asks."""

    put: Callable[[LiveContext], Awaitable[object]]
    answers: Sequence[SourceResponse]


def _live(source: Source, workshop: Workshop) -> Parser:
    directory = BusinessDirectory(workshop.world, DEFAULT_SEED)
    live = source.live
    assert live is not None
    puts: list[Callable[[LiveContext], Awaitable[object]]] = []
    for business in _wanted(source):
        if live.find is not None:
            puts += [
                partial(live.find, LiveQuery(business.name, business.number)),
                partial(live.find, LiveQuery(None, business.number)),
            ]
        if live.report is not None:
            puts.append(partial(live.report, RegistrationQuery(business.register, business.number)))
    questions = [_Question(put, _recorded(source, put, directory)) for put in puts]
    cases = [(question, at) for question in questions for at in range(len(question.answers))]
    seeds = chosen(0, (few_of(question.answers[at].body, ".json") for question, at in cases))
    return Parser(partial(_read_answer, source, cases), seeds)


def _wanted(source: Source) -> list[SandboxBusiness]:
    own = source.metadata.jurisdiction
    register = own if own is not None else Jurisdiction.ON
    known = (b for b in create_businesses(DEFAULT_SEED, 0, 1000) if b.register is register and b.kind is BusinessKind.COMPANY)
    return [business for business, _ in zip(known, range(2), strict=False)]


def _recorded(
    source: Source, put: Callable[[LiveContext], Awaitable[object]], directory: BusinessDirectory
) -> list[SourceResponse]:
    answers: list[SourceResponse] = []

    async def ask(call: SourceRequest) -> SourceResponse:
        answers.append(_said(call, directory))
        return answers[-1]

    _driven(put(_context(source, ask)))
    return answers


def _said(call: SourceRequest, directory: BusinessDirectory) -> SourceResponse:
    """What the sandbox's register answers."""
    url = urlsplit(call.url)
    address = f"{url.netloc}{url.path}"
    endpoint = max((known for known in ENDPOINTS if address.startswith(known.prefix)), key=lambda known: len(known.prefix))
    body = b"" if call.json is None else json.dumps(call.json).encode()
    headers = {name.lower(): value for name, value in call.headers.items()}
    asked = ProtocolRequest(call.method, address.removeprefix(endpoint.prefix), dict(call.params), headers, body)
    response = endpoint.answer(asked, directory)
    return SourceResponse(call, response.status_code, response.headers["content-type"], bytes(response.body), RETRIEVED_AT)


def _context(source: Source, ask: Any) -> LiveContext:
    return LiveContext(source.metadata, ask, "a key")


def _read_answer(source: Source, cases: Sequence[tuple[_Question, int]], data: bytes) -> None:
    if not data or not cases:
        return
    question, at = cases[data[0] % len(cases)]
    asked = 0

    async def ask(call: SourceRequest) -> SourceResponse:
        nonlocal asked
        asked += 1
        assert asked < 100, "it asks and asks"
        true = question.answers[min(asked - 1, len(question.answers) - 1)]
        return replace(true, call=call, body=data[1:] if asked - 1 == at else true.body)

    _driven(question.put(_context(source, ask)))
