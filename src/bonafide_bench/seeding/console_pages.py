"""List the pages of the service from its routes, with an address for each.

Only what stands in place of the blanks of an address (`{id}`) is written down here, for it depends on what is stored.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from bonafide_bench.seeding.seed_data import SeedData

_NO_PAGES = ("/v1/", "/assets/", "/healthz", "/readyz", "/metrics", "/documents/", "/console/{rest}")
SIGNED_OUT_PAGES = ("/console/sign-in", "/console/link")
"""How the addresses begin of what only those see who are not signed in, or act on a link that works once."""
_REDIRECTING_PAGES = ("/", "/console")
"""Which lead on to another page."""
_FILES = (".csv", ".json", ".pdf", ".rss", "/export", "/logo", "/suggestions", "/refused", "/import/{key}", "/evidence/{number}")
"""How the addresses end of what is saved, is a part of a page, or is there only after something was sent."""
ADDRESSES: Mapping[str, str] = {
    "/console/businesses/{id}": "/console/businesses/{business}",
    "/console/businesses/{id}/audit": "/console/businesses/{business}/audit?check=yes",
    "/console/businesses/{id}/edit": "/console/businesses/{business}/edit",
    "/console/keys/{id}": "/console/keys/{key}",
    "/console/keys/{id}/revoke": "/console/keys/{key}/revoke",
    "/console/sanctions": "/console/sanctions?query=Sandbox+Sanctioned+Trading",
    "/console/sanctions/dismiss": "/console/sanctions/dismiss?query=Sandbox+Sanctioned+Trading&list={list}&party={party}",
    "/console/sanctions/dismissals/{id}": "/console/sanctions/dismissals/{dismissal}",
    "/console/searches/{id}": "/console/searches/{search}",
    "/console/sources/{key}": "/console/sources/on",
    "/console/verifications/{id}": "/console/verifications/{verification}",
    "/docs/api/schemas/{name}": "/docs/api/schemas/SearchResult",
    "/docs/api/{slug}": "/docs/api/searches",
    "/docs/{path}": "/docs/quickstart",
}
"""By template, the address to open where it is not the template itself; blanks are named as in `SeedData`."""

VARIANT_ADDRESSES = (
    "/console/businesses?text=nobody",
    "/console/searches?text=holdings",
    "/console/searches?text=nobody",
    "/console/searches/{search_to_review}",
    "/console/searches/{search_without_match}",
    "/console/verifications/{failed_verification}",
)
"""Addresses of pages that look, or are found, otherwise than with what `ADDRESSES` says; the same blanks."""


def list_page_templates(app: FastAPI) -> list[str]:
    """The path templates (`/console/searches/{id}`) that may show somebody who is signed in a page, sorted."""
    found = set()
    for context in iter_route_contexts(app.routes):
        template = context.path_format
        if template is not None and "GET" in (context.methods or ()) and _may_be_page(template):
            found.add(template)
    return sorted(found)


def list_page_addresses(app: FastAPI, lived_in: SeedData) -> Iterator[tuple[str, str]]:
    """Each template with an address of it, then the others. Raises `KeyError` for a template whose blanks nobody can fill."""
    for template in (*list_page_templates(app), *VARIANT_ADDRESSES):
        yield template, build_page_address(template, lived_in)


def build_page_address(template: str, lived_in: SeedData) -> str:
    """An address of the template. Raises `KeyError` where that is not written down."""
    is_written = "{" in template and template not in VARIANT_ADDRESSES
    address = ADDRESSES[template] if is_written else ADDRESSES.get(template, template)
    return address.format(**asdict(lived_in))


def _may_be_page(template: str) -> bool:
    is_elsewhere = template in _REDIRECTING_PAGES or template.startswith((*_NO_PAGES, *SIGNED_OUT_PAGES))
    return not is_elsewhere and not template.endswith(_FILES)
