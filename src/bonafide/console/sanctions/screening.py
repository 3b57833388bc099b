"""The sanctions page: the form to screen a name. Every screening is stored, and its page is in `history`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, QueryParams
from starlette.responses import Response

from bonafide.console.frame.console_request import LIMITED_WORK, Analyst, ServedRuntime, Viewer, get_console_request
from bonafide.console.frame.explanation import ExplainedFields, explain_fields
from bonafide.console.frame.forms import FormSubmission, list_problems, parse_form, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.screening.requests import DEFAULT_THRESHOLD, DEFAULT_TYPOS, ScreeningRequest
from bonafide.model.search.match import SanctionsMatch, ScreenedSubject, Screening
from bonafide.runtime import Runtime
from bonafide.services.screening.history import create_screening
from bonafide.services.screening.standalone import get_official_lists

ADDRESS = "/console/sanctions"
FIELDS = tuple(str(field.alias) for field in ScreeningRequest.model_fields.values())
"""The form's fields, which a URL may fill in."""
NO_COUNTRIES = Message("must be two-letter country codes")
_DEFAULTS = (("nameVariants", "true"), ("typoTolerance", str(DEFAULT_TYPOS)), ("threshold", str(DEFAULT_THRESHOLD)))
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class ScreeningHit:
    """A hit as the page shows it. `dismiss` is the URL of the dismissal form; None if the hit can't be dismissed."""

    match: SanctionsMatch
    list_title: str
    why: ExplainedFields
    dismiss: str | None


@dataclass(frozen=True, slots=True)
class ScreeningView:
    """The hits of a screening as a page shows them: those of the screened name, and those of each further party."""

    open_hits: tuple[ScreeningHit, ...]
    dismissed_hits: tuple[ScreeningHit, ...]
    subject_hits: tuple[tuple[ScreenedSubject, tuple[ScreeningHit, ...]], ...]


@router.get("")
async def sanctions_page(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The form, filled in from the parameters of the URL. Nothing is screened."""
    del signed_in
    return _render_form(request, runtime, FormSubmission(None, parse_screening_form(request.query_params)))


@router.post("", dependencies=[LIMITED_WORK])
async def screen(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Screen the name, store the screening and redirect to its page."""
    submitted = parse_screening_form(await read_form(request))
    submission = parse_form(ScreeningRequest, submitted)
    if submission.value is None:
        return _render_form(request, runtime, _group_problems(submission), 422)
    try:
        answer = await create_screening(runtime, signed_in.principal, submission.value)
    except ValidationFailed as refusal:
        return _render_form(request, runtime, _group_problems(FormSubmission(None, submitted, list_problems(refusal))), 422)
    return redirect(request, f"{ADDRESS}/screenings/{answer.meta.screening_id}")


def parse_screening_form(given: QueryParams | FormData) -> FormData:
    """The fields of a screening, with defaults. Country codes may be separated by spaces, commas or semicolons."""
    fields = [(name, value) for name, value in given.multi_items() if name in FIELDS and name != "countries"]
    texts = [text for text in given.getlist("countries") if isinstance(text, str)]
    countries = [code for text in texts for code in text.upper().replace(",", " ").replace(";", " ").split()]
    return FormData([*_DEFAULTS, *fields, *(("countries", code) for code in countries)])


def build_hit(request: Request, match: SanctionsMatch, dismiss: str | None) -> ScreeningHit:
    """A match with the name of its list and the explanation of its score."""
    return ScreeningHit(match, get_list_title(request, match.source), explain_fields(match.match.fields), dismiss)


def build_screening_view(request: Request, screening: Screening, document: Mapping[str, UUID]) -> ScreeningView:
    """The hits with the URLs of their dismissal forms; `document` is the parameter that names the document with the screening."""
    hits = _build_hits(request, screening.matches, document)
    return ScreeningView(
        open_hits=tuple(hit for hit in hits if hit.match.dismissed is None),
        dismissed_hits=tuple(hit for hit in hits if hit.match.dismissed is not None),
        subject_hits=tuple(
            (subject, _build_hits(request, subject.matches, {**document, "subject": subject.subject_id}))
            for subject in screening.subjects
            if subject.matches
        ),
    )


def _build_hits(request: Request, matches: Sequence[SanctionsMatch], parameters: Mapping[str, UUID]) -> tuple[ScreeningHit, ...]:
    hits = []
    for place, match in enumerate(matches):
        can_dismiss = match.entry_id is not None and match.digest is not None and match.dismissed is None
        address = f"{ADDRESS}/dismiss?{urlencode({**parameters, 'match': place})}" if can_dismiss else None
        hits.append(build_hit(request, match, address))
    return tuple(hits)


def get_list_title(request: Request, key: str) -> str:
    """The name of a list in the language of the page; the key of a list that this release doesn't have."""
    console_request = get_console_request(request)
    source = console_request.runtime.sources.get(key)
    return source.metadata.get_display_name(console_request.language) if source is not None else key


def _group_problems(submission: FormSubmission[ScreeningRequest]) -> FormSubmission[ScreeningRequest]:
    """Assign problems of list elements (`countries.0`) to the list's field."""
    problems = {path.split(".", maxsplit=1)[0]: message for path, message in submission.problems.items()}
    if "countries" in problems:
        # Clearer than the validator's message about one of the codes.
        problems["countries"] = NO_COUNTRIES
    return FormSubmission(submission.value, submission.raw, problems)


def _render_form(request: Request, runtime: Runtime, form: FormSubmission[ScreeningRequest], status: int = 200) -> Response:
    lists = sorted((get_list_title(request, source.key), source.key) for source in get_official_lists(runtime))
    return render_page(
        request,
        "sanctions/screen.html",
        status,
        form=form,
        lists=[(key, title) for title, key in lists],
        chosen_lists=form.raw.getlist("sources"),
        countries=" ".join(str(code) for code in form.raw.getlist("countries")),
        is_plain=not any(form.raw.get(name) for name in ("entityType", "countries", "dateOfBirth", "sources")),
    )
