"""The sanctions page: screen a name and show the matches.

The query is part of the URL, so that a screening can be repeated and returned to.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, QueryParams
from starlette.responses import Response

from bonafide.console.frame.console_request import LIMITED_WORK, ServedRuntime, Viewer, check_permission, get_console_request
from bonafide.console.frame.explanation import ExplainedFields, explain_fields
from bonafide.console.frame.forms import FormSubmission, list_problems, parse_form
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Permission
from bonafide.model.screening.requests import DEFAULT_THRESHOLD, DEFAULT_TYPOS, ScreeningAnswer, ScreeningRequest
from bonafide.model.search.match import SanctionsMatch
from bonafide.runtime import Runtime
from bonafide.services.screening.standalone import create_screening, get_official_lists

ADDRESS = "/console/sanctions"
FIELDS = tuple(str(field.alias) for field in ScreeningRequest.model_fields.values())
"""The query parameters of a screening."""
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


@router.get("", dependencies=[LIMITED_WORK])
async def sanctions_page(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The form, and the hits if the URL has a name."""
    submitted = parse_screening_form(request.query_params)
    if submitted.get("query", "") == "":
        return _render_screening(request, runtime, FormSubmission(None, submitted))
    check_permission(signed_in, Permission.WORK)
    submission = parse_form(ScreeningRequest, submitted)
    if submission.value is None:
        return _render_screening(request, runtime, _group_problems(submission), 422)
    try:
        answer = await create_screening(runtime, signed_in.principal, submission.value)
    except ValidationFailed as refusal:
        return _render_screening(request, runtime, _group_problems(FormSubmission(None, submitted, list_problems(refusal))), 422)
    hits = build_hits(request, answer)
    return _render_screening(request, runtime, submission, answer=answer, hits=hits)


def parse_screening_form(query: QueryParams) -> FormData:
    """The form for the query parameters of a URL, with defaults. Country codes may be separated by spaces, commas or semicolons."""
    given = [(name, value) for name, value in query.multi_items() if name in FIELDS and name != "countries"]
    countries = [code for text in query.getlist("countries") for code in text.upper().replace(",", " ").replace(";", " ").split()]
    return FormData([*_DEFAULTS, *given, *(("countries", code) for code in countries)])


def build_hits(request: Request, answer: ScreeningAnswer) -> Sequence[ScreeningHit]:
    """The hits, open ones first, each with the URL of its dismissal form."""
    matches = sorted(answer.screening.matches, key=lambda match: match.dismissed is not None)
    return [build_hit(request, match, _build_dismissal_url(match, request.query_params)) for match in matches]


def build_hit(request: Request, match: SanctionsMatch, dismiss: str | None) -> ScreeningHit:
    """A match with the name of its list and the explanation of its score."""
    return ScreeningHit(match, get_list_title(request, match.source), explain_fields(match.match.fields), dismiss)


def get_list_title(request: Request, key: str) -> str:
    """The name of a list in the language of the page; the key of a list that this release doesn't have."""
    console_request = get_console_request(request)
    source = console_request.runtime.sources.get(key)
    return source.metadata.get_display_name(console_request.language) if source is not None else key


def _build_dismissal_url(match: SanctionsMatch, query: QueryParams) -> str | None:
    if match.entry_id is None or match.digest is None:
        return None
    parameters = [(name, value) for name, value in query.multi_items() if name in FIELDS]
    return f"{ADDRESS}/dismiss?{urlencode([*parameters, ('list', match.source), ('party', match.entry_id)])}"


def _group_problems(submission: FormSubmission[ScreeningRequest]) -> FormSubmission[ScreeningRequest]:
    """Assign problems of list elements (`countries.0`) to the list's field."""
    problems = {path.split(".", maxsplit=1)[0]: message for path, message in submission.problems.items()}
    if "countries" in problems:
        # Clearer than the validator's message about one of the codes.
        problems["countries"] = NO_COUNTRIES
    return FormSubmission(submission.value, submission.raw, problems)


def _render_screening(
    request: Request,
    runtime: Runtime,
    form: FormSubmission[ScreeningRequest],
    status: int = 200,
    answer: ScreeningAnswer | None = None,
    hits: Sequence[ScreeningHit] = (),
) -> Response:
    lists = sorted((get_list_title(request, source.key), source.key) for source in get_official_lists(runtime))
    return render_page(
        request,
        "sanctions/screen.html",
        status,
        form=form,
        answer=answer,
        open_hits=[hit for hit in hits if hit.match.dismissed is None],
        dismissed_hits=[hit for hit in hits if hit.match.dismissed is not None],
        lists=[(key, title) for title, key in lists],
        chosen_lists=form.raw.getlist("sources"),
        countries=" ".join(str(code) for code in form.raw.getlist("countries")),
        is_plain=not any(form.raw.get(name) for name in ("entityType", "countries", "dateOfBirth", "sources")),
        title_of=lambda key: get_list_title(request, key),
    )
