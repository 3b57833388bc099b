"""The API reference as one HTML page, made from the OpenAPI description alone: what is not described there is not on it."""

import json
from collections.abc import Iterator
from typing import Any

from bonafide.api.markup import Markup, joined, prose, tag
from bonafide.api.page import page, table
from bonafide.api.schema_text import kind

Json = dict[str, Any]


def reference_page(document: Json) -> str:
    """The whole page."""
    components = document["components"]
    return page(
        f"{document['info']['title']} API {document['info']['version']}",
        *_paragraphs(document["info"]["description"]),
        _contents(document),
        *_headers(components["headers"]),
        *_errors(components["examples"]),
        *(_operation(method, path, operation, components) for method, path, operation in _operations(document)),
        tag("h2", "Schemas", id="schemas"),
        *(_schema(name, schema) for name, schema in components["schemas"].items()),
    )


def _operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def _paragraphs(text: str) -> list[Markup]:
    return [tag("p", prose(paragraph.replace("\n", " "))) for paragraph in text.split("\n\n")]


def _contents(document: Json) -> Markup:
    rows: list[list[str]] = [
        [tag("code", method), tag("a", tag("code", path), href=f"#{operation['operationId']}"), operation["summary"]]
        for method, path, operation in _operations(document)
    ]
    return table(["Method", "Path", "Purpose"], rows)


def _headers(headers: Json) -> list[Markup]:
    rows: list[list[str]] = [[tag("code", name), prose(header["description"])] for name, header in headers.items()]
    return [tag("h2", "Headers of answers", id="headers"), table(["Header", "Meaning"], rows)]


def _errors(examples: Json) -> list[Markup]:
    errors = [example["value"] for example in examples.values() if "code" in example["value"]]
    rows: list[list[str]] = [[tag("code", error["code"]), prose(error["error"])] for error in errors]
    return [tag("h2", "Errors", id="errors"), table(["Code", "For example"], rows)]


def _operation(method: str, path: str, operation: Json, components: Json) -> Markup:
    return tag(
        "section",
        tag("h2", tag("span", method, class_="method"), tag("code", path), id=operation["operationId"]),
        tag("p", operation["summary"]),
        *_paragraphs(operation["description"]),
        tag("p", "Scope ", tag("code", operation["x-scope"]), class_="soft"),
        *_parameters([_resolved(parameter, components) for parameter in operation["parameters"]]),
        *_request_body(operation, components["examples"]),
        *_answers(operation["responses"], components["examples"]),
    )


def _resolved(parameter: Json, components: Json) -> Json:
    if "$ref" not in parameter:
        return parameter
    found: Json = components["parameters"][parameter["$ref"].rpartition("/")[2]]
    return found


def _parameters(parameters: list[Json]) -> list[Markup]:
    rows: list[list[str]] = [
        [
            tag("code", parameter["name"]),
            parameter["in"] + (", required" if parameter.get("required", False) else ""),
            kind(parameter["schema"]),
            prose(parameter["description"]),
        ]
        for parameter in parameters
    ]
    return [tag("h3", "Parameters"), table(["Name", "In", "Type", "Meaning"], rows)]


def _request_body(operation: Json, examples: Json) -> list[Markup]:
    if "requestBody" not in operation:
        return []
    media = operation["requestBody"]["content"]["application/json"]
    return [tag("h3", "Body: ", kind(media["schema"])), *(_code(examples[name]["value"]) for name in media["examples"])]


def _answers(answers: Json, examples: Json) -> list[Markup]:
    return [part for status, answer in answers.items() for part in _answer(status, answer, examples)]


def _answer(status: str, answer: Json, examples: Json) -> list[Markup]:
    media = answer.get("content", {}).get("application/json")
    if media is None:
        types = "".join(f" ({media_type})" for media_type in answer.get("content", {}))
        return [tag("h3", f"{status} ", prose(answer["description"] + types))]
    shown = [_code(examples[name]["value"]) for name in media["examples"]]
    heading = tag("h3", f"{status} ", prose(answer["description"]), ": ", kind(media["schema"]))
    return [heading, tag("details", tag("summary", "Example"), *shown)]


def _code(value: Any) -> Markup:
    return tag("pre", tag("code", json.dumps(value, indent=2, ensure_ascii=False)))


def _schema(name: str, schema: Json) -> Markup:
    required = schema.get("required", [])
    rows: list[list[str]] = [
        [tag("code", field), "required" if field in required else "", kind(about), prose(about.get("description", ""))]
        for field, about in schema.get("properties", {}).items()
    ]
    content = table(["Field", "", "Type", "Meaning"], rows) if len(rows) > 0 else tag("p", kind(schema))
    return joined(tag("h3", name, id=name), tag("p", prose(schema.get("description", ""))), content)
