"""The sanctions page: screen a name and show the matches.

The query is part of the URL, so that a screening can be repeated and returned to.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, QueryParams
from starlette.responses import Response

from bonafide.console.frame.console_request import LIMITED_WORK, ServedRuntime, Viewer, check_permission
from bonafide.console.frame.explanation import ExplainedFields, explain_fields
from bonafide.console.frame.forms import FormSubmission, list_problems, parse_form
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ValidationFailed
from bonafide.model.accounts.users import Permission
from bonafide.model.screening.requests import DEFAULT_THRESHOLD, DEFAULT_TYPOS, ScreeningAnswer, ScreeningRequest
from bonafide.model.search.match import SanctionsMatch
from bonafide.runtime import Runtime
from bonafide.services.screening.standalone import create_screening, get_official_lists

ADDRESS = "/console/sanctions"
FIELDS = tuple(str(field.alias) for field in ScreeningRequest.model_fields.values())
"""What a screening's address may say."""
NO_COUNTRIES = "must be codes of countries, two letters each"
_DEFAULTS = (("nameVariants", "true"), ("typoTolerance", str(DEFAULT_TYPOS)), ("threshold", str(DEFAULT_THRESHOLD)))
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class ScreeningHit:
    """A listed party as the page shows it. `dismiss` is where it can be dismissed; None for who may not, or where it can't."""

    match: SanctionsMatch
    list_title: str
    why: ExplainedFields
    dismiss: str | None


@router.get("", dependencies=[LIMITED_WORK])
async def sanctions_page(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The form, and with a name in the address the answer."""
    asked = parse_screening_form(request.query_params)
    if asked.get("query", "") == "":
        return _render_screening(request, runtime, FormSubmission(None, asked))
    check_permission(signed_in, Permission.WORK)
    submission = parse_form(ScreeningRequest, asked)
    if submission.value is None:
        return _render_screening(request, runtime, _group_problems(submission), 422)
    try:
        answer = await create_screening(runtime, signed_in.principal, submission.value)
    except ValidationFailed as refusal:
        return _render_screening(request, runtime, _group_problems(FormSubmission(None, asked, list_problems(refusal))), 422)
    hits = build_hits(runtime, answer, request.query_params)
    return _render_screening(request, runtime, submission, answer=answer, hits=hits)


def parse_screening_form(query: QueryParams) -> FormData:
    """The form that an address means: what it leaves out is as it is by default, and countries come in one text."""
    given = [(name, value) for name, value in query.multi_items() if name in FIELDS and name != "countries"]
    countries = [code for text in query.getlist("countries") for code in text.upper().replace(",", " ").replace(";", " ").split()]
    return FormData([*_DEFAULTS, *given, *(("countries", code) for code in countries)])


def build_hits(runtime: Runtime, answer: ScreeningAnswer, query: QueryParams) -> Sequence[ScreeningHit]:
    """The matches, those that are open first; each with the address at which it can be dismissed."""
    matches = sorted(answer.screening.matches, key=lambda match: match.dismissed is not None)
    return [build_hit(runtime, match, _build_dismissal_url(match, query)) for match in matches]


def build_hit(runtime: Runtime, match: SanctionsMatch, dismiss: str | None) -> ScreeningHit:
    """A match with its list's title and its explanation."""
    return ScreeningHit(match, get_list_title(runtime, match.source), explain_fields(match.match.fields), dismiss)


def get_list_title(runtime: Runtime, key: str) -> str:
    """What a list is called; one that this release does not know any more goes by its key."""
    source = runtime.sources.get(key)
    return source.metadata.title if source is not None else key


def _build_dismissal_url(match: SanctionsMatch, query: QueryParams) -> str | None:
    if match.entry_id is None or match.digest is None:
        return None
    asked = [(name, value) for name, value in query.multi_items() if name in FIELDS]
    return f"{ADDRESS}/dismiss?{urlencode([*asked, ('list', match.source), ('party', match.entry_id)])}"


def _group_problems(submission: FormSubmission[ScreeningRequest]) -> FormSubmission[ScreeningRequest]:
    """Problems of a list's elements (`countries.0`) are told at the list."""
    problems = {path.split(".", maxsplit=1)[0]: said for path, said in submission.problems.items()}
    if "countries" in problems:
        # Of one code among several the validator says less than this does.
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
    lists = sorted(get_official_lists(runtime), key=lambda source: source.metadata.title)
    return render_page(
        request,
        "sanctions/screen.html",
        status,
        form=form,
        answer=answer,
        open_hits=[hit for hit in hits if hit.match.dismissed is None],
        dismissed_hits=[hit for hit in hits if hit.match.dismissed is not None],
        lists=[(source.key, source.metadata.title) for source in lists],
        chosen_lists=form.raw.getlist("sources"),
        countries=" ".join(str(code) for code in form.raw.getlist("countries")),
        is_plain=not any(form.raw.get(name) for name in ("entityType", "countries", "dateOfBirth", "sources")),
        title_of=lambda key: get_list_title(runtime, key),
    )
