"""A verification as its page shows it: the claim beside what the register states, row by row, and what the summary rests on.

Pure: the stored document in, values for a template out. How alike two texts are was decided when it was made; here is only marked
where they differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bonafide.console.word_diff import WordDiff, word_diff
from bonafide.model.verification.results import (CheckedAddressPart, CheckedField, CheckStatus, SummarySentence, VerifyResponse)

_COMPARED = frozenset({CheckStatus.MATCHED, CheckStatus.MISMATCHED})
_PLACES = {"meta": "claim", "registryData": "statement", "results": "comparison"}
"""The parts of the page that show the parts of the document."""


@dataclass(frozen=True, slots=True)
class Row:
    """One compared field. `anchor` is its id in the page; `threshold` is None for a part that has none of its own."""

    anchor: str
    field: str
    is_part: bool
    status: CheckStatus
    provided: str | None
    registry: str | None
    diff: WordDiff | None
    """None where nothing is to be marked."""
    roles: tuple[str, str]
    """Of a person, submitted and registered, in one line each: they are shown, and not compared."""
    score: float | None
    threshold: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the summary, with the part of the page that shows what it is about."""

    sentence: SummarySentence
    anchor: str


def rows_of(document: VerifyResponse) -> tuple[Row, ...]:
    """Every field, an address followed by its parts, and then the people."""
    return (*_fields(document), *_people(document))


def sentences_of(document: VerifyResponse) -> tuple[Sentence, ...]:
    """The summary as the rules word it."""
    anchors = {row.anchor for row in rows_of(document)}
    return tuple(Sentence(one, _anchor_of(one.field, anchors)) for one in document.results.summary_sentences)


def _fields(document: VerifyResponse) -> Iterator[Row]:
    fields = document.results.fields
    yield _row("legalName", fields.legal_name)
    yield _row("registrationNumber", fields.registration_number)
    if fields.address is None:
        return
    yield _row("address", fields.address)
    for name, part in fields.address.fields.items():
        if part.provided is not None:
            yield _row(name, part)


def _row(name: str, checked: CheckedField | CheckedAddressPart) -> Row:
    return Row(
        anchor=f"field-{name}",
        field=name,
        is_part=isinstance(checked, CheckedAddressPart),
        status=checked.status,
        provided=checked.provided,
        registry=checked.registry,
        diff=_diff(checked.status, checked.score, checked.provided, checked.registry),
        roles=("", ""),
        score=checked.score,
        threshold=None if isinstance(checked, CheckedAddressPart) else checked.threshold,
        reason=checked.reason,
    )


def _people(document: VerifyResponse) -> Iterator[Row]:
    for number, person in enumerate(document.results.people):
        name = person.registry.name if person.registry is not None else None
        roles = person.registry.roles if person.registry is not None else ()
        yield Row(
            anchor=f"person-{number}",
            field="person",
            is_part=False,
            status=person.status,
            provided=person.name,
            registry=name,
            diff=_diff(person.status, person.score, person.name, name),
            roles=(person.role or "", ", ".join(roles)),
            score=person.score,
            threshold=person.threshold,
            reason=person.reason,
        )


def _diff(status: CheckStatus, score: float | None, provided: str | None, registry: str | None) -> WordDiff | None:
    if status not in _COMPARED or score == 1 or provided is None or registry is None:
        return None
    return word_diff(provided, registry)


def _anchor_of(path: str, anchors: set[str]) -> str:
    """Where the page shows what stands at that path of the document."""
    steps = path.split(".")
    named = f"person-{steps[-1]}" if "people" in steps else f"field-{steps[-1]}"
    if steps[0] == "results" and named in anchors:
        return named
    return _PLACES.get(steps[0], "comparison")
