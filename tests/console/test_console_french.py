"""Every text of a page has its French, no French is left over, and both have the same blanks.

What a template is handed by a handler (`t(group.text)`) can't be read from the template: such a text stands somewhere in the
package's Python as it is said.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml
from jinja2 import Environment, nodes

import bonafide

SOURCE = Path(bonafide.__file__).parent
PACKAGES = [name for name in ("console", "pages") if (SOURCE / name / "french").is_dir()]
SHARED = "web"
BLANK = re.compile(r"\{(\w+)\}")
STRAIGHT = re.compile(r"['\"]| [:»]|« | [;!?]")
"""Signs of a typewriter, and spaces at which a line must not break or that do not belong there."""


def templates(package: str) -> Iterator[nodes.Template]:
    for file in sorted((SOURCE / package / "templates").rglob("*")):
        if file.is_file():
            yield Environment(autoescape=True).parse(file.read_text(encoding="utf-8"))


def said_in(argument: nodes.Expr) -> Iterator[str]:
    """The texts that an argument of `t` may be: as it stands, one of two, or one of a table."""
    if isinstance(argument, nodes.Const):
        yield str(argument.value)
    elif isinstance(argument, nodes.CondExpr):
        for branch in (argument.expr1, argument.expr2):
            if branch is not None:
                yield from said_in(branch)
    elif isinstance(argument, nodes.Getitem):
        yield from said_in(argument.node)
    elif isinstance(argument, nodes.Dict):
        for pair in argument.items:
            yield from said_in(pair.value)


@cache
def asked_of(package: str) -> frozenset[str]:
    """What the templates of the package, and those that it shares, say through `t`."""
    calls = (call for part in (package, SHARED) for template in templates(part) for call in template.find_all(nodes.Call))
    said = (call.args[0] for call in calls if isinstance(call.node, nodes.Name) and call.node.name == "t")
    return frozenset(text for argument in said for text in said_in(argument))


@cache
def written_in(package: str) -> frozenset[str]:
    """Every literal text of the package's templates and modules."""
    found = {str(const.value) for template in templates(package) for const in template.find_all(nodes.Const)}
    for file in (SOURCE / package).rglob("*.py"):
        tree = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        found |= {node.value for node in tree if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(found)


@cache
def french_of(package: str) -> dict[str, str]:
    """All lines of the package's French."""
    files = sorted((SOURCE / package / "french").glob("*.yml"))
    lines: dict[str, str] = {}
    for file in files:
        lines |= yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    return lines


@pytest.mark.parametrize("package", PACKAGES)
def test_every_text_of_a_template_is_there_in_french(package: str) -> None:
    assert sorted(asked_of(package) - french_of(package).keys()) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_french_is_there_for_a_text_that_nobody_says(package: str) -> None:
    said = asked_of(package) | written_in(package) | written_in(SHARED)
    assert sorted(french_of(package).keys() - said) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_have_the_same_blanks(package: str) -> None:
    lines = french_of(package).items()
    assert [english for english, french in lines if set(BLANK.findall(english)) != set(BLANK.findall(french))] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_french_is_set_as_a_printer_would(package: str) -> None:
    """Typographic apostrophes and quotes; no-break spaces where French has one, none where Canadian French has none."""
    assert [french for french in french_of(package).values() if STRAIGHT.search(french)] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_text_stands_in_two_files(package: str) -> None:
    seen: dict[str, str] = {}
    twice = []
    for file in sorted((SOURCE / package / "french").glob("*.yml")):
        for english in yaml.safe_load(file.read_text(encoding="utf-8")) or {}:
            twice += [f"{english!r} in {seen[english]} and {file.name}"] if english in seen else []
            seen[english] = file.name
    assert twice == []
