"""The gateway behind the pages of Prince Edward Island's registry: what it is sent, and the tree of display elements it sends back.

It answers for many services of the province, in one way: with what a page is to show. Nothing here knows what a business is.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from bonafide.errors import ParseFailed, SourceUnavailable
from bonafide.net.http_messages import SourceRequest
from bonafide.sources.framework.live import LiveContext, read_json

SERVICE = "BusinessAPI"
SEARCH, VIEW = "BusinessSearch", "BusinessView"
# What the province's own pages send.
HEADERS = {"Accept": "application/json", "Client-Show-Status": "true"}
FORM: Mapping[str, None] = dict.fromkeys(("name", "business_number", "company_type", "status"))
"""Every field of the search form is sent, null where it is blank: the gateway refuses a request that lacks one."""
ROW, CELL, HEADER, LINK, PARAGRAPH = "TableV2Row", "TableV2Cell", "TableV2Header", "LinkV2", "Paragraph"
REFUSED, NOTHING_FOUND = "refused", "nothing found"
"""What its sentences mean (`terms` of the metadata)."""
# With the semicolon only: `html.unescape` would also make B(R) of a name like B&REG.
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]\w*);")


@dataclass(frozen=True, slots=True)
class PageElement:
    """Something that a page shows: its kind, its text, where a link in it leads, and what it holds."""

    kind: str
    text: str | None
    parameters: Mapping[str, str]
    children: tuple["PageElement", ...]

    def below(self, kind: str) -> Iterator["PageElement"]:
        """The elements of a kind in it, from top to bottom."""
        for child in self.children:
            if child.kind == kind:
                yield child
            yield from child.below(kind)

    def own(self, kind: str) -> list["PageElement"]:
        """The elements of a kind right in it."""
        return [child for child in self.children if child.kind == kind]

    def texts(self) -> Iterator[str]:
        """All that is written in it."""
        if self.text is not None:
            yield self.text
        for child in self.children:
            yield from child.texts()


async def fetch_page(activity: str, variables: Mapping[str, str], context: LiveContext) -> PageElement:
    """What the page of an activity shows. Raises a `SourceError`: also when the gateway says only that it is not available."""
    answer = await context.ask(
        SourceRequest(context.live.base_url, headers=HEADERS, method="POST", json=_build_body(activity, variables))
    )
    if not answer.found:
        raise SourceUnavailable(f"{context.metadata.title}: nothing answers at {context.live.base_url}")
    page = _parse_page(read_json(answer))
    if has_message(page, REFUSED, context):
        raise SourceUnavailable(
            "the register's gateway says only that the service is not available: so it answers an outage, "
            "a request that it can't read and a record that it doesn't have alike"
        )
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
    """The whole page as one element. Raises `ParseFailed` for an answer of another shape."""
    elements = content.get("data") if isinstance(content, dict) else None
    if not isinstance(elements, list):
        raise ParseFailed("the gateway's answer has no list of elements (data)")
    return PageElement("", None, {}, tuple(_parse_element(element) for element in elements))


def _parse_element(content: Any) -> PageElement:
    if not isinstance(content, dict) or not isinstance(content.get("type"), str):
        raise ParseFailed("an element of the gateway's answer has no type")
    data, children = content.get("data"), content.get("children")
    data = data if isinstance(data, dict) else {}
    text, parameters = data.get("text"), data.get("queryParams")
    return PageElement(
        kind=content["type"],
        text=_ENTITY.sub(lambda entity: html.unescape(entity[0]), text) if isinstance(text, str) else None,
        parameters={name: str(value) for name, value in parameters.items()} if isinstance(parameters, dict) else {},
        children=tuple(_parse_element(child) for child in children) if isinstance(children, list) else (),
    )
