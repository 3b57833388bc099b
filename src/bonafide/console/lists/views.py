"""Save the filter of a list as a view, choose the default view, and delete views."""

from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import PathId, ServedRuntime, Viewer, build_author
from bonafide.console.frame.forms import FormSubmission, create_form_parser, parse_choice, read_form
from bonafide.console.frame.responses import redirect
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import DEFINITIONS
from bonafide.console.lists.list_filter import ListQuery
from bonafide.errors import NotFound, ValidationFailed
from bonafide.i18n.message import join_messages
from bonafide.model.lists.saved_views import ListName, SavedView, SavedViewForm
from bonafide.services.lists import saved_views

ADDRESS = "/console/views"
VIEW_PATH = "/{id}"
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@router.post(f"{VIEW_PATH}/default")
async def set_default(request: Request, signed_in: Viewer, runtime: ServedRuntime, view_id: PathId) -> Response:
    """Let the list open with the view (`default=yes`), or no longer."""
    is_default = (await read_form(request)).get("default") == "yes"
    view = await saved_views.set_default_view(runtime, signed_in, view_id, build_author(request, signed_in), is_default=is_default)
    return redirect(request, _build_address(view))


@router.post(f"{VIEW_PATH}/delete")
async def delete(request: Request, signed_in: Viewer, runtime: ServedRuntime, view_id: PathId) -> Response:
    """Delete the view."""
    view = await saved_views.delete_view(runtime, signed_in, view_id, build_author(request, signed_in))
    return redirect(request, DEFINITIONS[view.list].parse({}).all_address)


@router.post("")
async def save(
    request: Request,
    signed_in: Viewer,
    runtime: ServedRuntime,
    form: Annotated[FormSubmission[SavedViewForm], Depends(create_form_parser(SavedViewForm))],
) -> Response:
    """Save the filter (`query`) of a list (`list`) as a view. Raises `ValidationFailed` without a name."""
    name = parse_choice(ListName, form.shown("list"))
    if name is None or name not in DEFINITIONS:
        raise NotFound
    if form.value is None:
        raise ValidationFailed(join_messages(form.problems.values()))
    query = DEFINITIONS[name].parse(dict(parse_qsl(form.shown("query"))))
    view = await saved_views.save_view(runtime, signed_in, name, query.query, form.value, build_author(request, signed_in))
    return redirect(request, _build_address(view))


def _build_address(view: SavedView) -> str:
    definition = DEFINITIONS[view.list]
    return ListQuery(definition, definition.parse(dict(parse_qsl(view.query))).values, view=str(view.id)).build_address()
