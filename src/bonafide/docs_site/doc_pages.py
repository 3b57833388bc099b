"""The Markdown files of docs/ by section, with their URLs and titles.

A wheel contains them beside this module; a checkout has them in `docs/`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from bonafide.errors import ConfigurationError, NotFound
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message

PREFIX = "/docs"
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class DocsSectionSpec:
    """A section: the pages it lists, or every page of a folder in the order of the file names."""

    title: Message
    pages: tuple[str, ...] = ()
    folder: str = ""
    in_menu: bool = True
    """Whether the menu lists the pages. All pages are served, searched and linked to."""


SECTIONS = (
    DocsSectionSpec(Message("Start"), ("index", "quickstart", "quickstart.fr", "howto/call-the-api", "glossary")),
    DocsSectionSpec(
        Message("How-to"),
        (
            "howto/run-in-production",
            "howto/run-a-fleet",
            "howto/operations",
            "howto/back-up-and-restore",
            "howto/authentication",
            "howto/provisioning",
            "howto/api-keys",
            "howto/live-registers",
            "howto/import-a-file",
            "howto/ownership-console",
            "howto/import-business-records",
            "howto/monitor-businesses",
            "howto/risk-rating",
            "howto/read-events",
            "howto/receive-webhooks",
            "howto/email",
            "howto/sandbox-calendar",
            "howto/find-connections",
            "howto/ownership",
            "howto/ownership-discrepancies",
            "howto/work-on-cases",
            "howto/cases-console",
            "howto/lists-console",
            "howto/manual-checks",
            "howto/retention",
            "howto/website-analysis",
            "howto/pdf-reports",
            "howto/examiners-pack",
            "howto/tune-thresholds",
            "howto/benchmarks",
        ),
    ),
    DocsSectionSpec(
        Message("Reference"),
        (
            "reference/errors",
            "reference/settings",
            "reference/commands",
            "reference/scim",
            "reference/sources",
            "reference/events",
            "reference/scoring",
            "reference/risk-facts",
            "reference/canonical-layout",
            "reference/naics",
            "reference/sandbox-sites",
            "reference/sandbox-ownership",
            "reference/dependencies",
            "reference/performance",
        ),
    ),
    DocsSectionSpec(
        Message("Concepts"),
        (
            "discussions/what-a-register-proves",
            "discussions/understanding-scores",
            "discussions/sanctioned-by-ownership",
            "discussions/monitoring",
            "discussions/events-and-webhooks",
            "discussions/threat-model",
        ),
    ),
    DocsSectionSpec(
        Message("Contributors"),
        (
            "contributors",
            "howto/add-a-source",
            "howto/add-a-field",
            "howto/add-a-column",
            "reference/terminology",
            "howto/release",
        ),
    ),
    DocsSectionSpec(Message("Decisions"), folder="adr", in_menu=False),
)
OTHER_URLS = {"api-changelog.md": "/changelog", "openapi.json": "/openapi.json"}
"""Files of `docs/` that are served in another form, with their URLs."""
IMAGES = frozenset({"images/calibration.svg", "images/event-delivery.svg", "images/monitoring.svg"})
"""Images of `docs/` that pages show, served below the same prefix."""


@dataclass(frozen=True, slots=True)
class DocsPage:
    """One file. `path` is relative to `docs/` and has no suffix: `howto/add-a-source`."""

    path: str
    title: str
    text: str

    @property
    def address(self) -> str:
        """The URL path of the page."""
        return f"{PREFIX}/{self.path}"

    @property
    def language(self) -> Language:
        """The language of the text: French for `<name>.fr`, else English."""
        return Language.FRENCH if self.path.endswith(f".{Language.FRENCH.value}") else Language.ENGLISH


@dataclass(frozen=True, slots=True)
class DocsSection:
    """A section and its pages, in their order."""

    title: Message
    pages: tuple[DocsPage, ...]
    in_menu: bool


@cache
def list_sections() -> tuple[DocsSection, ...]:
    """All pages by section. Raises `ConfigurationError` when the installation lacks them."""
    return tuple(DocsSection(section.title, tuple(_load_pages(section)), section.in_menu) for section in SECTIONS)


def find_page(path: str) -> DocsPage | None:
    """The page with this path, or None."""
    return next((page for shelf in list_sections() for page in shelf.pages if page.path == path), None)


def get_page(path: str) -> DocsPage:
    """The page with this path. Raises `NotFound`."""
    found = find_page(path)
    if found is None:
        raise NotFound(Message("The documentation has no such page."))
    return found


def read_doc(name: str) -> str:
    """The text of a file of `docs/`. Raises `ConfigurationError` when the installation lacks it."""
    file = _find_docs_folder() / name
    if not file.is_file():
        raise ConfigurationError(Message("docs/{name} is missing from this installation.", name=name))
    return file.read_text("utf-8")


def _load_pages(section: DocsSectionSpec) -> Iterator[DocsPage]:
    for path in section.pages if section.folder == "" else _list_folder(section.folder):
        text = read_doc(f"{path}{_SUFFIX}")
        title = _TITLE.search(text)
        yield DocsPage(path, title[1] if title is not None else path, text)


def _list_folder(folder: str) -> list[str]:
    names = sorted(file.name for file in (_find_docs_folder() / folder).iterdir() if file.name.endswith(_SUFFIX))
    return [f"{folder}/{name.removesuffix(_SUFFIX)}" for name in names]


def _find_docs_folder() -> Traversable:
    packaged = files(__package__) / "docs"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "docs"
