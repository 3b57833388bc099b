"""All routers of the console, in the order in which they are tried. Each module of pages has one; nothing else is here."""

from fastapi import APIRouter

from bonafide.console import (
    businesses,
    dismissals,
    keys,
    links,
    members,
    profile,
    record_files,
    record_trail,
    results,
    review,
    sanctions,
    search,
    searches,
    settings,
    sign_in,
    sources,
    start,
    verification_files,
    verifications,
)

ROUTERS: tuple[APIRouter, ...] = (
    start.router,
    sign_in.router,
    links.router,
    members.router,
    profile.router,
    sources.router,
    keys.router,
    settings.router,
    search.router,
    searches.router,
    results.router,
    review.router,
    verifications.router,
    verification_files.router,
    sanctions.router,
    dismissals.router,
    record_files.router,
    record_trail.router,
    businesses.router,
    start.last,
)
