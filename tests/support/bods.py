"""The published validator of the Beneficial Ownership Data Standard, which runs as a process of its own.

`libcovebods` is under the AGPL: nothing of this repository imports it. Its wheel has the published schema (Apache-2.0) too.

The validator downloads the list of identifier schemes at org-id.guide. The tests answer this request themselves, as its proxy.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import jsonschema_rs
from typing_extensions import override

from tests.support.validators import find_package, run_python

_SCHEMAS = ("statement", "entity-record", "person-record", "relationship-record", "components")


def list_schema_problems(statements: list[dict[str, Any]]) -> list[str]:
    """What the published schema of BODS 0.4 finds."""
    folder = find_package("libcovebods") / "data" / "schema-0-4-0"
    whole, *parts = [json.loads((folder / f"{name}.json").read_text("utf-8")) for name in _SCHEMAS]
    registry = jsonschema_rs.Registry([(part["$id"], part) for part in parts])
    validator = jsonschema_rs.Draft202012Validator(whole, registry=registry, validate_formats=True)
    return [f"{list(error.instance_path)}: {error.message}" for error in validator.iter_errors(statements)]


def list_validator_problems(file: Path) -> list[str]:
    """What `libcovebods` finds in a file: by the schema, and by the rules that the schema doesn't have."""
    find_package("libcovebods")
    problems = _run("jsonschemavalidate", file)
    checks = _run("pythonvalidate", file)
    assert isinstance(checks, dict)
    return [json.dumps(problem) for problem in [*problems, *checks["additional_checks"]]]


def _run(command: str, file: Path) -> Any:
    with _scheme_list() as proxy:
        return json.loads(run_python(["-m", "libcovebods.cli", command, str(file)], environment={"http_proxy": proxy}))


class _SchemeList(BaseHTTPRequestHandler):
    """Answers every request with a list of identifier schemes. An export names no scheme of org-id.guide."""

    def do_GET(self) -> None:
        content = json.dumps({"lists": []}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    @override
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def _scheme_list() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _SchemeList)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
