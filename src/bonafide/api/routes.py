"""All routers of the API, in the order in which the OpenAPI description lists their operations."""

from fastapi import APIRouter

from bonafide.api.batches import endpoints as batch_endpoints
from bonafide.api.endpoints import (
    businesses,
    cases,
    coverage,
    discrepancies,
    documents,
    events,
    manual_checks,
    monitoring,
    ownership,
    packs,
    prefill,
    probes,
    reports,
    risk,
    sanctions,
    searches,
    settings,
    timeline,
    verifications,
    webhooks,
)

ROUTERS: tuple[APIRouter, ...] = (
    searches.router,
    verifications.router,
    sanctions.router,
    businesses.router,
    timeline.router,
    ownership.router,
    discrepancies.router,
    documents.router,
    monitoring.router,
    cases.router,
    manual_checks.router,
    events.router,
    webhooks.router,
    risk.router,
    settings.router,
    reports.router,
    packs.router,
    batch_endpoints.router,
    coverage.router,
    prefill.router,
    probes.router,
)
