"""What stands in the documentation to be run: shell commands, calls of the API and the answers that are shown below them.

A word in capitals such as `SEARCH_ID` stands for an id of an earlier answer; `…` for anything.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
LOCAL = "http://127.0.0.1:8080"
ANYTHING = "…"
NOT_SHELL = {
    "json", "csv", "yaml", "yml", "text", "ini", "nginx", "http", "sql", "python", "py", "typescript", "mermaid",
}  # fmt: skip
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_PROMPT = "$ "
_COMMENT = re.compile(r"(?:^|\s)# .*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language (may be empty) and its lines."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A `curl` command as a request."""

    method: str
    url: str
    headers: dict[str, str]
    body: str | None
    form: tuple[str, ...] = ()
    """The fields of a form, as `curl -F` and `curl --data-urlencode` have them."""

    @property
    def is_local(self) -> bool:
        """Whether it calls the service that `make demo` starts."""
        return self.url.startswith(LOCAL)


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in their order."""
    return [Block(found[2], found[3]) for found in _FENCE.finditer(page.read_text("utf-8"))]


def commands(block: Block) -> Iterator[list[str]]:
    """The commands of a block as words, comments left out. A block that shows a prompt has commands only behind it."""
    if block.language in {
        "json",
        "csv",
        "yaml",
        "yml",
        "text",
        "ini",
        "nginx",
        "http",
        "sql",
        "python",
        "py",
        "typescript",
        "mermaid",
    }:
        return
    lines = block.text.splitlines()
    if block.language == "console":
        lines = [line.removeprefix(_PROMPT) for line in lines if line.startswith(_PROMPT)]
    waiting = ""
    for line in lines:
        waiting += _COMMENT.sub("", line)
        if waiting.endswith("\\"):
            waiting = waiting[:-1]
            continue
        try:
            words = shlex.split(waiting)
        except ValueError:  # a quotation goes on
            waiting += "\n"
            continue
        waiting = ""
        if words:
            yield words


def call_of(words: list[str]) -> Call:
    """What `curl` sends. Raises `ValueError` for an option that the documentation does not use yet."""
    method, url, headers, body, form = None, "", {}, None, []
    rest = iter(words[1:])
    for word in rest:
        if word == "-H":
            name, _, value = next(rest).partition(": ")
            headers[name] = value
        elif word == "-X":
            method = next(rest)
        elif word == "-d":
            body = next(rest)
        elif word in {"-F", "--data-urlencode"}:
            form.append(next(rest))
        elif word == "-o":
            next(rest)
        elif not word.startswith("-") and url == "":
            url = word
        elif word not in {"-s", "-L", "-i"}:
            raise ValueError(f"{word} of {words}")
    usual = "GET" if body is None and not form else "POST"
    return Call(method if method is not None else usual, url, headers, body, tuple(form))


def is_part(shown: Any, answer: Any) -> bool:
    """Whether what is shown is in the answer: fewer fields, fewer items, and `…` for any value."""
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict) and isinstance(answer, dict):
        return all(name == ANYTHING or (name in answer and is_part(value, answer[name])) for name, value in shown.items())
    if isinstance(shown, list) and isinstance(answer, list):
        return all(any(is_part(item, found) for found in answer) for item in shown)
    return bool(shown == answer)
