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
_FRENCH = f".{Language.FRENCH.value}"


@dataclass(frozen=True, slots=True)
class DocsSectionSpec:
    """A section: the pages it lists, or every page of a folder in the order of the file names."""

    title: Message
    pages: tuple[str, ...] = ()
    folder: str = ""
    in_menu: bool = True
    """Whether the menu lists the pages. All pages are served, searched and linked to."""


SECTIONS = (
    DocsSectionSpec(
        Message("Start"),
        (
            "index",
            "index.fr",
            "quickstart",
            "quickstart.fr",
            "howto/analysts-manual",
            "howto/analysts-manual.fr",
            "howto/onboard-a-customer",
            "howto/call-the-api",
            "howto/client-libraries",
            "glossary",
            "glossary.fr",
            "faq",
        ),
    ),
    DocsSectionSpec(
        Message("How-to"),
        (
            "howto/deploy-on-a-server",
            "howto/run-in-production",
            "howto/run-a-fleet",
            "howto/operations",
            "howto/troubleshooting",
            "howto/back-up-and-restore",
            "howto/authentication",
            "howto/provisioning",
            "howto/api-keys",
            "howto/live-registers",
            "howto/import-a-file",
            "howto/ownership-console",
            "howto/ownership-console.fr",
            "howto/import-business-records",
            "howto/monitor-businesses",
            "howto/risk-rating",
            "howto/read-events",
            "howto/receive-webhooks",
            "howto/mcp",
            "howto/openrefine",
            "howto/email",
            "howto/sandbox-calendar",
            "howto/find-connections",
            "howto/ownership",
            "howto/ownership-discrepancies",
            "howto/ownership-discrepancies.fr",
            "howto/work-on-cases",
            "howto/cases-console",
            "howto/cases-console.fr",
            "howto/lists-console",
            "howto/lists-console.fr",
            "howto/manual-checks",
            "howto/manual-checks.fr",
            "howto/retention",
            "howto/website-analysis",
            "howto/pdf-reports",
            "howto/examiners-pack",
            "howto/examiners-pack.fr",
            "howto/batches",
            "howto/tables",
            "howto/exports",
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
            "discussions/how-it-works",
            "discussions/what-a-register-proves",
            "discussions/what-a-register-proves.fr",
            "discussions/understanding-scores",
            "discussions/understanding-scores.fr",
            "discussions/sanctioned-by-ownership",
            "discussions/sanctioned-by-ownership.fr",
            "discussions/monitoring",
            "discussions/monitoring.fr",
            "discussions/events-and-webhooks",
            "discussions/threat-model",
            "discussions/alternatives",
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
IMAGES = frozenset(
    {
        "images/calibration.svg",
        "images/coverage.svg",
        "images/event-delivery.svg",
        "images/manual-case-en.png",
        "images/manual-case-fr.png",
        "images/manual-hit-en.png",
        "images/manual-hit-fr.png",
        "images/manual-search-en.png",
        "images/manual-search-fr.png",
        "images/manual-verification-en.png",
        "images/manual-verification-fr.png",
        "images/monitoring.fr.svg",
        "images/monitoring.svg",
        "images/record-lifecycle.svg",
        "images/request-to-answer.svg",
    }
)
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
        return Language.FRENCH if self.path.endswith(_FRENCH) else Language.ENGLISH

    @property
    def original(self) -> str:
        """The path of the English version, which is the page's own path if it is in English."""
        return self.path.removesuffix(_FRENCH)


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


def list_menu(language: Language, shown: str = "") -> tuple[DocsSection, ...]:
    """The sections of the menu. A page that has a French version is listed once, in the reader's language.

    The page at the URL `shown` is listed as it is, also if it is in another language.
    """
    sections = (section for section in list_sections() if section.in_menu)
    return tuple(
        DocsSection(section.title, tuple(page for page in section.pages if _is_in_menu(page, language, shown)), section.in_menu)
        for section in sections
    )


def list_versions(page: DocsPage) -> tuple[DocsPage, ...]:
    """The page and its version in the other language, if there is one."""
    found = (find_page(path) for path in (page.original, f"{page.original}{_FRENCH}"))
    return tuple(version for version in found if version is not None)


def _is_in_menu(page: DocsPage, language: Language, shown: str) -> bool:
    versions = list_versions(page)
    listed = next((version for version in versions if version.address == shown), None)
    if listed is None:
        listed = next((version for version in versions if version.language == language), versions[0])
    return page == listed


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
    return _find_file(name).read_text("utf-8")


def read_image(name: str) -> bytes:
    """The content of an image of `docs/`. Raises `ConfigurationError` when the installation lacks it."""
    return _find_file(name).read_bytes()


def _load_pages(section: DocsSectionSpec) -> Iterator[DocsPage]:
    for path in section.pages if section.folder == "" else _list_folder(section.folder):
        text = read_doc(f"{path}{_SUFFIX}")
        title = _TITLE.search(text)
        yield DocsPage(path, title[1] if title is not None else path, text)


def _list_folder(folder: str) -> list[str]:
    names = sorted(file.name for file in (_find_docs_folder() / folder).iterdir() if file.name.endswith(_SUFFIX))
    return [f"{folder}/{name.removesuffix(_SUFFIX)}" for name in names]


def _find_file(name: str) -> Traversable:
    file = _find_docs_folder() / name
    if not file.is_file():
        raise ConfigurationError(Message("docs/{name} is missing from this installation.", name=name))
    return file


def _find_docs_folder() -> Traversable:
    packaged = files(__package__) / "docs"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "docs"
