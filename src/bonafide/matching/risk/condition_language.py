"""Compile the conditions of risk rules: a part of the Common Expression Language (CEL) over the facts of `FACT_SPECS`.

Conditions are written by organizations and are not trusted. Every fact is a variable with a type, so that a misspelt path or a
comparison of different types is refused when a rule is saved. The time and the memory of a condition are bounded by its length:
nothing that builds strings or lists is available, regular expressions are not, and a loop inside a loop is refused.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from cel_expr_python import cel

from bonafide.i18n.message import Message
from bonafide.model.risk.facts import FACT_SPECS, Facts, FactType

_CONFIG = """
name: risk
stdlib:
  exclude_macros: [map, filter, has]
  exclude_functions:
    - name: _+_
      overloads: [{id: add_string}, {id: add_list}, {id: add_bytes}]
    - name: matches
    - name: dyn
"""
_LOOPS = frozenset({"all", "exists", "exists_one", "existsOne"})
_TOKEN = re.compile(
    r'''//[^\n]*|[rRbB]{0,2}(?:"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')'''
    r"|(?P<name>[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)|(?P<bracket>[()])|[\s\S]"
)
_PLACE = re.compile(r"<input>:(\d+):(\d+): (.*)")
_UNDECLARED = re.compile(r"undeclared reference to '([^']*)'")
_MAX_PROBLEM_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class CompiledCondition:
    """A condition that is ready to be evaluated, and the paths of the facts that it reads."""

    expression: cel.Expression
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConditionError(Exception):
    """A condition that is refused, with the reason."""

    problem: Message


@cache
def _create_cel_env() -> cel.Env:
    types = {
        FactType.BOOL: cel.Type.BOOL,
        FactType.INT: cel.Type.INT,
        FactType.DOUBLE: cel.Type.DOUBLE,
        FactType.STRING: cel.Type.STRING,
        FactType.LIST: cel.Type.List(cel.Type.STRING),
    }
    variables = {spec.path: types[spec.type] for spec in FACT_SPECS.values()}
    return cel.NewEnv(config=cel.NewEnvConfigFromYaml(_CONFIG), variables=variables)


def compile_condition(text: str) -> CompiledCondition:
    """Compile a condition. Raises `ConditionError` for one that is not valid, not boolean, or has a loop inside a loop."""
    if _has_nested_loop(text):
        raise ConditionError(Message("must not have a loop (`all`, `exists`, `exists_one`) inside a loop"))
    try:
        expression = _create_cel_env().compile(text)
    except (RuntimeError, TypeError, ValueError) as error:
        raise ConditionError(_describe_error(str(error))) from None
    result = expression.return_type()
    if result != cel.Type.BOOL:
        raise ConditionError(Message("must be true or false, but is of type {type}", type=result.name()))
    paths = tuple(dict.fromkeys(_list_paths(text)))
    if not paths:
        raise ConditionError(Message("must read at least one fact"))
    return CompiledCondition(expression, paths)


def _describe_error(text: str) -> Message:
    undeclared = _UNDECLARED.search(text)
    if undeclared is not None:
        name = undeclared[1]
        near = get_close_matches(name, FACT_SPECS, n=1) if "." in name else []
        if near:
            return Message("“{name}” is neither a fact nor a function; did you mean “{near}”?", name=name, near=near[0])
        return Message("“{name}” is neither a fact nor a function", name=name)
    place = _PLACE.search(text)
    if place is None:
        return Message("is not a valid condition: {problem}", problem=text.splitlines()[0][:_MAX_PROBLEM_CHARACTERS])
    line, column, problem = place.groups()
    if "(double, int)" in problem or "(int, double)" in problem:
        return Message(
            "line {line}, column {column}: a number with decimals is compared with a whole number; write `1.0` instead of `1`",
            line=int(line),
            column=int(column),
        )
    return Message(
        "is not a valid condition: line {line}, column {column}: {problem}",
        line=int(line),
        column=int(column),
        problem=problem[:_MAX_PROBLEM_CHARACTERS],
    )


def _list_names(text: str) -> Iterator[re.Match[str]]:
    """The names and parentheses of a condition, without those in its strings and comments."""
    return (token for token in _TOKEN.finditer(text) if token.lastgroup is not None)


def _list_paths(text: str) -> Iterator[str]:
    """The facts that a condition reads, in order. `licences.held.exists(…)` reads `licences.held`."""
    for token in _list_names(text):
        parts = re.split(r"\s*\.\s*", token["name"] or "")
        for length in range(len(parts), 1, -1):
            path = ".".join(parts[:length])
            if path in FACT_SPECS:
                yield path
                break


def _has_nested_loop(text: str) -> bool:
    brackets: list[bool] = []
    is_loop_name = False
    for token in _list_names(text):
        if token["bracket"] == "(":
            if is_loop_name and any(brackets):
                return True
            brackets.append(is_loop_name)
        elif token["bracket"] == ")" and brackets:
            brackets.pop()
        # After a literal list or a call, the name of the loop is a token of its own.
        is_loop_name = token["name"] is not None and re.split(r"\s*\.\s*", token["name"])[-1] in _LOOPS
    return False


class FactActivation:
    """Facts in the form in which conditions read them; created once for all conditions of an evaluation."""

    def __init__(self, facts: Facts) -> None:
        values = {
            path: list(fact.value) if isinstance(fact.value, tuple) else fact.value
            for path, fact in facts.items()
            if path in FACT_SPECS
        }
        self._activation = _create_cel_env().Activation(values)

    def evaluate(self, condition: CompiledCondition) -> "bool | str":
        """Whether the condition is true; the technical reason as a text if it can't be evaluated.

        The logical operators follow CEL: `a || b` is true if one of them is, even if the other one is not known.
        """
        try:
            result = condition.expression.eval(self._activation)
        except RuntimeError as error:
            return str(error)
        value = result.value()
        return value if isinstance(value, bool) else str(value)
