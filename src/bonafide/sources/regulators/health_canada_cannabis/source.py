"""Holders of federal cannabis licences, from the table of a web page: one entry a holder, with all its sites.

The page gives no number, so that holders are told apart by name alone. No address is guessed from the province.
"""

from collections.abc import Iterator, Sequence

from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse_html import read_html
from bonafide.sources.regulators.health_canada_cannabis.headings import HOLDER, columns_of
from bonafide.sources.regulators.health_canada_cannabis.site import Site, entry_of, site_of


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The holders of all files."""
    holders: dict[str, list[Site]] = {}
    for resource in resources:
        for site in _sites(resource, context):
            known = holders.setdefault(site.name.casefold(), [])
            if known:
                context.merge()
            known.append(site)
    for key, sites in holders.items():
        yield entry_of(key, sites, context)


def _sites(resource: Resource, context: ParseContext) -> Iterator[Site]:
    table = read_html(resource.path.read_bytes(), name=resource.name).table(HOLDER)
    columns = columns_of(table.header)
    context.layout(list(columns), resource)
    for row in table.rows:
        context.row()
        try:
            yield site_of({name: row.get(column) for name, column in columns.items()}, context)
        except ValueError as error:
            context.reject(resource, row.line, str(error))
