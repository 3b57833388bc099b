"""Group the rows of one party, for lists that print a row for each name, address and document.

Most such lists keep a party's rows together, some do not: the file is read twice, first to count the rows of each party, so that a
party is given out with its last row and no more parties are held than are open. What the rows mean is the list's business.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from bonafide.sources.formats.delimited_text import TableRow
from bonafide.sources.framework.context import ParseContext

PartyRowReader = Callable[[ParseContext], Iterator[tuple[str, TableRow]]]
"""Reads the file from its beginning: the key of a party and a row of it. A row without a key is rejected in the context instead."""


def group_rows_by_party(read: PartyRowReader, context: ParseContext) -> Iterator[tuple[str, list[TableRow]]]:
    """Each key with all its rows, in the order of their last rows. Every row but the first of a party is counted as merged."""
    left = Counter(key for key, _ in read(ParseContext(context.metadata)))
    parties: dict[str, list[TableRow]] = defaultdict(list)
    for key, row in read(context):
        if parties[key]:
            context.merge()
        parties[key].append(row)
        left[key] -= 1
        if left[key] == 0:
            yield key, parties.pop(key)
