"""The page of monitoring: records by status, what they are watched for, and the sources that hold evaluations up."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.frame.console_request import ServedRuntime, Viewer
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.monitoring import labels
from bonafide.model.monitoring.evaluations import MonitoredSource
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.monitoring import status

MONITORING = "/console/monitoring"
MAX_RECORDS = 25
"""Records that were never evaluated of which the page lists the names."""
_WITH_SOURCES = frozenset({MonitoringKind.SANCTIONS, MonitoringKind.REGISTRY, MonitoringKind.LICENCES})
"""What records are watched for by comparing them with sources."""
router = APIRouter(prefix=MONITORING, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def read_monitoring(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The state of monitoring in the organization."""
    organization_id = signed_in.organization_id
    overview = await status.read_organization_overview(runtime, organization_id, signed_in.membership.world)
    is_any_missing = overview.counts.never_evaluated > 0
    return render_page(
        request,
        "monitoring/overview.html",
        overview=overview,
        policy=(await read_settings(runtime, organization_id)).monitoring,
        never_evaluated=await status.list_never_evaluated(runtime, organization_id, MAX_RECORDS) if is_any_missing else (),
        name_of=get_display_name,
        held_up=[source for source in overview.sources if _is_held_up(source)],
        up_to_date=[source for source in overview.sources if not _is_held_up(source)],
        kinds_with_sources=_WITH_SOURCES,
        monitoring_labels=labels,
        sources={source.key: source.metadata for source in runtime.sources.values()},
    )


def _is_held_up(source: MonitoredSource) -> bool:
    return source.reason is not None or source.records_not_evaluated > 0
