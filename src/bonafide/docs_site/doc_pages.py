"""The Markdown files of docs/ by section, with their URLs and titles.

In a wheel they are beside this module, in a checkout in `docs/`.
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
class DocsSectionSpec:
    """A folder of pages, or the pages that stand in none: what a reader comes for."""

    title: str
    folder: str
    pages: tuple[str, ...] = ()
    """Their order, where that of their names does not do; in the top folder, all there are."""


SECTIONS = (
    DocsSectionSpec("Start", "", ("index", "quickstart", "glossary")),
    DocsSectionSpec("How-to", "howto"),
    DocsSectionSpec("Reference", "reference"),
    DocsSectionSpec("Discussions", "discussions"),
    DocsSectionSpec("Decisions", "adr"),
)
OTHER_URLS = {"api-changelog.md": "/changelog", "openapi.json": "/openapi.json"}
"""Files of `docs/` that are served in another form, under addresses of their own."""


@dataclass(frozen=True, slots=True)
class DocsPage:
    """One file. `path` is relative to `docs/` and has no suffix: `howto/add-a-source`."""

    path: str
    title: str
    text: str

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"{PREFIX}/{self.path}"


@dataclass(frozen=True, slots=True)
class DocsSection:
    """A section and its pages, in their order."""

    title: str
    pages: tuple[DocsPage, ...]


@cache
def list_sections() -> tuple[DocsSection, ...]:
    """All pages by section. Raises `ConfigurationError` when the installation lacks them."""
    return tuple(DocsSection(section.title, tuple(_load_pages(section))) for section in SECTIONS)


def find_page(path: str) -> DocsPage | None:
    """The page of this path; None where there is none."""
    return next((page for shelf in list_sections() for page in shelf.pages if page.path == path), None)


def get_page(path: str) -> DocsPage:
    """The page of this path. Raises `NotFound`."""
    found = find_page(path)
    if found is None:
        raise NotFound("The documentation has no such page.")
    return found


def read_doc(name: str) -> str:
    """The text of a file of `docs/`. Raises `ConfigurationError` when the installation lacks it."""
    file = _find_docs_folder() / name
    if not file.is_file():
        raise ConfigurationError(f"docs/{name} is missing from this installation")
    return file.read_text("utf-8")


def _load_pages(section: DocsSectionSpec) -> Iterator[DocsPage]:
    folder = _find_docs_folder() / section.folder if section.folder != "" else _find_docs_folder()
    found = sorted(file.name.removesuffix(_SUFFIX) for file in folder.iterdir() if file.name.endswith(_SUFFIX))
    for name in section.pages if section.folder == "" else found:
        path = f"{section.folder}/{name}" if section.folder != "" else name
        text = read_doc(f"{path}{_SUFFIX}")
        title = _TITLE.search(text)
        yield DocsPage(path, title[1] if title is not None else name, text)


def _find_docs_folder() -> Traversable:
    packaged = files(__package__) / "docs"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "docs"
