"""Shorten the summary of a verification: the result, three to five points with their sources, and the next steps.

It uses the sentences of the rule-based summary, so that both agree. A point joins the sentences about one subject.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from bonafide.matching.summary.field_sentences import (
    describe_address,
    describe_confirmed_people,
    describe_differing_people,
    describe_good_standing,
    describe_name,
    describe_number,
    describe_status,
    describe_unclaimed_people,
    describe_unknown_fields,
)
from bonafide.matching.summary.screening_sentences import describe_screening
from bonafide.matching.summary.summarizer import describe_next_steps, describe_result
from bonafide.matching.summary.summary_context import FactSentence, SummaryContext
from bonafide.matching.verification.claim_comparison import NOT_ACTIVE
from bonafide.model.entity import StatusCode
from bonafide.model.search.match import Screening
from bonafide.model.verification.results import CheckStatus

MAX_POINTS = 5
_MIN_OTHERS = 2
"""Points that are left for what is in order, however much differs."""
_ABNORMAL = frozenset({*NOT_ACTIVE, StatusCode.PENDING_DISSOLUTION, StatusCode.UNKNOWN})


class SummarySourceKind(StrEnum):
    """What a sentence is based on."""

    REGISTER = "register"
    """The data of the register, or that it has no such number."""
    SANCTIONS = "sanctions"
    SUBMITTED = "submitted"
    """The request and the settings of the verification."""


@dataclass(frozen=True, slots=True)
class SummaryPoint:
    """Sentences about one subject, and what they are based on; `field` is the path of the subject in the document."""

    text: str
    field: str
    sources: tuple[SummarySourceKind, ...]


@dataclass(frozen=True, slots=True)
class SummaryDigest:
    """The short summary. `more` is the number of discrepancies that are not among the points.

    `sources` are those of the points in the order of their first use: the number of a footnote is the place in this list.
    """

    verdict: SummaryPoint
    points: tuple[SummaryPoint, ...]
    more: int
    steps: tuple[SummaryPoint, ...]

    @property
    def sources(self) -> tuple[SummarySourceKind, ...]:
        """What the verdict and the points are based on, each once."""
        return tuple(dict.fromkeys(source for point in (self.verdict, *self.points) for source in point.sources))


def build_digest(story: SummaryContext) -> SummaryDigest:
    """Shorten a verification: what a person has to act on comes first, then what is in order."""
    alarms = [_join(story, sentences) for sentences in _list_alarms(story) if sentences]
    differences = [_join(story, sentences) for sentences in _list_differences(story) if sentences]
    shown = differences[: max(MAX_POINTS - len(alarms) - _MIN_OTHERS, 1)]
    rest = [_join(story, sentences) for sentences in _list_other_subjects(story) if sentences]
    points = (*alarms, *shown, *rest)[:MAX_POINTS]
    steps = tuple(_join(story, [sentence]) for sentence in describe_next_steps(story))
    return SummaryDigest(_join(story, [describe_result(story)]), points, len(differences) - len(shown), steps)


def _join(story: SummaryContext, sentences: Iterable[FactSentence]) -> SummaryPoint:
    listed = list(sentences)
    sources = tuple(dict.fromkeys(_find_source(story, sentence) for sentence in listed))
    return SummaryPoint(" ".join(sentence.text for sentence in listed), listed[0].field, sources)


def _find_source(story: SummaryContext, sentence: FactSentence) -> SummarySourceKind:
    """What a sentence is based on. Without a report it is the register's answer that it has no such number."""
    part = sentence.field.partition(".")[0]
    if part == "sanctions":
        return SummarySourceKind.SANCTIONS
    if part == "meta" or (story.report is not None and sentence.evidence is None):
        return SummarySourceKind.SUBMITTED
    return SummarySourceKind.REGISTER


def _list_alarms(story: SummaryContext) -> Iterator[list[FactSentence]]:
    """Hits, an incomplete screening, and a status other than active or good."""
    if story.sanctions is not None and not _is_clear(story.sanctions):
        yield list(describe_screening(story, story.sanctions))
    if story.report is not None and _is_abnormal(story):
        yield _describe_standing(story)


def _list_differences(story: SummaryContext) -> Iterator[list[FactSentence]]:
    """One point for each field and person that differs."""
    fields = story.findings.fields
    if fields.legal_name.status is CheckStatus.MISMATCHED:
        yield list(describe_name(story))
    if fields.registration_number.status is CheckStatus.MISMATCHED:
        yield list(describe_number(story))
    if fields.address is not None and fields.address.status is CheckStatus.MISMATCHED:
        sentences = list(describe_address(story))
        # The comparison has the values of the parts, which the sentences between the first and the last one repeat.
        yield [*sentences[:1], *sentences[1:][-1:]]
    yield from ([person] for person in describe_differing_people(story))
    yield list(describe_unclaimed_people(story))


def _list_other_subjects(story: SummaryContext) -> Iterator[list[FactSentence]]:
    """The status, the fields that match, a clear screening, and what could not be compared."""
    if story.report is not None and not _is_abnormal(story):
        yield _describe_standing(story)
    if story.sanctions is not None and _is_clear(story.sanctions):
        yield list(describe_screening(story, story.sanctions))
    if story.report is not None:
        yield [*_describe_matches(story), *describe_confirmed_people(story)]
    yield [sentence for sentence in describe_unknown_fields(story) if sentence.field != "registryData.notes"]


def _describe_matches(story: SummaryContext) -> Iterator[FactSentence]:
    fields = story.findings.fields
    if fields.legal_name.status is CheckStatus.MATCHED:
        yield from describe_name(story)
    if fields.registration_number.status is CheckStatus.MATCHED:
        yield from describe_number(story)
    if fields.address is not None and fields.address.status is CheckStatus.MATCHED:
        yield from describe_address(story)


def _is_clear(screening: Screening) -> bool:
    return screening.open_hits == 0 and screening.is_complete


def _is_abnormal(story: SummaryContext) -> bool:
    """Whether the register states another status than active, or that the business is not in good standing."""
    report = story.report
    return report is not None and (report.status_code in _ABNORMAL or report.business_report.details.good_standing is False)


def _describe_standing(story: SummaryContext) -> list[FactSentence]:
    """The status and, if the register states it, whether the business is in good standing."""
    report = story.report
    if report is None:
        return []
    standing = [] if report.business_report.details.good_standing is None else [describe_good_standing(story, report)]
    return [describe_status(story, report), *standing]
