"""Find breaking changes between two OpenAPI descriptions; `python -m bonafide.api.description.openapi_diff OLD NEW` prints them.

`python -m bonafide.api.description.openapi_diff OLD NEW` prints it.
A renamed schema is no difference: only what goes over the wire counts.
Requests may not become stricter, answers may not lose or change what a client reads. Whether a break is announced is not known here
(a test compares with `docs/api-changelog.md`).
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bonafide.api.description.schema_diff import (
    BreakingChange,
    DescriptionPair,
    Json,
    MessageDirection,
    SchemaComparator,
    SchemaLocation,
    resolve_reference,
)

_FIRST_ERROR = 400


def compare_descriptions(old: Json, new: Json) -> list[BreakingChange]:
    """The breaks between two documents of OpenAPI 3.1, each once, in the order of the old one.

    What breaks in a schema is told of the first place that has it.
    """
    documents = DescriptionPair(old, new)
    sides = _Comparison(
        documents, SchemaComparator(MessageDirection.REQUEST, documents), SchemaComparator(MessageDirection.ANSWER, documents)
    )
    found = [
        breaking
        for path, methods in old["paths"].items()
        for method, operation in methods.items()
        for breaking in _compare_operation(f"{method.upper()} {path}", operation, new["paths"].get(path, {}).get(method), sides)
    ]
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What all comparisons of two descriptions share."""

    documents: DescriptionPair
    requests: SchemaComparator
    answers: SchemaComparator


def _compare_operation(where: str, old: Json, new: Json | None, sides: _Comparison) -> Iterator[BreakingChange]:
    if new is None:
        yield BreakingChange(where, "the operation is removed")
        return
    if new.get("x-scope") != old.get("x-scope"):
        yield BreakingChange(where, f"needs the scope {new.get('x-scope')} in place of {old.get('x-scope')}")
    before = old.get("x-further-scopes", {})
    for name, scope in new.get("x-further-scopes", {}).items():
        if before.get(name) != scope:
            yield BreakingChange(f"{where} {name}", f"needs the scope {scope}")
    ways = new.get("security", [])
    if any(way not in ways for way in old.get("security", [])) or (ways and not old.get("security")):
        yield BreakingChange(where, "a way to authenticate is no longer accepted")
    yield from _compare_parameters(where, old, new, sides)
    yield from _compare_body(where, old, new, sides)
    yield from _compare_responses(where, old, new, sides)


def _compare_parameters(where: str, old: Json, new: Json, sides: _Comparison) -> Iterator[BreakingChange]:
    before, after = _index_parameters(old, sides.documents.old), _index_parameters(new, sides.documents.new)
    for name, parameter in before.items():
        now = after.get(name)
        if now is None:
            yield BreakingChange(f"{where} {name}", "the parameter is removed")
            continue
        if now.get("required", False) and not parameter.get("required", False):
            yield BreakingChange(f"{where} {name}", "the parameter is now required")
        yield from sides.requests.compare(SchemaLocation(f"{where} {name}"), parameter["schema"], now["schema"])
    for name, parameter in after.items():
        if name not in before and parameter.get("required", False):
            yield BreakingChange(f"{where} {name}", "a new parameter is required")


def _index_parameters(operation: Json, document: Json) -> dict[str, Json]:
    """The parameters by where they stand and what they are called: `query limit`."""
    found = (resolve_reference(parameter, document) for parameter in operation.get("parameters", []))
    return {f"{parameter['in']} {parameter['name']}": parameter for parameter in found}


def _compare_body(where: str, old: Json, new: Json, sides: _Comparison) -> Iterator[BreakingChange]:
    before = resolve_reference(old.get("requestBody", {}), sides.documents.old)
    after = resolve_reference(new.get("requestBody", {}), sides.documents.new)
    if after.get("required", False) and not before.get("required", False):
        yield BreakingChange(f"{where} body", "a body is now required")
    for media_type, media in before.get("content", {}).items():
        if media_type not in after.get("content", {}):
            yield BreakingChange(f"{where} body", f"{media_type} is no longer accepted")
        else:
            now = after["content"][media_type].get("schema", {})
            yield from sides.requests.compare(SchemaLocation(f"{where} body"), media.get("schema", {}), now)


def _compare_responses(where: str, old: Json, new: Json, sides: _Comparison) -> Iterator[BreakingChange]:
    for status, answer in old["responses"].items():
        if status in new["responses"]:
            before, after = (
                resolve_reference(answer, sides.documents.old),
                resolve_reference(new["responses"][status], sides.documents.new),
            )
            yield from _compare_headers(f"{where} {status}", before, after, sides.documents)
            yield from _compare_content(f"{where} {status}", before, after, sides)
        else:
            yield BreakingChange(f"{where} {status}", "is no longer answered")
    for status in new["responses"]:
        # A client handles the successes that it was told of; errors all have one body.
        if status not in old["responses"] and int(status) < _FIRST_ERROR:
            yield BreakingChange(f"{where} {status}", "is a new kind of success")


def _compare_headers(where: str, old: Json, new: Json, documents: DescriptionPair) -> Iterator[BreakingChange]:
    for name, header in old.get("headers", {}).items():
        now = new.get("headers", {}).get(name)
        if now is None:
            yield BreakingChange(f"{where} {name}", "the header is no longer sent")
        elif resolve_reference(header, documents.old).get("required", False) and not resolve_reference(now, documents.new).get(
            "required", False
        ):
            yield BreakingChange(f"{where} {name}", "the header may now be missing")


def _compare_content(where: str, old: Json, new: Json, sides: _Comparison) -> Iterator[BreakingChange]:
    for media_type, media in old.get("content", {}).items():
        if media_type not in new.get("content", {}):
            yield BreakingChange(where, f"is no longer {media_type}")
        else:
            now = new["content"][media_type].get("schema", {})
            yield from sides.answers.compare(SchemaLocation(where), media.get("schema", {}), now)


def main(arguments: list[str]) -> int:
    """Print the breaks between two files, a line for each. The status is 1 when there are any."""
    old, new = (json.loads(Path(name).read_text("utf-8")) for name in arguments)
    found = compare_descriptions(old, new)
    sys.stdout.writelines(f"{one}\n" for one in found)
    return 1 if len(found) > 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
