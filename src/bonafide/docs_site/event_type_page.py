"""Write the reference page of the event types (`docs/reference/events.md`) to standard output.

Everything comes from the catalogue (`model/events/event_types`).
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from bonafide.model.events.event import EventType
from bonafide.model.events.event_types import EVENT_TYPES, EventTypeSpec, build_data_schema, build_example

INTRODUCTION = """# Events

Generated from the code (`make docs`); do not edit. [Read events](../howto/read-events.md) explains the feed. `GET /v1/event-types`
returns the same catalogue to programs, with a JSON schema of the `data` of each type.

Every event has `id`, `type`, `sequence`, `occurredAt`, `severity` (`info`, `low`, `medium`, `high`, `critical`), `business` (the
business record, or null), `subject` (what it is about), `changes` (fields with their values before and after), `source` (according
to which source, and how old its data is), `data` and `links`. Fields that a kind of subject does not have are null.

| Type | Severity | Recorded when |
|---|---|---|
"""


def render_page() -> str:
    """The whole page, in Markdown."""
    rows = [
        f"| [`{kind}`](#{_build_anchor(kind)}) | `{spec.severity}` | {spec.description} |" for kind, spec in EVENT_TYPES.items()
    ]
    return INTRODUCTION + "\n".join([*rows, "", *(_render_type(kind, spec) for kind, spec in EVENT_TYPES.items())])


def _build_anchor(kind: str) -> str:
    return kind.replace(".", "")


def _render_type(kind: EventType, spec: EventTypeSpec) -> str:
    schema = build_data_schema(spec.data)
    example = json.loads(build_example(kind).to_json())
    return "\n".join([
        f"## {kind}",
        "",
        spec.description,
        "",
        "| Field of `data` | Type | Meaning |",
        "|---|---|---|",
        *_list_fields(schema, ""),
        "",
        "```json",
        json.dumps(example, indent=2, ensure_ascii=False),
        "```",
        "",
    ])  # fmt: skip


def _list_fields(schema: Any, prefix: str) -> Iterator[str]:
    for name, field in schema["properties"].items():
        yield f"| `{prefix}{name}` | {_name_type(field)} | {field.get('description', '')} |"
        if "properties" in field:
            yield from _list_fields(field, f"{prefix}{name}.")


def _name_type(field: Any) -> str:
    """The JSON type of a field, its format, and the values of an enumeration."""
    if "anyOf" in field:
        return " or ".join(_name_type(choice) for choice in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if field["type"] == "array":
        return f"array of {_name_type(field['items'])}"
    described: str = field["type"]
    return f"{described} ({field['format']})" if "format" in field else described


if __name__ == "__main__":
    sys.stdout.write(render_page())
