"""Labels in YAML tables: short texts in English by their key, which the catalogue translates.

A label is a text, a text with the context of its translation (`{text: Active, context: business}`), or a plural
(`{one: "{n} match", other: "{n} matches"}`). Groups nest, and keys are joined by dots: `tile.match`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bonafide.i18n.message import Message


def list_labels(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Message]]:
    """Every label of a table as a template, by its dotted key."""
    for key, value in table.items():
        label = _parse_label(value)
        if label is not None:
            yield f"{prefix}{key}", label
        else:
            yield from list_labels(value, f"{prefix}{key}.")


def set_count(label: Message, n: int) -> Message:
    """A plural label for `n` things; its other values are filled in elsewhere."""
    counted = Message(label.template if label.template is not None else str(label))
    counted.plural, counted.values = label.plural, {"n": n}
    return counted


def _parse_label(value: Any) -> Message | None:
    """None for a group."""
    if isinstance(value, str):
        return Message(value)
    if {"one", "other"} == set(value):
        label = Message(value["one"])
        label.plural = value["other"]
        return label
    if {"text", "context"} == set(value):
        label = Message(value["text"])
        label.context = value["context"]
        return label
    return None
