"""Write the sentences of a summary about the sanctions screening: what was screened, the open hits, and what was not screened."""

from collections.abc import Iterator

from bonafide.i18n.message import Message, plural_message
from bonafide.matching.summary.summary_context import FactSentence, SummaryContext
from bonafide.model.ownership.roll_up import DeemedStatus
from bonafide.model.search.match import Screening, ScreeningStatus

HITS = "sanctions.openHits"
LISTS = "sanctions.lists"
MISSING_LISTS = "sanctions.listsNotScreened"
OWNERSHIP = "sanctions.ownership"
PARTIES = "sanctions.subjects"
STATUS = "sanctions.status"
MAX_NAMES = 5
"""Most names with open hits that a sentence lists."""
_OWNERSHIP_SENTENCES = {
    DeemedStatus.DEEMED: Message("Owners with open hits own or control half of the business or more."),
    DeemedStatus.POSSIBLE: Message("Owners with open hits may own or control half of the business or more."),
    DeemedStatus.UNDETERMINED: Message("Whether listed parties own or control half of the business could not be determined."),
}


def describe_screening(story: SummaryContext, screening: Screening) -> Iterator[FactSentence]:
    """The outcome of the screening. What could not be screened is stated, and never counts as clear."""
    wording, unscreened = story.wording, len(screening.unscreened_subjects)
    if screening.status is ScreeningStatus.SCREENED and not screening.lists:
        yield story.describe_request(Message("No sanctions list could be screened, so that the result is not clear."), LISTS)
        return
    if screening.status is ScreeningStatus.NOT_SCREENED:
        template = Message("The name {name} could not be screened against sanctions lists, so that the result is not clear.")
        yield story.describe_request(template, STATUS, name=wording.quoted(screening.query))
    count = len(screening.subjects) - unscreened + (screening.status is ScreeningStatus.SCREENED)
    if count:
        template = plural_message(
            "{n} name was screened against sanctions lists.", "{n} names and people were screened against sanctions lists.", count
        )
        yield story.describe_request(template, PARTIES, n=str(count))
    yield from _describe_hits(story, screening)
    if unscreened:
        template = plural_message(
            "{n} party could not be screened, so that no hit of it is not a clear result.",
            "{n} parties could not be screened, so that no hit of them is not a clear result.",
            unscreened,
        )
        yield story.describe_request(template, PARTIES, n=str(unscreened))
    missing = len(screening.lists_not_screened)
    if missing and screening.status is ScreeningStatus.SCREENED:
        template = plural_message(
            "{n} sanctions list could not be screened.", "{n} sanctions lists could not be screened.", missing
        )
        yield story.describe_request(template, MISSING_LISTS, n=str(missing))
    ownership = screening.ownership
    if ownership is not None and ownership.status in _OWNERSHIP_SENTENCES:
        yield story.describe_request(_OWNERSHIP_SENTENCES[ownership.status], f"{OWNERSHIP}.status")


def _describe_hits(story: SummaryContext, screening: Screening) -> Iterator[FactSentence]:
    count = screening.open_hits
    if count == 0:
        template = (
            Message("No open hits were found.")
            if screening.is_complete
            else Message("No open hits were found in what was screened.")
        )
        yield story.describe_request(template, HITS)
        return
    template = plural_message("{n} open hit was found.", "{n} open hits were found.", count)
    yield story.describe_request(template, HITS, n=str(count))
    names = list(dict.fromkeys(_list_names_with_hits(screening)))
    listed = story.wording.listed([story.wording.quoted(name) for name in names[:MAX_NAMES]])
    is_all = len(names) <= MAX_NAMES
    template = Message("Names with open hits: {names}.") if is_all else Message("Names with open hits: {names}, and others.")
    yield story.describe_request(template, HITS, names=listed)


def _list_names_with_hits(screening: Screening) -> Iterator[str]:
    if any(match.dismissed is None for match in screening.matches):
        yield screening.query
    yield from (subject.name for subject in screening.subjects if subject.open_hits > 0)


def list_screening_steps(screening: Screening) -> Iterator[tuple[Message, str]]:
    """The next steps that follow from the screening, each with the field that it is about."""
    if screening.open_hits > 0:
        yield Message("Have a person decide on the open hits before any agreement with the business."), HITS
    if not screening.is_complete:
        yield Message("Screen again what could not be screened."), MISSING_LISTS if screening.lists_not_screened else PARTIES
    ownership = screening.ownership
    if ownership is not None and ownership.status is DeemedStatus.UNDETERMINED:
        yield Message("Ask the business who its owners are."), OWNERSHIP
