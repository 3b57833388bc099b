"""The catalogue of the Publications Centre: years, their Part I, its issues, and the file of each."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.sources.context import FetchContext, Resource
from bonafide.sources.downloads import download_in_turn
from bonafide.sources.json_document import parsed_json
from bonafide.sources.metadata import ResourceMetadata

FIRST_YEAR = 2010
"""Older issues are pictures as often as text."""
ROOT = "1511"
"""The category of the Gazette."""
CATEGORY, PRODUCTS, PRODUCT, ISSUE = "category", "products", "product", "issue"
_PART_ONE = re.compile(r"\bpart\s*i\b(?!i)", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PRINTED_DAY = re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}")


@dataclass(frozen=True, slots=True)
class _Product:
    """An issue of the catalogue; `file` is None where the list does not name its file."""

    key: int
    day: date
    file: int | None


async def download_issues(context: FetchContext, until: date) -> list[Resource]:
    """Every issue of Part I from the first year to that day, oldest first."""
    try:
        ordered = await _issues(context, until)
        wanted = [await _wanted(context, product) for product in ordered]
    except (LookupError, TypeError, AttributeError) as error:
        text = f"{type(error).__name__} {error}"
        raise ParseFailed(f"{context.metadata.key}: the catalogue has another shape than is known: {text}") from error
    return await download_in_turn(context, wanted)


async def _issues(context: FetchContext, until: date) -> list[_Product]:
    products: dict[int, _Product] = {}
    root = await _json(context, CATEGORY, category=ROOT)
    for year in _children(root, lambda name: name.isdigit() and FIRST_YEAR <= int(name) <= until.year):
        for part in _children(await _json(context, CATEGORY, category=year), lambda name: _PART_ONE.search(name) is not None):
            listed = await _json(context, PRODUCTS, category=part)
            products |= {product.key: product for product in _products(listed) if product.day <= until}
    if not products:
        raise ParseFailed(f"{context.metadata.key}: the catalogue names no issue of Part I")
    return sorted(products.values(), key=lambda product: product.day)


def _children(category: Any, is_meant: Callable[[str], bool]) -> Iterator[int]:
    """The keys of the categories within one whose names are meant."""
    for child in category.get("childCategories") or ():
        if is_meant((child.get("nameEnglish") or "").strip()):
            yield child["categoryId"]


def _products(listed: Any) -> Iterator[_Product]:
    for product in listed if isinstance(listed, list) else ():
        day = _day(f"{product.get('customIdentifier') or ''} {product.get('name') or ''}")
        if day is not None:
            yield _Product(product["productId"], day, _file(product))


def _day(text: str) -> date | None:
    """The day of an issue from `2022-03-18 Part I` or `Gazette Part I, March 18, 2022`."""
    found, printed = _DAY.search(text), _PRINTED_DAY.search(text)
    try:
        if found is not None:
            return date.fromisoformat(found[0])
        return datetime.strptime(printed[0], "%B %d, %Y").date() if printed is not None else None  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None


def _file(product: Any) -> int | None:
    formats = product.get("productFormats") or ()
    return next((item["productFormatId"] for item in formats if item.get("productFormatId") is not None), None)


async def _wanted(context: FetchContext, product: _Product) -> ResourceMetadata:
    file = product.file if product.file is not None else _file(await _json(context, PRODUCT, product=product.key))
    if file is None:
        raise ParseFailed(f"{context.metadata.key}: the catalogue has no file of the issue of {product.day}")
    template = context.metadata.resource(ISSUE)
    url = template.url.format(product=product.key, format=file)
    return template.model_copy(update={"name": f"G1_{product.day}_p{product.key}_f{file}", "url": url})


async def _json(context: FetchContext, name: str, **facts: object) -> Any:
    """A page of the catalogue."""
    url = context.metadata.resource(name).url.format(**facts)
    try:
        return parsed_json(await context.read(url))
    except ValueError as error:
        raise ParseFailed(f"{context.metadata.key}: {url} is not JSON: {error}") from error
