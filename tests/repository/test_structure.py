"""The layout of the code: one meaning for each class name, folders that a reader can take in."""

import ast
from collections import Counter, defaultdict

from tests.support.paths import ROOT

SOURCES = ROOT / "src"
MODULES = [path for path in SOURCES.rglob("*.py") if "versions" not in path.parts]
MOST_MODULES = 20
WRITERS = SOURCES / "bonafide_sandbox" / "writers"
"""Its folders have one module for each source: no limit on their size, which would be one on the number of sources."""
NOUNS = frozenset({"as_of", "set_as_of"})
"""The day to which data is dated."""


def test_every_public_class_name_has_one_definition() -> None:
    definitions = defaultdict(set)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                definitions[node.name].add(str(path.relative_to(SOURCES)))
    assert {name: sorted(paths) for name, paths in definitions.items() if len(paths) > 1} == {}


def test_no_folder_is_crowded() -> None:
    modules = Counter(path.parent for path in MODULES if path.name != "__init__.py" and path.parent.parent != WRITERS)
    assert {str(folder.relative_to(SOURCES)): count for folder, count in modules.items() if count > MOST_MODULES} == {}


def test_no_function_is_named_after_its_argument() -> None:
    """`parse_address`, not `address_of`."""
    found = [
        f"{path.relative_to(SOURCES)}:{node.lineno} {node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.endswith("_of") and node.name not in NOUNS
    ]
    assert found == []


def test_every_module_begins_with_a_sentence() -> None:
    assert [str(path) for path in MODULES if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None] == []
