"""Find every message of the code, the page templates and the tables, as a catalogue without translations."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatch
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from jinja2.ext import babel_extract

from bonafide.i18n.label_table import list_labels
from bonafide.i18n.message import Message
from bonafide.package_data import parse_yaml

PYTHON_KEYWORDS = {"Message": None, "plural_message": (1, 2), "context_message": ((1, "c"), 2)}
TEMPLATE_KEYWORDS = {"t": None, "nt": (1, 2), "ct": ((1, "c"), 2)}
_JINJA_OPTIONS = {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
_CHARSET = "utf-8"
_COMMANDS = "cli/"
"""The folder of commands, whose docstrings are their help."""


def _list_source_texts(source: Any) -> Iterator[str]:
    """The texts of a `source.yml` that people read. Labels and the publisher's name have their translation in the file."""
    for key in ("title", "access_note", "gaps", "good_standing_rule", "description", "number_label"):
        if source.get(key) is not None:
            yield " ".join(str(source[key]).split())
    live = source.get("live") or {}
    for group in (source.get("licence"), source.get("acceptance"), live.get("terms")):
        for key in ("name", "note", "text"):
            if group is not None and isinstance(group.get(key), str):
                yield " ".join(group[key].split())
    for rule in (source.get("table") or {}).get("skip") or []:
        yield " ".join(rule["reason"].split())
    for detail in source.get("details") or []:
        yield detail["label"]


def _list_label_texts(table: Any) -> Iterator[Message]:
    for _, label in list_labels(table):
        yield label


def _list_legal_form_texts(rows: Any) -> Iterator[str]:
    return (row["label"] for row in rows)


def _list_number_texts(types: Any) -> Iterator[str]:
    return (facts[key] for facts in types.values() if isinstance(facts, Mapping) for key in ("title", "form"))


def _list_rule_texts(table: Any) -> Iterator[str]:
    return (rule[key] for rule in table["rules"] for key in ("title", "reason"))


TABLE_TEXTS: Mapping[str, Callable[[Any], Iterator[str]]] = {
    "sources/*/source.yml": _list_source_texts,
    "pdf/templates/labels*.yml": _list_label_texts,
    "matching/data/legal_forms.yml": _list_legal_form_texts,
    "matching/data/number_types.yml": _list_number_texts,
    "matching/data/default_risk_rules.yml": _list_rule_texts,
}
"""The messages of tables by the pattern of their path within the package."""


def extract_messages(package: Path) -> Catalog:
    """The messages below the folder of the package `bonafide`."""
    catalog = Catalog(project="bonafide", charset=_CHARSET, fuzzy=False)
    for path in sorted(package.rglob("*")):
        # This package handles messages and has none of its own.
        if not path.is_file() or {"__pycache__", "i18n"} & set(path.relative_to(package).parts):
            continue
        location = path.relative_to(package.parent).as_posix()
        for texts, comments, context in _extract_file(path, path.relative_to(package).as_posix()):
            catalog.add(texts, None, [(location, 1)], auto_comments=comments, context=context)
    return catalog


def _extract_file(path: Path, location: str) -> Iterator[Any]:
    if path.suffix == ".py":
        with path.open("rb") as file:
            yield from _without_lines(extract("python", file, PYTHON_KEYWORDS, ("Translators:",), {"encoding": _CHARSET}))
        if location.startswith(_COMMANDS):
            yield from ((paragraph, (), None) for paragraph in _list_command_help(path))
    elif path.suffix == ".html":
        yield from _without_lines(extract(_extract_template, BytesIO(path.read_bytes()), TEMPLATE_KEYWORDS))
    for pattern, list_texts in TABLE_TEXTS.items():
        if fnmatch(location, pattern):
            yield from (_describe_text(text) for text in list_texts(parse_yaml(path.read_text(_CHARSET))))


def _describe_text(text: str) -> tuple[str | tuple[str, str], tuple[()], str | None]:
    """A text of a table, or a label with its plural and context, as Babel describes what it extracts."""
    if not isinstance(text, Message):
        return text, (), None
    return (str(text), text.plural) if text.plural is not None else str(text), (), text.context


def _list_command_help(path: Path) -> Iterator[str]:
    """The paragraphs of the docstring of each command: a function that takes a data directory."""
    for node in ast.parse(path.read_text(_CHARSET)).body:
        if isinstance(node, ast.FunctionDef) and "DataDir" in {ast.unparse(a.annotation) for a in node.args.args if a.annotation}:
            for paragraph in (ast.get_docstring(node) or "").split("\n\n"):
                yield " ".join(paragraph.split())


def _extract_template(file: Any, keywords: Iterable[str], comment_tags: Iterable[str], options: Mapping[str, Any]) -> Iterator[Any]:
    return babel_extract(file, tuple(keywords), tuple(comment_tags), {**options, **_JINJA_OPTIONS})


def _without_lines(found: Iterable[Any]) -> Iterator[Any]:
    return (tuple(extracted) for _, *extracted in found)
