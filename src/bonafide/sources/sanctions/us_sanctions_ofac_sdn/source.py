"""OFAC's list of specially designated nationals, whose assets are blocked. `list_parser` reads both lists.

The listing date of a party is the date on which this list included it, even if it is on other lists too.
"""

from collections.abc import Iterator, Sequence

from bonafide.model.entry import ListedEntity
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.ofac.list_parser import parse_list
from bonafide.sources.shared.ofac.party import SDN_LIST


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[ListedEntity]:
    """Yield the entries of the list from enhanced XML, advanced XML or the set of CSV files. Raises `ParseFailed`."""
    yield from parse_list(resources, context, SDN_LIST)
