"""OFAC's lists other than the SDN List, in one file. It is read as the SDN List is, in `list_parser`.

A party that the SDN List has too counts from the day on which the first of the others took it in. Nothing else differs.
"""

from collections.abc import Iterator, Sequence

from bonafide.model.entry import ListedEntity
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.ofac.list_parser import parse_list
from bonafide.sources.shared.ofac.party import CONSOLIDATED_LIST


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """The entries of the list, from enhanced XML, advanced XML or the set of CSV files. Raises `ParseFailed`."""
    yield from parse_list(resources, context, CONSOLIDATED_LIST)
