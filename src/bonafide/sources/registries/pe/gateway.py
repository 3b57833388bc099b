"""Send requests to the gateway of Prince Edward Island's registry pages, and parse the tree of display elements it returns.

The gateway serves many services of the province and returns the elements of a page. `search` and `record` interpret them.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from bonafide.errors import ParseFailed, SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.net.http_messages import SourceRequest
from bonafide.sources.framework.live import ADDRESS_NOT_FOUND, LiveContext, read_json

SERVICE = "BusinessAPI"
SEARCH, VIEW = "BusinessSearch", "BusinessView"
# The headers of the province's own pages.
HEADERS = {"Accept": "application/json", "Client-Show-Status": "true"}
FORM: Mapping[str, None] = dict.fromkeys(("name", "business_number", "company_type", "status"))
"""All fields of the search form, null if blank. The gateway refuses a request without one of them."""
ROW, CELL, HEADER, LINK, PARAGRAPH = "TableV2Row", "TableV2Cell", "TableV2Header", "LinkV2", "Paragraph"
REFUSED, NOTHING_FOUND = "refused", "nothing found"
"""The meanings of the gateway's sentences (`terms` of the metadata)."""
# Only with a semicolon: `html.unescape` also converts a name such as B&REG.
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]\w*);")


@dataclass(frozen=True, slots=True)
class PageElement:
    """A display element: its kind, text, link parameters and children."""

    kind: str
    text: str | None
    parameters: Mapping[str, str]
    children: tuple["PageElement", ...]

    def below(self, kind: str) -> Iterator["PageElement"]:
        """The descendants of a kind, from top to bottom."""
        for child in self.children:
            if child.kind == kind:
                yield child
            yield from child.below(kind)

    def own(self, kind: str) -> list["PageElement"]:
        """The children of a kind."""
        return [child for child in self.children if child.kind == kind]

    def texts(self) -> Iterator[str]:
        """All texts in the element."""
        if self.text is not None:
            yield self.text
        for child in self.children:
            yield from child.texts()


async def fetch_page(activity: str, variables: Mapping[str, str], context: LiveContext) -> PageElement:
    """Fetch the page of an activity. Raises a `SourceError`, also if the gateway only returns that it is not available."""
    answer = await context.ask(
        SourceRequest(context.live.base_url, headers=HEADERS, method="POST", json=_build_body(activity, variables))
    )
    if not answer.found:
        raise SourceUnavailable(ADDRESS_NOT_FOUND.fill(source=context.metadata.title, url=context.live.base_url))
    page = _parse_page(read_json(answer))
    if has_message(page, REFUSED, context):
        sentence = Message(
            "The register’s gateway reports that the service is not available. It returns the same for an outage, an invalid "
            "request and an unknown record."
        )
        raise SourceUnavailable(sentence)
    return page


def has_message(page: PageElement, meaning: str, context: LiveContext) -> bool:
    """Whether a page has a sentence of this meaning."""
    phrases = [words.casefold() for words, what in context.metadata.terms.items() if what == meaning]
    return any(phrase in text.casefold() for text in page.texts() for phrase in phrases)


def _build_body(activity: str, variables: Mapping[str, str]) -> JsonValue:
    return {
        "appName": SERVICE,
        "featureName": SERVICE,
        "queryName": activity,
        "metaVars": {"service_id": None, "save_location": None},
        "queryVars": {**FORM, **variables, "wdf_url_query": "true", "service": SERVICE, "activity": activity},
    }


def _parse_page(content: Any) -> PageElement:
    """The page as one element. Raises `ParseFailed` for a response with another structure."""
    elements = content.get("data") if isinstance(content, dict) else None
    if not isinstance(elements, list):
        raise ParseFailed(Message("the response has no list of elements (data)"))
    return PageElement("", None, {}, tuple(_parse_element(element) for element in elements))


def _parse_element(content: Any) -> PageElement:
    if not isinstance(content, dict) or not isinstance(content.get("type"), str):
        raise ParseFailed(Message("an element of the response has no type"))
    data, children = content.get("data"), content.get("children")
    data = data if isinstance(data, dict) else {}
    text, parameters = data.get("text"), data.get("queryParams")
    return PageElement(
        kind=content["type"],
        text=_ENTITY.sub(lambda entity: html.unescape(entity[0]), text) if isinstance(text, str) else None,
        parameters={name: str(value) for name, value in parameters.items()} if isinstance(parameters, dict) else {},
        children=tuple(_parse_element(child) for child in children) if isinstance(children, list) else (),
    )
