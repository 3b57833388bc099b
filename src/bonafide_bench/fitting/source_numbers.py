"""Find the numbers of the scoring in the source files, and replace them there.

Two forms are recognised: arguments of `Factor(...)` and `Cap(...)` rows of a `FeatureTable`, and constants of the modules of
parameters, single or as values of a mapping. Only decimal literals are numbers to fit: an integer is a count.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bonafide_bench.fitting.number_ranges import NumberKind

PARAMETER_MODULES = ("score_parameters", "screening_parameters")
_TABLE = "FeatureTable"
_MAIN_ARGUMENTS = {"Factor": "score", "Cap": "limit"}
_KINDS = {"Factor": NumberKind.FACTOR, "Cap": NumberKind.CAP}


@dataclass(frozen=True, slots=True)
class SourceNumber:
    """A number in a source file: its owner (a table or a module), its name there, and the span of its literal.

    `name` is `feature.argument` in a table, and `CONSTANT` or `CONSTANT[n]` (the n-th value of a mapping) in a module. `line`
    counts from 1, and `start` and `end` are offsets in bytes, as in `ast`.
    """

    owner: str
    name: str
    value: float
    kind: NumberKind
    path: Path
    line: int
    start: int
    end: int

    @property
    def key(self) -> str:
        """The name with its owner: `BUSINESS_NAME_FEATURES.words.conflict`, `score_parameters.PLURAL`."""
        return f"{self.owner}.{self.name}"


def find_numbers(package: Path) -> list[SourceNumber]:
    """All numbers below the folder of `bonafide.matching`, by path and line."""
    found: list[SourceNumber] = []
    for path in sorted(package.rglob("*.py")):
        text = path.read_text("utf-8")
        if _TABLE in text or path.stem in PARAMETER_MODULES:
            found += _find_in_module(path, ast.parse(text))
    return found


def _find_in_module(path: Path, module: ast.Module) -> Iterator[SourceNumber]:
    for statement in module.body:
        target, value = _read_assignment(statement)
        if target is None or value is None:
            continue
        if isinstance(value, ast.Call) and _get_name(value.func) == _TABLE:
            yield from (number for row in value.args if isinstance(row, ast.Call) for number in _find_in_row(path, target, row))
        elif path.stem in PARAMETER_MODULES and target.isupper():
            yield from _find_in_constant(path, target, value)


def _read_assignment(statement: ast.stmt) -> tuple[str | None, ast.expr | None]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id, statement.value
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id, statement.value
    return None, None


def _get_name(node: ast.expr) -> str:
    """The name of a called class, without its type arguments."""
    bare = node.value if isinstance(node, ast.Subscript) else node
    return bare.id if isinstance(bare, ast.Name) else ""


def _find_in_row(path: Path, table: str, row: ast.Call) -> Iterator[SourceNumber]:
    kind = _get_name(row.func)
    if kind not in _KINDS or not row.args or not isinstance(row.args[0], ast.Name):
        return
    arguments = [(_MAIN_ARGUMENTS[kind], node) for node in row.args[1:2]]
    arguments += [(keyword.arg, keyword.value) for keyword in row.keywords if keyword.arg is not None]
    for argument, node in arguments:
        yield from _build_number(path, table, f"{row.args[0].id}.{argument}", _KINDS[kind], node)


def _find_in_constant(path: Path, target: str, value: ast.expr) -> Iterator[SourceNumber]:
    owner = path.stem
    mapping = value.args[0] if isinstance(value, ast.Call) and value.args else value
    if isinstance(mapping, ast.Dict):
        for place, node in enumerate(mapping.values):
            yield from _build_number(path, owner, f"{target}[{place}]", NumberKind.WEIGHT, node)
    else:
        kind = NumberKind.CAP if target.endswith("_CAP") else NumberKind.PARAMETER
        yield from _build_number(path, owner, target, kind, value)


def _build_number(path: Path, owner: str, name: str, kind: NumberKind, node: ast.expr) -> Iterator[SourceNumber]:
    if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.end_col_offset is not None:
        yield SourceNumber(owner, name, node.value, kind, path, node.lineno, node.col_offset, node.end_col_offset)


def write_numbers(numbers: Iterable[SourceNumber], values: Mapping[str, float]) -> list[Path]:
    """Replace the literals of the numbers whose keys are in `values`; returns the changed files."""
    by_path: dict[Path, list[SourceNumber]] = defaultdict(list)
    for number in numbers:
        if number.key in values and values[number.key] != number.value:
            by_path[number.path].append(number)
    for path, changed in by_path.items():
        lines = path.read_bytes().splitlines(keepends=True)
        for number in sorted(changed, key=lambda one: (one.line, one.start), reverse=True):
            line = lines[number.line - 1]
            lines[number.line - 1] = line[: number.start] + f"{values[number.key]:g}".encode() + line[number.end :]
        path.write_bytes(b"".join(lines))
    return sorted(by_path)
