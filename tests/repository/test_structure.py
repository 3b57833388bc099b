"""The layout of the code: one meaning for each class name, folders that a reader can take in."""

import ast
from collections import Counter, defaultdict
from dataclasses import dataclass

import pytest

from tests.support.paths import ROOT

SOURCES = ROOT / "src"
MODULES = [path for path in SOURCES.rglob("*.py") if "versions" not in path.parts]
MOST_MODULES = 20
WRITERS = SOURCES / "bonafide_sandbox" / "writers"
"""Its folders have one module for each source: no limit on their size, which would be one on the number of sources."""
NOUNS = frozenset({"as_of", "set_as_of"})
"""The day to which data is dated."""


@dataclass(frozen=True, slots=True)
class ModuleOutline:
    """What a module defines at any level, and whether it begins with a docstring."""

    path: str
    classes: frozenset[str]
    functions: tuple[tuple[int, str], ...]
    has_docstring: bool


@pytest.fixture(scope="module")
def outlines() -> list[ModuleOutline]:
    """Every module, parsed once."""
    found = []
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        classes = frozenset(node.name for node in nodes if isinstance(node, ast.ClassDef))
        functions = tuple((node.lineno, node.name) for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        found.append(ModuleOutline(str(path.relative_to(SOURCES)), classes, functions, ast.get_docstring(tree) is not None))
    return found


def test_every_public_class_name_has_one_definition(outlines: list[ModuleOutline]) -> None:
    definitions = defaultdict(set)
    for outline in outlines:
        for name in outline.classes:
            if not name.startswith("_"):
                definitions[name].add(outline.path)
    assert {name: sorted(paths) for name, paths in definitions.items() if len(paths) > 1} == {}


def test_no_folder_is_crowded() -> None:
    modules = Counter(path.parent for path in MODULES if path.name != "__init__.py" and path.parent.parent != WRITERS)
    assert {str(folder.relative_to(SOURCES)): count for folder, count in modules.items() if count > MOST_MODULES} == {}


def test_no_function_is_named_after_its_argument(outlines: list[ModuleOutline]) -> None:
    """`parse_address`, not `address_of`."""
    found = [
        f"{outline.path}:{line} {name}"
        for outline in outlines
        for line, name in outline.functions
        if name.endswith("_of") and name not in NOUNS
    ]
    assert found == []


def test_every_module_begins_with_a_sentence(outlines: list[ModuleOutline]) -> None:
    assert [outline.path for outline in outlines if not outline.has_docstring] == []
