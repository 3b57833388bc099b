"""List the pages of the service from its routes, with a URL for each.

Only the values of path parameters (`{id}`) are defined here, because they depend on stored data.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from bonafide_bench.seeding.seed_data import SeedData

_NO_PAGES = ("/v1/", "/scim/", "/reconcile", "/assets/", "/healthz", "/readyz", "/metrics", "/documents/", "/console/{rest}")
SIGNED_OUT_PAGES = ("/console/sign-in", "/console/link", "/console/unsubscribe")
"""Path prefixes of pages for signed-out users, of one-time links and of links to unsubscribe."""
_REDIRECTING_PAGES = ("/", "/console")
"""Paths that redirect to another page."""
_FILES = (
    ".csv",
    ".svg",
    ".json",
    ".pdf",
    ".zip",
    ".rss",
    "/export",
    "/logo",
    "/suggestions",
    "/refused",
    "/import/{key}",
    "/evidence/{number}",
    "/content",
    "/evidence",
    "/attachments/{item_id}",
    "/exports/{file_name}",
    "/bulk/{id}",
    "/preview/{id}",
    "/results.{format}",
    "/erasures/{id}",
)
"""Path suffixes of downloads, page fragments, and pages that exist only after a form was submitted."""
ADDRESSES: Mapping[str, str] = {
    "/console/businesses/{id}": "/console/businesses/{business}",
    "/console/businesses/{id}/audit": "/console/businesses/{business}/audit?check=yes",
    "/console/businesses/{id}/connections": "/console/businesses/{business}/connections",
    "/console/businesses/{id}/ownership/{claimant}/withdraw": "/console/businesses/{business}/ownership/declared/withdraw",
    "/console/businesses/{id}/discrepancies": "/console/businesses/{reviewed_business}/discrepancies",
    "/console/businesses/{id}/discrepancies/{item_id}": "/console/businesses/{reviewed_business}/discrepancies/{discrepancy}",
    "/console/businesses/{id}/edit": "/console/businesses/{business}/edit",
    "/console/businesses/{id}/ownership": "/console/businesses/{business}/ownership",
    "/console/businesses/{id}/ownership/{claimant}": "/console/businesses/{business}/ownership/declared",
    "/console/businesses/{id}/ownership-reviews/new": "/console/businesses/{reviewed_business}/ownership-reviews/new",
    "/console/businesses/{id}/ownership-reviews/{item_id}": "/console/businesses/{reviewed_business}/ownership-reviews/{review}",
    "/console/businesses/{id}/erase": "/console/businesses/{business}/erase",
    "/console/businesses/{id}/legal-hold": "/console/businesses/{business}/legal-hold",
    "/console/businesses/{id}/timeline": "/console/businesses/{business}/timeline",
    "/console/batches/{id}": "/console/batches/{batch}",
    "/console/cases/{id}": "/console/cases/{case}",
    "/console/manual-checks/{id}": "/console/manual-checks/{manual_check}",
    "/console/risk/draft/rules/{rule_id}": "/console/risk/draft/rules/inactive",
    "/console/risk/versions/{version}": "/console/risk/versions/0",
    "/console/risk/versions/{version}/replay": "/console/risk/versions/0/replay",
    "/console/keys/{id}": "/console/keys/{key}",
    "/console/keys/{id}/revoke": "/console/keys/{key}/revoke",
    "/console/sanctions": "/console/sanctions?query=Sandbox+Sanctioned+Trading",
    "/console/sanctions/dismiss": "/console/sanctions/dismiss?screening={screening}&match=0",
    "/console/sanctions/dismissals/{id}": "/console/sanctions/dismissals/{dismissal}",
    "/console/sanctions/screenings/{id}": "/console/sanctions/screenings/{screening}",
    "/console/searches/{id}": "/console/searches/{search}",
    "/console/sources/{key}": "/console/sources/on",
    "/console/verifications/{id}": "/console/verifications/{verification}",
    "/console/webhooks/{id}": "/console/webhooks/{webhook}",
    "/console/webhooks/{id}/delete": "/console/webhooks/{webhook}/delete",
    "/docs/api/schemas/{name}": "/docs/api/schemas/SearchResult",
    "/docs/api/{slug}": "/docs/api/searches",
    "/docs/{path}": "/docs/quickstart",
}
"""The URL of each template that has parameters; placeholders are the fields of `SeedData`."""

VARIANT_ADDRESSES = (
    "/console/cases?assignee=none&kind=sanctions_hit",
    "/console/cases?status=all&sort=newest",
    "/console/cases?text=nobody",
    "/console/businesses?monitored=yes",
    "/console/find?q=sandbox",
    "/console/searches?hits=open",
    "/console/businesses?text=nobody",
    "/console/events?type=report.ready&severity=critical",
    "/console/events?business={business}",
    "/console/sanctions/screenings?text=nobody",
    "/console/searches?text=holdings",
    "/console/searches?text=nobody",
    "/console/searches/{search_to_review}",
    "/console/searches/{search_without_match}",
    "/console/verifications/{failed_verification}",
    "/console/webhooks/{webhook}?status=exhausted",
)
"""Further URLs that show variants of these pages, with the same placeholders."""


def list_page_templates(app: FastAPI) -> list[str]:
    """The path templates (`/console/searches/{id}`) of pages for signed-in users, sorted."""
    found = set()
    for context in iter_route_contexts(app.routes):
        template = context.path_format
        if template is not None and "GET" in (context.methods or ()) and _may_be_page(template):
            found.add(template)
    return sorted(found)


def list_page_addresses(app: FastAPI, lived_in: SeedData) -> Iterator[tuple[str, str]]:
    """Yield each template with a URL, then the variants. Raises `KeyError` for a template without known parameter values."""
    for template in (*list_page_templates(app), *VARIANT_ADDRESSES):
        yield template, build_page_address(template, lived_in)


def build_page_address(template: str, lived_in: SeedData) -> str:
    """The URL of a template. Raises `KeyError` if it is not defined."""
    is_written = "{" in template and template not in VARIANT_ADDRESSES
    address = ADDRESSES[template] if is_written else ADDRESSES.get(template, template)
    return address.format(**asdict(lived_in))


def _may_be_page(template: str) -> bool:
    is_elsewhere = template in _REDIRECTING_PAGES or template.startswith((*_NO_PAGES, *SIGNED_OUT_PAGES))
    return not is_elsewhere and not template.endswith(_FILES)
