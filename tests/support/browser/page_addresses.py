"""Every address at which there is a page to look at, read from the routes."""

from collections.abc import Iterator

from fastapi import FastAPI

from bonafide.console.routes import ROUTERS
from bonafide.docs_site.routes import router as documentation
from bonafide_bench.seeding.console_pages import VARIANT_ADDRESSES, build_page_address, list_page_templates
from tests.support.browser.members import LivedInBy

NOWHERE = "/console/no-such-page"


def every_template() -> list[str]:
    """The templates of all addresses."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    for router in (documentation, *ROUTERS):
        app.include_router(router)
    return [*list_page_templates(app), *VARIANT_ADDRESSES, NOWHERE]


def every_address(lived_in: LivedInBy) -> Iterator[tuple[str, str]]:
    """Each template with an address of it."""
    for template in every_template():
        yield template, build_page_address(template, lived_in.made)
