"""`bonafide compare`: compare two names.

The command needs neither data nor settings and imports only the comparison that it runs: rich and the tables of personal names
would take a fifth of its time.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bonafide.cli.options import AsJson, DataDir, choose_score_colour, print_json
from bonafide.cli.translation import localize
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.names.best_name_match import NameMatch, compare_name_texts

if TYPE_CHECKING:
    from bonafide.matching.screening.party_matching import ComparedPartyName


class NameKind(StrEnum):
    """The kind of the names: those of businesses are compared as in a search, all others as in a screening."""

    BUSINESS = "business"
    PERSON = "person"
    ORGANIZATION = "organization"
    VESSEL = "vessel"
    AIRCRAFT = "aircraft"


def compare(
    a: Annotated[str | None, typer.Argument(help=Message("The first name."))] = None,
    b: Annotated[str | None, typer.Argument(help=Message("The second name."))] = None,
    kind: Annotated[
        NameKind, typer.Option(help=Message("The kind of the names: business as in a search, any other as in a screening."))
    ] = NameKind.BUSINESS,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help=Message('Read JSON lines with "a", "b" and "kind", and write them with "score".'))
    ] = False,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # every command accepts it, for scripts that pass it to all
) -> None:
    """Compare two names and explain the score."""
    if jsonl:
        for line in _score_lines(sys.stdin.buffer, kind):
            typer.echo(line)
        return
    if a is None or b is None:
        raise typer.BadParameter(localize(Message("Give two names.")))
    result = _compare(a, b, kind)
    if as_json:
        features = [{"feature": item.feature, "score": item.score, "reason": item.reason} for item in result.features]
        print_json({"a": a, "b": b, "kind": kind, "score": result.score, "reason": result.reason, "features": features})
        return
    typer.echo(f"{typer.style(f'{result.score:.3f}', fg=choose_score_colour(result.score))} {localize(result.reason)}")
    for item in result.features:
        typer.echo(f"  {item.feature}: {item.score:.3f}  {typer.style(localize(item.reason), dim=True)}")


def _compare(a: str, b: str, kind: NameKind) -> "NameMatch | ComparedPartyName":
    if kind is NameKind.BUSINESS:
        return compare_name_texts(a, b)
    from bonafide.matching.screening.party_matching import compare_listed_name_texts  # noqa: PLC0415 - see above
    from bonafide.model.entry import EntityKind  # noqa: PLC0415 - see above

    return compare_listed_name_texts(a, b, EntityKind(kind.value))


def _score_lines(lines: Iterable[bytes], kind: NameKind) -> Iterator[bytes]:
    """Each line with its score; `kind` is the default. Raises `ValidationFailed` with the number of an invalid line."""
    for number, line in enumerate(lines, start=1):
        if line.isspace():
            continue
        try:
            yield _score_line(line, kind)
        except (ValueError, TypeError, RecursionError) as error:  # deep nesting raises the second
            message = Message("Line {line} must be a JSON object with the texts a and b, and a kind of names.", line=number)
            raise ValidationFailed(message) from error


def _score_line(line: bytes, kind: NameKind) -> bytes:
    pair = json.loads(line)
    if not isinstance(pair, dict) or not all(isinstance(pair.get(name), str) for name in ("a", "b")):
        raise TypeError("a and b must be text")
    score = _compare(pair["a"], pair["b"], NameKind(pair.get("kind", kind))).score
    return json.dumps({**pair, "score": round(score, 4)}, ensure_ascii=False).encode()
