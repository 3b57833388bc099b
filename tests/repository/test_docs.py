"""The documentation is true: settings, commands, sources and scoring features stand in it, and its links lead somewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup as Group

from bonafide.cli import app
from bonafide.docs_site import event_type_page
from bonafide.docs_site.markdown_rendering import build_anchor
from bonafide.docs_site.module_map import render_module_map
from bonafide.matching import scoring_reference as scoring
from bonafide.model.risk.facts import FACT_SPECS
from bonafide.settings import Settings
from bonafide.sources.framework import reference_page
from bonafide.sources.framework.discovery import Source, discover_sources
from tests.support.paths import ROOT

DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]


def read(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def test_every_setting_is_documented() -> None:
    page = read("docs", "reference", "settings.md")
    assert [name for name in Settings.model_fields if f"`BONAFIDE_{name.upper()}`" not in page] == []


def test_every_documented_setting_exists() -> None:
    documented = re.findall(r"`BONAFIDE_([A-Z_]+)`", read("docs", "reference", "settings.md"))
    assert set(documented) == {name.upper() for name in Settings.model_fields}


def _commands(group: Group, prefix: str = "bonafide") -> list[str]:
    paths = []
    for name, command in group.commands.items():
        paths += _commands(command, f"{prefix} {name}") if isinstance(command, Group) else [f"{prefix} {name}"]
    return paths


def test_every_command_is_documented_with_all_its_options() -> None:
    page = read("docs", "reference", "commands.md")
    assert [path for path in _commands(app) if f"`{path}" not in page] == []
    assert sorted(option for option in set(_options(app)) if f"`{option}" not in page) == []


def _options(group: Group) -> Iterator[str]:
    for command in group.commands.values():
        if isinstance(command, Group):
            yield from _options(command)
        else:
            yield from (option for parameter in command.params for option in parameter.opts if option.startswith("--"))


@pytest.mark.parametrize("source", discover_sources().values(), ids=lambda source: source.key)
def test_the_page_of_sources_is_what_the_metadata_says(source: Source) -> None:
    assert reference_page.render_section(source) in read("docs", "reference", "sources.md"), "run `make docs`"


def test_the_page_of_scoring_is_what_the_features_say() -> None:
    assert read("docs", "reference", "scoring.md") == scoring.render_page(), "run `make docs`"


def test_every_fact_of_risk_rules_is_documented_with_its_type_and_meaning() -> None:
    page = read("docs", "reference", "risk-facts.md")
    rows = [f"| `{fact.path}` | `{fact.type}` | {fact.description} |" for fact in FACT_SPECS.values()]
    assert [row for row in rows if row not in page] == []
    assert page.count("\n| `") == len(rows)


def test_the_page_of_events_is_what_the_catalogue_says() -> None:
    assert read("docs", "reference", "events.md") == event_type_page.render_page(), "run `make docs`"


@pytest.mark.slow
def test_the_map_of_modules_is_what_the_modules_say() -> None:
    assert read("docs", "modules.md") == render_module_map(), "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """In the repository; that they do when the pages are served is tested with the pages."""
    targets = re.findall(r"\]\((?!https?://)([^)#]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8"))
    assert [target for target, _ in targets if not (page.parent / target).exists()] == []
    places = [(page.parent / target if target != "" else page, anchor) for target, anchor in targets if anchor != ""]
    assert [(file.name, anchor) for file, anchor in places if anchor not in _anchors(file)] == []


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {build_anchor(heading.replace("`", "")) for heading in headings}
