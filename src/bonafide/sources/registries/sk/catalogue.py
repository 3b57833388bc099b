"""Find the issues of the Gazette, Part I, and their files in the catalogue of the Publications Centre."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.formats.json_objects import parse_strict_json
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.downloads import download_sequentially
from bonafide.sources.framework.metadata import ResourceMetadata

FIRST_YEAR = 2010
"""Many older issues are scans without text."""
ROOT = "1511"
"""The category of the Gazette."""
CATEGORY, PRODUCTS, PRODUCT, ISSUE = "category", "products", "product", "issue"
_PART_ONE = re.compile(r"\bpart\s*i\b(?!i)", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PRINTED_DAY = re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}")


@dataclass(frozen=True, slots=True)
class _CatalogueIssue:
    """An issue of the catalogue; `file` is None if the list does not have it."""

    key: int
    day: date
    file: int | None


async def download_issues(context: FetchContext, until: date) -> list[Resource]:
    """Download every issue of Part I from `FIRST_YEAR` to the day, oldest first. Raises a `SourceError`."""
    try:
        ordered = await _find_issues(context, until)
        wanted = [await _create_download(context, product) for product in ordered]
    except (LookupError, TypeError, AttributeError) as error:
        text = f"{type(error).__name__} {error}"
        raise ParseFailed(
            Message("{source}: {file}: unexpected response: {error}", source=context.metadata.key, file=CATEGORY, error=text)
        ) from error
    return await download_sequentially(context, wanted)


async def _find_issues(context: FetchContext, until: date) -> list[_CatalogueIssue]:
    products: dict[int, _CatalogueIssue] = {}
    root = await _fetch_json(context, CATEGORY, category=ROOT)
    for year in _find_children(root, lambda name: name.isdigit() and FIRST_YEAR <= int(name) <= until.year):
        for part in _find_children(
            await _fetch_json(context, CATEGORY, category=year), lambda name: _PART_ONE.search(name) is not None
        ):
            listed = await _fetch_json(context, PRODUCTS, category=part)
            products |= {product.key: product for product in _parse_products(listed) if product.day <= until}
    if not products:
        raise ParseFailed(Message("{source}: the catalogue has no issue of Part I", source=context.metadata.key))
    return sorted(products.values(), key=lambda product: product.day)


def _find_children(category: Any, is_included: Callable[[str], bool]) -> Iterator[int]:
    """The keys of the subcategories whose names are included."""
    for child in category.get("childCategories") or ():
        if is_included((child.get("nameEnglish") or "").strip()):
            yield child["categoryId"]


def _parse_products(listed: Any) -> Iterator[_CatalogueIssue]:
    for product in listed if isinstance(listed, list) else ():
        day = _parse_day(f"{product.get('customIdentifier') or ''} {product.get('name') or ''}")
        if day is not None:
            yield _CatalogueIssue(product["productId"], day, _find_file(product))


def _parse_day(text: str) -> date | None:
    """The day of an issue from `2022-03-18 Part I` or `Gazette Part I, March 18, 2022`."""
    found, printed = _DAY.search(text), _PRINTED_DAY.search(text)
    try:
        if found is not None:
            return date.fromisoformat(found[0])
        return datetime.strptime(printed[0], "%B %d, %Y").date() if printed is not None else None  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None


def _find_file(product: Any) -> int | None:
    formats = product.get("productFormats") or ()
    return next((item["productFormatId"] for item in formats if item.get("productFormatId") is not None), None)


async def _create_download(context: FetchContext, product: _CatalogueIssue) -> ResourceMetadata:
    file = product.file if product.file is not None else _find_file(await _fetch_json(context, PRODUCT, product=product.key))
    if file is None:
        sentence = Message(
            "{source}: the catalogue has no file of the issue of {date}", source=context.metadata.key, date=product.day.isoformat()
        )
        raise ParseFailed(sentence)
    template = context.metadata.resource(ISSUE)
    url = template.url.format(product=product.key, format=file)
    return template.model_copy(update={"name": f"G1_{product.day}_p{product.key}_f{file}", "url": url})


async def _fetch_json(context: FetchContext, name: str, **facts: object) -> Any:
    """The content of a page of the catalogue."""
    url = context.metadata.resource(name).url.format(**facts)
    try:
        return parse_strict_json(await context.read(url))
    except ValueError as error:
        raise ParseFailed(
            Message("{source}: {file}: unexpected response: {error}", source=context.metadata.key, file=url, error=str(error))
        ) from error
