"""Sample requests as programs that use the client libraries.

The libraries name their methods after the operations: `createSearch` is `create_search` in Python. IDs of the path come first, then
the body, then query parameters.
"""

import json
import re
from typing import Any

from bonafide.docs_site.request_samples import RequestSample

_WIDTH = 88
"""The longest literal on one line."""
_INDENT = " " * 4
_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def render_python(sample: RequestSample, base_url: str) -> str:
    """The request as a program, which reads the key from the environment."""
    arguments = [_format_literal(value) for value in sample.path_values]
    if sample.body is not None:
        arguments.append(_format_literal(sample.body, _INDENT))
    arguments += [f"{_to_snake_case(name)}={_format_literal(value)}" for name, value in sample.query_values.items()]
    call = f"client.{_to_snake_case(sample.operation_id)}({', '.join(arguments)})"
    imports = ["import os"] + ["from pathlib import Path"] * (sample.saves_as is not None)
    lines = [
        *imports,
        "",
        "from bonafide_client import BonafideClient",
        "",
        f'with BonafideClient("{base_url}", os.environ["KEY"]) as client:',
    ]
    if sample.saves_as is not None:
        lines += [f"{_INDENT}content = {call}", f'Path("{sample.saves_as}").write_bytes(content)']
    elif sample.has_answer:
        lines += [f"{_INDENT}result = {call}", "print(result.to_dict())"]
    else:
        lines.append(f"{_INDENT}{call}")
    return "\n".join(lines) + "\n"


def render_typescript(sample: RequestSample, base_url: str) -> str:
    """The request as a program for Node.js, which reads the key from the environment."""
    arguments = [json.dumps(value) for value in sample.path_values]
    if sample.body is not None:
        arguments.append(sample.body_text)
    if sample.query_values:
        arguments.append(f"{{ {', '.join(f'{name}: {json.dumps(value)}' for name, value in sample.query_values.items())} }}")
    call = f"await client.{sample.operation_id}({', '.join(arguments)});"
    lines = ['import { writeFile } from "node:fs/promises";', ""] if sample.saves_as is not None else []
    lines += [
        'import { BonafideClient } from "bonafide-client";',
        "",
        f'const client = new BonafideClient({{ baseUrl: "{base_url}", key: process.env.KEY ?? "" }});',
    ]
    if sample.saves_as is not None:
        lines += [f"const content = {call}", f'await writeFile("{sample.saves_as}", content);']
    elif sample.has_answer:
        lines += [f"const result = {call}", "console.log(result);"]
    else:
        lines.append(call)
    return "\n".join(lines) + "\n"


def _format_literal(value: Any, indent: str = "") -> str:
    """A JSON value as a Python literal, with an entry on each line if it is long."""
    if isinstance(value, dict):
        entries = [
            f"{json.dumps(name, ensure_ascii=False)}: {_format_literal(entry, indent + _INDENT)}" for name, entry in value.items()
        ]
        return _format_entries(entries, "{}", indent)
    if isinstance(value, list):
        return _format_entries([_format_literal(entry, indent + _INDENT) for entry in value], "[]", indent)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _format_entries(entries: list[str], brackets: str, indent: str) -> str:
    line = f"{brackets[0]}{', '.join(entries)}{brackets[1]}"
    if len(line) <= _WIDTH and "\n" not in line:
        return line
    inner = "".join(f"{indent}{_INDENT}{entry},\n" for entry in entries)
    return f"{brackets[0]}\n{inner}{indent}{brackets[1]}"


def _to_snake_case(name: str) -> str:
    return _BOUNDARY.sub("_", name).lower()
