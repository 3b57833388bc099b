"""OFAC's lists other than the SDN List, in one file. `list_parser` reads both lists.

The listing date of a party is the first date on which one of these lists included it, even if it is on the SDN List too.
"""

from collections.abc import Iterator, Sequence

from bonafide.model.entry import ListedEntity
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.ofac.list_parser import parse_list
from bonafide.sources.shared.ofac.party import CONSOLIDATED_LIST


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the entries of the list from enhanced XML, advanced XML or the set of CSV files. Raises `ParseFailed`."""
    yield from parse_list(resources, context, CONSOLIDATED_LIST)
