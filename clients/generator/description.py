"""The parts of the OpenAPI description that the client libraries are generated from."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

METHODS = ("get", "put", "post", "patch", "delete")
JSON_TYPE = "application/json"
_ALIAS = "Alias"
"""Operations at a second path end with it. The clients have the first path only."""
_HEADERS_OF_THE_CLIENT = frozenset({"Accept-Language", "X-Request-Id"})
"""Headers that are options of a client, not of each call."""
_REPLACED_QUERY = frozenset({"updated_since", "external_id"})
"""Second spellings of query parameters."""
_FORMAT = "format"
"""The query parameter that replaces a JSON response with a file. The clients have methods of their own for it."""
_NOT_GENERATED = frozenset(
    {"examples", "example", "title", "maxLength", "minLength", "pattern", "maximum", "minimum", "maxItems", "minItems"}
)
"""What does not change the clients' code."""
_PATH_PARAMETER = re.compile(r"\{(\w+)\}")


def simplify_description(description: Json) -> Json:
    """A description with only what the clients need.

    - Operations at a second path are left out.
    - Path parameters are called by what they identify: `searchId` instead of `id`.
    - Successful JSON responses remain; other content becomes one binary response where there is no JSON.
    """
    schemas: Json = {name: _strip(schema) for name, schema in description["components"]["schemas"].items()}
    paths: Json = {}
    for path, methods in description["paths"].items():
        for method in METHODS:
            operation = methods.get(method)
            if operation is not None and not operation["operationId"].endswith(_ALIAS):
                simplified, new_path = _simplify_operation(operation, path, description)
                paths.setdefault(new_path, {})[method] = simplified
    used = _list_reachable(schemas, _list_references(paths))
    return {
        "openapi": description["openapi"],
        "info": {"title": description["info"]["title"], "version": description["info"]["version"]},
        "paths": paths,
        "components": {"schemas": {name: schema for name, schema in schemas.items() if name in used}},
        "tags": description["tags"],
    }


def require_properties_of_responses(simplified: Json, paths: Json) -> None:
    """Make all properties required in schemas that no request has: a response has those with a default too.

    Defaults remain if they are single values, for responses that were stored by an earlier version.
    """
    schemas = simplified["components"]["schemas"]
    requested = _list_reachable(schemas, _list_references([operation.get("requestBody") for operation in _list_operations(paths)]))
    for name, schema in schemas.items():
        if name not in requested and "properties" in schema:
            schema["required"] = list(schema["properties"])
            for value in schema["properties"].values():
                if not isinstance(value.get("default"), bool | int | str):
                    value.pop("default", None)


def compute_digest(simplified: Json) -> str:
    """The SHA-256 digest of a simplified description, which the generated files name."""
    return hashlib.sha256(json.dumps(simplified, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _simplify_operation(operation: Json, path: str, description: Json) -> tuple[Json, str]:
    responses = _simplify_responses(operation["responses"])
    has_json = any(JSON_TYPE in response["content"] for response in responses.values())
    left_out = _HEADERS_OF_THE_CLIENT | _REPLACED_QUERY | ({_FORMAT} if has_json else frozenset())
    parameters: list[Json] = []
    for given in operation.get("parameters", []):
        parameter = dict(given)
        if "$ref" in given:
            name = given["$ref"].rsplit("/", 1)[1]
            parameter = dict(description["components"]["parameters"][name])
            if parameter["in"] == "path":
                path_name = name[0].lower() + name[1:]
                path = path.replace(f"{{{parameter['name']}}}", f"{{{path_name}}}")
                parameter["name"] = path_name
        if parameter["name"] not in left_out:
            parameters.append({**_strip(parameter), "schema": _strip(parameter["schema"])})
    # In the order of the path, whatever the order of the description.
    order = _PATH_PARAMETER.findall(path)
    parameters.sort(key=lambda parameter: order.index(parameter["name"]) if parameter["in"] == "path" else len(order))
    simplified: Json = {
        "operationId": operation["operationId"],
        "tags": operation["tags"],
        "summary": operation["summary"],
        "description": operation.get("description", ""),
        "parameters": parameters,
        "responses": responses,
    }
    content = operation.get("requestBody", {}).get("content", {})
    if JSON_TYPE in content:
        simplified["requestBody"] = {"required": True, "content": {JSON_TYPE: {"schema": _strip(content[JSON_TYPE]["schema"])}}}
    return simplified, path


def _simplify_responses(responses: Json) -> Json:
    simplified: Json = {}
    for status, response in responses.items():
        if not status.startswith(("2", "3")):
            continue
        content = response.get("content", {})
        kept: Json = {}
        if JSON_TYPE in content:
            kept = {JSON_TYPE: {"schema": _strip(content[JSON_TYPE]["schema"])}}
        elif content or status.startswith("3"):
            kept = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        simplified[status] = {"description": response["description"], "content": kept}
    return simplified


def _strip(node: Any) -> Any:
    """A copy without what does not change the code. Names of properties are kept, whatever they are."""
    if isinstance(node, list):
        return [_strip(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: _strip(schema) for name, schema in value.items()} if key == "properties" else _strip(value)
        for key, value in node.items()
        if key not in _NOT_GENERATED
    }


def _list_operations(paths: Json) -> Iterator[Json]:
    for methods in paths.values():
        yield from methods.values()


def _list_references(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*(_list_references(entry) for entry in node))
    if not isinstance(node, dict):
        return set()
    found = set().union(*(_list_references(value) for value in node.values()))
    if isinstance(node.get("$ref"), str):
        found.add(node["$ref"].rsplit("/", 1)[1])
    return found


def _list_reachable(schemas: Json, names: set[str]) -> set[str]:
    """The names, and those of all schemas that they refer to."""
    reached: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(_list_references(schemas[name]))
    return reached
