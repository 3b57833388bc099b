"""Holders of federal cannabis licences, from the table of a web page: one entry for each holder, with all its sites.

The page has no numbers, so holders are identified by name alone. The only address is the province.
"""

import re
from collections.abc import Iterator, Sequence

from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.html_page import read_html
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.regulators.health_canada_cannabis.licence_site import CannabisSite, build_entry, parse_site

HOLDER_COLUMN = "Licence holder"
_HEADING_PATTERNS = {
    "classes provincial": re.compile(r"class.*provincial", re.IGNORECASE),
    "classes patients": re.compile(r"class.*patients", re.IGNORECASE),
    "holder": re.compile(re.escape(HOLDER_COLUMN), re.IGNORECASE),
    "province": re.compile(r"province ?/ ?territory", re.IGNORECASE),
    "licences": re.compile(r"licence ?\(s\)|licences", re.IGNORECASE),
    "client care": re.compile(r"client care.*", re.IGNORECASE),
    "since": re.compile(r"(date of )?initial licens.* date|date of initial licens.*", re.IGNORECASE),
}


def map_columns(header: Sequence[str]) -> dict[str, str]:
    """Map field names to the headings of the page."""
    return {_shorten_heading(heading): heading for heading in header}


def _shorten_heading(heading: str) -> str:
    for name, pattern in _HEADING_PATTERNS.items():
        if pattern.match(heading) is not None:
            return name
    return heading


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """Yield the holders of all files."""
    holders: dict[str, list[CannabisSite]] = {}
    for resource in resources:
        for site in _read_sites(resource, context):
            known = holders.setdefault(site.name.casefold(), [])
            if known:
                context.merge()
            known.append(site)
    for key, sites in holders.items():
        yield build_entry(key, sites, context)


def _read_sites(resource: Resource, context: ParseContext) -> Iterator[CannabisSite]:
    table = read_html(resource.path.read_bytes(), name=resource.name).table(HOLDER_COLUMN)
    columns = map_columns(table.header)
    context.layout(list(columns), resource)
    for row in table.rows:
        context.row()
        try:
            yield parse_site({name: row.get(column) for name, column in columns.items()}, context)
        except ValueError as error:
            context.reject(resource, row.line, error)
