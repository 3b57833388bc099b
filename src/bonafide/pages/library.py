"""The Markdown files of `docs/`: which there are, in which section, under which address and title.

In a wheel they stand beside this module, in a checkout in `docs/`. Nothing is rendered here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from bonafide.errors import ConfigurationError, NotFound

PREFIX = "/docs"
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class Section:
    """A folder of pages, or the pages that stand in none: what a reader comes for."""

    title: str
    folder: str
    pages: tuple[str, ...] = ()
    """Their order, where that of their names does not do; in the top folder, all there are."""


SECTIONS = (
    Section("Start", "", ("index", "quickstart", "glossary")),
    Section("How-to", "howto"),
    Section("Reference", "reference"),
    Section("Discussions", "discussions"),
    Section("Decisions", "adr"),
)
ELSEWHERE = {"api-changelog.md": "/changelog", "openapi.json": "/openapi.json"}
"""Files of `docs/` that are served in another form, under addresses of their own."""


@dataclass(frozen=True, slots=True)
class Page:
    """One file. `path` is relative to `docs/` and has no suffix: `howto/add-a-source`."""

    path: str
    title: str
    text: str

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"{PREFIX}/{self.path}"


@dataclass(frozen=True, slots=True)
class Shelf:
    """A section and its pages, in their order."""

    title: str
    pages: tuple[Page, ...]


@cache
def shelves() -> tuple[Shelf, ...]:
    """All pages by section. Raises `ConfigurationError` when the installation lacks them."""
    return tuple(Shelf(section.title, tuple(_pages(section))) for section in SECTIONS)


def find(path: str) -> Page | None:
    """The page of this path; None where there is none."""
    return next((page for shelf in shelves() for page in shelf.pages if page.path == path), None)


def page_at(path: str) -> Page:
    """The page of this path. Raises `NotFound`."""
    found = find(path)
    if found is None:
        raise NotFound("The documentation has no such page.")
    return found


def text_of(name: str) -> str:
    """The text of a file of `docs/`. Raises `ConfigurationError` when the installation lacks it."""
    file = _folder() / name
    if not file.is_file():
        raise ConfigurationError(f"docs/{name} is missing from this installation")
    return file.read_text("utf-8")


def _pages(section: Section) -> Iterator[Page]:
    folder = _folder() / section.folder if section.folder != "" else _folder()
    found = sorted(file.name.removesuffix(_SUFFIX) for file in folder.iterdir() if file.name.endswith(_SUFFIX))
    for name in section.pages if section.folder == "" else found:
        path = f"{section.folder}/{name}" if section.folder != "" else name
        text = text_of(f"{path}{_SUFFIX}")
        title = _TITLE.search(text)
        yield Page(path, title[1] if title is not None else name, text)


def _folder() -> Traversable:
    packaged = files(__package__) / "docs"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "docs"
