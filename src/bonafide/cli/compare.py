"""`bonafide compare`: how alike two names are.

It needs neither data nor settings, so it imports nothing that does, and of the comparisons only the one that it runs: rich and the
tables of persons' names would be a fifth of its time.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated

import typer

from bonafide.cli.options import AsJson, DataDir, choose_score_colour, print_json
from bonafide.errors import ValidationFailed
from bonafide.matching.names.best_name_match import NameMatch, compare_name_texts
from bonafide.matching.scoring.name_comparison import NameComparison


class NameKind(StrEnum):
    """Whose names are compared."""

    BUSINESS = "business"
    PERSON = "person"


def compare(
    a: Annotated[str | None, typer.Argument(help="One name.")] = None,
    b: Annotated[str | None, typer.Argument(help="The other name.")] = None,
    kind: Annotated[NameKind, typer.Option(help="Whose names they are.")] = NameKind.BUSINESS,
    jsonl: Annotated[bool, typer.Option("--jsonl", help='Read {"a", "b", "kind"} lines and write them with "score".')] = False,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # every command takes it, for scripts that give it to all
) -> None:
    """Show how alike two names are, and why."""
    if jsonl:
        for line in _score_lines(sys.stdin.buffer, kind):
            typer.echo(line)
        return
    if a is None or b is None:
        raise typer.BadParameter("two names are needed")
    result = _compare(a, b, kind)
    if as_json:
        features = [{"feature": item.feature, "score": item.score, "reason": item.reason} for item in result.features]
        print_json({"a": a, "b": b, "kind": kind, "score": result.score, "reason": result.reason, "features": features})
        return
    typer.echo(f"{typer.style(f'{result.score:.3f}', fg=choose_score_colour(result.score))} {result.reason}")
    for item in result.features:
        typer.echo(f"  {item.feature}: {item.score:.3f}  {typer.style(item.reason, dim=True)}")


def _compare(a: str, b: str, kind: NameKind) -> NameComparison | NameMatch:
    if kind is NameKind.PERSON:
        from bonafide.matching.people.person_name_comparison import compare_person_names  # noqa: PLC0415 - see above

        return compare_person_names(a, b)
    return compare_name_texts(a, b)


def _score_lines(lines: Iterable[bytes], kind: NameKind) -> Iterator[bytes]:
    """Each line with its score; `kind` is that of a line which names none. Raises `ValidationFailed` that tells the bad line."""
    for number, line in enumerate(lines, start=1):
        if line.isspace():
            continue
        try:
            yield _score_line(line, kind)
        except (ValueError, RecursionError) as error:  # a deep nest of brackets ends in the second
            raise ValidationFailed(f'line {number} is not {{"a": …, "b": …, "kind": "business" or "person"}}: {error}') from error


def _score_line(line: bytes, kind: NameKind) -> bytes:
    pair = json.loads(line)
    if not isinstance(pair, dict) or not all(isinstance(pair.get(name), str) for name in ("a", "b")):
        raise ValueError("an object in which a and b are text is expected")
    score = _compare(pair["a"], pair["b"], NameKind(pair.get("kind", kind))).score
    return json.dumps({**pair, "score": round(score, 4)}, ensure_ascii=False).encode()
