"""Arrange a verification for its page: rows of compared fields and the statements of the summary.

Pure: the stored document in, values for a template out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from bonafide.console.frame.code_labels import OUTCOME_COLOUR
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.matching.addresses.word_differences import WordDiff
from bonafide.matching.summary.digest import SummaryDigest
from bonafide.matching.verification.value_differences import diff_values
from bonafide.model.verification.results import CheckedAddressPart, CheckedField, CheckStatus, SummarySentence, VerifyResponse
from bonafide.services.verification.completion import build_summary_digest

_SECTIONS = {"meta": "claim", "registryData": "statement", "results": "comparison", "sanctions": "sanctions"}
"""The parts of the page that show the parts of the document."""


@dataclass(frozen=True, slots=True)
class VerificationRow:
    """One compared field. `anchor` is its id in the page; `threshold` is None for a part of an address."""

    anchor: str
    field: str
    is_part: bool
    status: CheckStatus
    provided: str | None
    registry: str | None
    diff: WordDiff | None
    """None if no differences are marked."""
    roles: tuple[str, str]
    """The submitted and registered roles of a person. They are shown but not compared."""
    score: float | None
    threshold: float | None
    reason: Message


@dataclass(frozen=True, slots=True)
class VerificationSentence:
    """One sentence of the summary, with the part of the page that shows what it is about."""

    sentence: SummarySentence
    anchor: str


@dataclass(frozen=True, slots=True)
class VerificationVerdict:
    """The verdict of the page: its colour, the number of open hits, the short summary, and the address to search the name."""

    colour: str
    open_hits: int
    digest: SummaryDigest
    search_address: str


def build_verdict(document: VerifyResponse, language: Language) -> VerificationVerdict:
    """The verdict. Open hits are never green; what could not be screened is not clear."""
    screening, status = document.sanctions, document.results.status
    hits = screening.open_hits if screening is not None else 0
    colour = OUTCOME_COLOUR[status]
    if hits > 0:
        colour = "bad"
    elif colour == "good" and screening is not None and not screening.is_complete:
        colour = "warn"
    submitted, business_id = document.meta.submitted, document.meta.business_id
    search = urlencode({"name": submitted.legal_name, **({"business": business_id} if business_id is not None else {})})
    return VerificationVerdict(colour, hits, build_summary_digest(document, language), f"/console/search?{search}")


def build_rows(document: VerifyResponse) -> tuple[VerificationRow, ...]:
    """The rows of all fields, with an address followed by its parts, then of the people."""
    return (*_build_field_rows(document), *_build_people_rows(document))


def build_sentences(document: VerifyResponse) -> tuple[VerificationSentence, ...]:
    """The rule-based statements of the summary."""
    anchors = {row.anchor for row in build_rows(document)}
    return tuple(VerificationSentence(one, _find_anchor(one.field, anchors)) for one in document.results.summary_sentences)


def _build_field_rows(document: VerifyResponse) -> Iterator[VerificationRow]:
    fields = document.results.fields
    yield _build_field_row("legalName", fields.legal_name)
    yield _build_field_row("registrationNumber", fields.registration_number)
    if fields.address is None:
        return
    yield _build_field_row("address", fields.address)
    for name, part in fields.address.fields.items():
        if part.provided is not None:
            yield _build_field_row(name, part)


def _build_field_row(name: str, checked: CheckedField | CheckedAddressPart) -> VerificationRow:
    return VerificationRow(
        anchor=f"field-{name}",
        field=name,
        is_part=isinstance(checked, CheckedAddressPart),
        status=checked.status,
        provided=checked.provided,
        registry=checked.registry,
        diff=diff_values(name, checked.status, checked.score, (checked.provided, checked.registry)),
        roles=("", ""),
        score=checked.score,
        threshold=None if isinstance(checked, CheckedAddressPart) else checked.threshold,
        reason=checked.reason,
    )


def _build_people_rows(document: VerifyResponse) -> Iterator[VerificationRow]:
    for number, person in enumerate(document.results.people):
        name = person.registry.name if person.registry is not None else None
        roles = person.registry.roles if person.registry is not None else ()
        yield VerificationRow(
            anchor=f"person-{number}",
            field="person",
            is_part=False,
            status=person.status,
            provided=person.provided,
            registry=name,
            diff=diff_values("person", person.status, person.score, (person.provided, name)),
            roles=(person.role or "", ", ".join(roles)),
            score=person.score,
            threshold=person.threshold,
            reason=person.reason,
        )


def _find_anchor(path: str, anchors: set[str]) -> str:
    """The id of the page section for a path of the document."""
    steps = path.split(".")
    named = f"person-{steps[-1]}" if "people" in steps else f"field-{steps[-1]}"
    if steps[0] == "results" and named in anchors:
        return named
    return _SECTIONS.get(steps[0], "comparison")
