"""Copies of saved files with a text replaced."""

from pathlib import Path


def write_changed(saved: Path, folder: Path, old: str, new: str) -> Path:
    """Write a copy of a saved file with `new` in place of `old`, which must be in it, to the folder; return its path."""
    text = saved.read_text(encoding="utf-8")
    assert old in text
    path = folder / saved.name
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path
