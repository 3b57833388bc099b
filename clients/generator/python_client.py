"""Writes the generated modules of the Python client.

`openapi-python-client` writes the models with a template of ours; the operations have a template of their own.
"""

import json
import keyword
import os
import re
import subprocess
import sys
import textwrap
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from clients.generator.description import Json, compute_digest, require_properties_of_responses
from clients.generator.operations import Operation, Parameter, group_by_tag, list_imports, list_operations, name_tag

ROOT = Path(__file__).parents[2]
TEMPLATES = Path(__file__).parent / "templates"
GENERATORS = Path(os.environ.get("BONAFIDE_CLIENT_GENERATORS", Path(sys.prefix) / "generators"))
"""Where `requirements-generators.lock` is installed. `BONAFIDE_CLIENT_GENERATORS` names another folder."""
_CONFIGURATION = {"literal_enums": True, "post_hooks": []}
_FIELD = re.compile(r"^    (?P<name>\w+): (?P<type>.+?)(?P<default> = .+)?$")
_KEPT_UNDERSCORE = frozenset({"list", "dict", "str", "int", "float", "bool"})
"""Types of annotations, which a field must not replace."""
_LAST = ("Unset", "None")
_DOCSTRING_WIDTH = 115
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_FORMATS = {"uuid": "UUID | str", "date-time": "dt.datetime | str", "date": "dt.date | str"}


def write_python_client(description: Json, package: Path) -> None:
    """Write the generated modules into the package `bonafide_client`, and format them."""
    environment = _create_environment()
    written = {
        package / "models.py": _generate_models(description),
        package / "version.py": environment.get_template("version.py.jinja").render(
            version=description["info"]["version"], digest=compute_digest(description)
        ),
        **_render_operations(environment, description, package / "operations"),
    }
    for former in (package / "operations").glob("*.py"):
        former.unlink()
    (package / "operations").mkdir(exist_ok=True)
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    # What is imported for all tags alike is not needed for each.
    _run_ruff("check", "--fix-only", "--quiet", "--select", "I,F401", *written)
    _run_ruff("format", "--quiet", *written)


def _generate_models(description: Json) -> str:
    schemas = deepcopy(description)
    schemas["paths"] = {}
    require_properties_of_responses(schemas, description["paths"])
    with TemporaryDirectory() as folder:
        source, configuration, output = Path(folder, "api.json"), Path(folder, "configuration.json"), Path(folder, "output")
        source.write_text(json.dumps(schemas), encoding="utf-8")
        configuration.write_text(json.dumps(_CONFIGURATION), encoding="utf-8")
        _run_python(
            *("openapi_python_client", "generate", "--fail-on-warning", "--meta", "none"),
            *("--path", str(source), "--config", str(configuration), "--output-path", str(output)),
            *("--custom-template-path", str(TEMPLATES / "openapi_python_client")),
        )
        text = (output / "models" / "__init__.py").read_text(encoding="utf-8")
    return "".join(f"{_rewrite_field(line)}\n" for line in text.splitlines())


def _rewrite_field(line: str) -> str:
    """`name: None | str | Unset` as `name: str | Unset | None`, and `type_` as `type`."""
    found = _FIELD.match(line)
    if found is None:
        return line
    choices = _split_union(found["type"])
    ordered = [choice for choice in choices if choice not in _LAST] + [choice for choice in _LAST if choice in choices]
    bare = found["name"].removesuffix("_")
    name = found["name"] if keyword.iskeyword(bare) or bare in _KEPT_UNDERSCORE else bare
    return f"    {name}: {' | '.join(ordered)}{found['default'] or ''}"


def _split_union(annotation: str) -> list[str]:
    """The choices of a union that are not within brackets."""
    choices, depth = [""], 0
    for part in re.split(r"(\[|\]| \| )", annotation):
        depth += {"[": 1, "]": -1}.get(part, 0)
        if part == " | " and depth == 0:
            choices.append("")
        else:
            choices[-1] += part
    return choices


def _render_operations(environment: Environment, description: Json, folder: Path) -> dict[Path, str]:
    template = environment.get_template("operations.py.jinja")
    modules, written = [], {}
    for tag, operations in group_by_tag(list_operations(description), description):
        module = name_tag(tag)
        class_name = "".join(part.capitalize() for part in module.split("_")) + "Api"
        modules.append((module, class_name))
        written[folder / f"{module}.py"] = template.render(
            tag=tag,
            class_name=class_name,
            operations=operations,
            imports=list_imports(operations),
            styles=sorted({operation.paging.style.capitalize() for operation in operations if operation.paging is not None}),
        )
    written[folder / "__init__.py"] = environment.get_template("operations_init.py.jinja").render(modules=sorted(modules))
    return written


def _create_environment() -> Environment:
    environment = Environment(  # noqa: S701 - renders Python
        loader=FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        python_path_type=_format_path_type,
        python_query_type=_format_query_type,
        python_path=_format_path,
        python_docstring=_format_docstring,
    )
    return environment


def _format_path_type(parameter: Parameter) -> str:
    return _FORMATS.get(parameter.schema.get("format", ""), _TYPES[parameter.schema["type"]])


def _format_query_type(parameter: Parameter) -> str:
    if parameter.reference is not None:
        return parameter.reference
    if "enum" in parameter.schema:
        return f"Literal{parameter.schema['enum']!r}"
    if parameter.has_several_values:
        return "str | Iterable[str]"
    return _format_path_type(parameter)


def _format_path(operation: Operation) -> str:
    path = operation.path
    for parameter in operation.path_parameters:
        path = path.replace(f"{{{parameter.name}}}", f"{{quote_path({parameter.snake_name})}}")
    return path


def _format_docstring(operation: Operation) -> str:
    paragraphs = [f"{operation.summary}.", *operation.description.split("\n\n"), f"`{operation.method} {operation.path}`"]
    wrapped = ("\n".join(textwrap.wrap(" ".join(paragraph.split()), _DOCSTRING_WIDTH)) for paragraph in paragraphs if paragraph)
    return textwrap.indent("\n\n".join(wrapped).replace("\\", "\\\\"), " " * 8).lstrip() + "\n        "


def _run_ruff(*arguments: Any) -> None:
    _run_python("ruff", *map(str, arguments))


def _run_python(module: str, *arguments: str) -> None:
    """Run a module as a program, with the generators on its path. Its output is shown if it fails."""
    command = [sys.executable, "-P", "-m", module, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(GENERATORS)}
    # Ruff reads the settings of the repository, wherever the files are.
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode != 0:
        raise SystemExit(f"{module} failed:\n{done.stdout}{done.stderr}")
