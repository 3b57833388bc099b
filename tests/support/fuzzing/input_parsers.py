"""The parsers of what callers and operators send: bodies, queries and headers of the API, files of records, tokens, numbers, names,
settings; and the index, of what they search for and of files that were damaged.
"""

import io
import json
import os
import shutil
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from inspect import getclosurevars
from pathlib import Path
from typing import Any
from uuid import UUID

from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from pydantic_settings import SettingsError
from starlette.requests import Request

from bonafide.api.openapi import build_openapi
from bonafide.api.protocol.dependencies import prefers_pdf
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import _check_json_object, _validate
from bonafide.api.protocol.unknown_fields import format_warning
from bonafide.api.routes import ROUTERS
from bonafide.index import Facets, IndexDocument, create_address_query, create_business_query, create_person_query
from bonafide.index.build.segment_builder import build_segment
from bonafide.index.search.segment import IndexSegment
from bonafide.matching.addresses.address_comparison import compare_addresses, parse_address
from bonafide.matching.entries.index_terms import build_address_terms, build_business_terms, build_person_terms
from bonafide.matching.entries.register_codes import parse_home_jurisdiction
from bonafide.matching.identifiers.number_formats import find_number_problem, parse_business_number
from bonafide.matching.identifiers.number_matching import build_number_keys, compare_numbers, is_lei, is_luhn_valid
from bonafide.matching.names.normalization import normalise, separate_lines
from bonafide.matching.people.person_name_parsing import parse_listed_person_name, parse_person_name
from bonafide.model.entity import Address
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.runtime import Runtime, build_files
from bonafide.services.records.change_feed import START as FEED_START
from bonafide.services.records.change_feed import decode_cursor, encode_cursor
from bonafide.services.records.csv_reader import RecordRow, read_records
from bonafide.services.reports.signed_urls import sign_url, verify_token
from bonafide.settings import Settings
from bonafide.store.database.engine import Store
from bonafide.web.accept_language import parse_accept_language
from bonafide.web.client_address import ClientAddressResolver
from bonafide.web.csrf import is_same_origin, is_valid
from tests.support.fuzzing.parsers import Make, Parser, Workshop
from tests.support.fuzzing.seeds import chosen

NOW = datetime(2026, 11, 20, 14, 33, tzinfo=UTC)
NAMES = (
    "Heron & Fils Ltée",
    "1234567 Canada Inc.",
    "S.E.N.C.R.L. Tremblay, Roy et associés",
    "The O'Neill-Smith (2019) Limited Partnership o/a Heron",
    "Ünïcödé 株式会社 ΣΊΣΥΦΟΣ İstanbul",
    "Dr. Jean-Baptiste de la Salle III, B.A.",
)
NUMBERS = ("123456782RC0001", "1234567-8", "BC0123456", "NEQ 1160000017", "549300MLUDYVRQOOXS22", "832815864-141006", "IMO 9074729")
PLACES = (
    "1-123 rue Saint-Denis, Montréal (Québec) H2J 2L4",
    "Suite 200, 100 King St W, Toronto ON M5X1A9",
    "RR 2, PO Box 45",
    "Apt. B, 12½ 1er Rang N.",
)
RECORDS = (
    "name,externalId,jurisdiction,registrationNumber,operatingNames,isMonitored\n"
    "Heron Ltée,a-1,QC,1160000017,Le Héron; Heron,oui\n"
    '"Cod, ""Capelin"" Inc.",a-2,NL,77001,,false\n'
)
ENVIRONMENT = b"""BONAFIDE_LOOKUP_TIMEOUT_S=3
BONAFIDE_ACCEPTED_TERMS={"cbr": "2026-11"}
BONAFIDE_SOURCE_KEYS={"fed": "x"}
BONAFIDE_BASE_URL=https://bonafide.example
BONAFIDE_TRUSTED_PROXIES=10.0.0.0/8
"""


def parsers() -> Mapping[str, Make]:
    """By name."""
    return {
        **{f"body:{model.__name__}": partial(_body, model, seeds) for model, seeds in _bodies().items()},
        **{f"query:{model.__name__}": partial(_query, model) for model in _models("create_query_parser")},
        "headers:all": lambda _: Parser(_read_headers, [b"text/html;q=0.5, application/pdf", b"fr-CA,fr;q=0.9", b"10.0.0.1, ::1"]),
        "records:csv": lambda _: Parser(_read_record_file, [RECORDS.encode(), RECORDS.replace(",", ";").encode("utf-8-sig")]),
        "token:document": _documents,
        "token:cursor": lambda _: Parser(_read_cursor, [encode_cursor(FEED_START).encode()]),
        "text:names": lambda _: Parser(_read_names, [text.encode() for text in NAMES]),
        "text:numbers": lambda _: Parser(_read_numbers, [text.encode() for text in NUMBERS]),
        "text:addresses": lambda _: Parser(_read_place, [text.encode() for text in PLACES]),
        "settings:environment": lambda _: Parser(_read_settings, [ENVIRONMENT]),
        "index:search": _searches,
        "index:files": _damaged,
    }


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


# ------------------------------------------------------------------------------------------------------------ the API


def _models(maker: str) -> dict[type[BaseModel], APIRoute]:
    """The models that routes read their bodies, or their queries, as."""
    found: dict[type[BaseModel], APIRoute] = {}
    for route in (route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)):
        for dependency in route.dependant.dependencies:
            if dependency.call is not None and dependency.call.__qualname__.startswith(f"{maker}."):
                found[getclosurevars(dependency.call).nonlocals["model"]] = route
    return found


def _bodies() -> dict[type[BaseModel], list[bytes]]:
    """Each model with the bodies that the documentation shows."""
    document = build_openapi()
    paths, shown = document["paths"], document["components"]["examples"]
    found: dict[type[BaseModel], list[bytes]] = {}
    for model, route in _models("create_body_parser").items():
        operation = paths[route.path][min(route.methods or ()).lower()]
        names = operation["requestBody"]["content"]["application/json"]["examples"]
        found[model] = [b"{}", *(json.dumps(shown[name]["value"]).encode() for name in names)]
    return found


def _body(model: type[Any], seeds: list[bytes], _workshop: Workshop) -> Parser:
    def run(data: bytes) -> None:
        _check_json_object(data)
        # The lenient path begins with the strict one.
        parsed = _validate(model, data, lenient=True)
        parsed.document.model_dump_json()
        format_warning(parsed.ignored).encode("ascii")

    return Parser(run, seeds)


def _query(model: type[Any], _workshop: Workshop) -> Parser:
    read = create_query_parser(model)
    names = "&".join(f"{field.alias or name}=1" for name, field in model.model_fields.items())

    def run(data: bytes) -> None:
        with suppress(StopIteration):
            coroutine = read(Request({"type": "http", "query_string": data, "headers": []}))
            assert isinstance(coroutine, Coroutine)
            coroutine.send(None)

    return Parser(run, [names.encode(), b"limit=25&cursor=abc&updated_since=2026-11-20T00%3A00%3A00Z"])


def _read_headers(data: bytes) -> None:
    text = data.decode("latin-1")
    prefers_pdf(text)
    parse_accept_language(text)
    is_same_origin({"origin": text}, "https://bonafide.example")
    is_valid(b"x" * 32, text)
    ClientAddressResolver("127.0.0.1").find({"type": "http", "client": ("127.0.0.1", 1), "headers": [(b"x-forwarded-for", data)]})


def _read_record_file(data: bytes) -> None:
    for row in read_records(io.BytesIO(data)).rows:
        assert row.line > 0
        assert isinstance(row, RecordRow) or len(row.problems) > 0


# ------------------------------------------------------------------------------------------------------------ tokens


def _documents(workshop: Workshop) -> Parser:
    settings = Settings(data_dir=workshop.scratch)
    runtime = Runtime(
        settings,
        Store.open(f"sqlite+aiosqlite:///{workshop.scratch / 'store.sqlite3'}"),
        build_files(settings),
        b"north",
        {},
        {},
        lambda: NOW,
    )
    organization = UUID(int=1)
    token = sign_url(runtime, organization, "report:x").url.rpartition("/")[2]

    def run(data: bytes) -> None:
        # Only what was signed opens, whichever way it is written.
        assert verify_token(runtime, _text(data)) == (organization, "report:x")

    return Parser(run, [token.encode()])


def _read_cursor(data: bytes) -> None:
    assert encode_cursor(decode_cursor(_text(data))).encode() == data


# ------------------------------------------------------------------------------------------------------------ texts


def _read_names(data: bytes) -> None:
    text = _text(data)
    assert normalise(text) == normalise(text)
    separate_lines(text)
    parse_person_name(text)
    parse_listed_person_name(text)
    for make in (build_business_terms, build_person_terms):
        make([text])


def _read_numbers(data: bytes) -> None:
    text = _text(data)
    build_number_keys(text)
    find_number_problem(text)
    parse_business_number(text)
    is_lei(text)
    compare_numbers(text, text[::-1])
    parse_home_jurisdiction(text, Jurisdiction.BC)
    if text.isdecimal():
        is_luhn_valid(text)


def _read_place(data: bytes) -> None:
    text = _text(data)
    parts = (text.split(",") + [""] * 4)[:4]
    stated = Address(street=parts[0], city=parts[1], province=parts[2], postal_code=parts[3], raw=text)
    parse_address(stated)
    compare_addresses(stated, Address(raw=text[::-1]))
    build_address_terms([text])


def _read_settings(data: bytes) -> None:
    """Lines of an environment; what can't be is refused by the library of settings, which the command line tells."""
    before = dict(os.environ)
    try:
        for line in _text(data).splitlines():
            name, mark, value = line.partition("=")
            if mark and name.startswith("BONAFIDE_") and "\0" not in line and name.isascii():
                os.environ[name] = value
        Settings()
    except (ValidationError, SettingsError):
        pass
    finally:
        os.environ.clear()
        os.environ.update(before)


# ------------------------------------------------------------------------------------------------------------ the index


def _built(workshop: Workshop) -> Path:
    documents = [
        IndexDocument(
            str(at), b"{}", (name,), (name,), (PLACES[at % len(PLACES)],), (NUMBERS[at],), facets=Facets("BC", "active", "")
        )
        for at, name in enumerate(NAMES)
    ]
    folder = workshop.scratch / "segment"
    shutil.rmtree(folder, ignore_errors=True)
    build_segment(folder, documents)
    return folder


def _asked_all(segment: IndexSegment, text: str) -> None:
    for ask in (create_business_query, create_person_query, create_address_query):
        for hit in segment.search(ask(text), 10):
            segment.payload(hit.document)
    segment.lookup(text)
    segment.complete(text, 10)


def _searches(workshop: Workshop) -> Parser:
    segment = IndexSegment.open(_built(workshop))

    def run(data: bytes) -> None:
        _asked_all(segment, _text(data)[:5000])

    return Parser(run, [text.encode() for text in (*NAMES, *NUMBERS, *PLACES)])


def _damaged(workshop: Workshop) -> Parser:
    """A file of a segment that is not what was written: it is refused, or it was no damage."""
    whole = _built(workshop)
    files = sorted(path for path in whole.iterdir() if path.is_file())
    contents = [path.read_bytes() for path in files]

    def run(data: bytes) -> None:
        if not data:
            return
        at = data[0] % len(files)
        files[at].write_bytes(data[1:])
        try:
            _asked_all(IndexSegment.open(whole), NAMES[0])
        finally:
            files[at].write_bytes(contents[at])

    return Parser(run, chosen(0, contents))
