"""Listed parties ranked from scratch: subject and entries are read for one comparison."""

from collections.abc import Iterable

from bonafide.matching.listed import read_entity
from bonafide.matching.rank import RankedListing, rank_read
from bonafide.matching.screening_names import read_subject
from bonafide.model.entry import ListedEntity
from bonafide.model.query import ScreeningSubject


def rank_listed(subject: ScreeningSubject, entries: Iterable[ListedEntity], *, floor: float) -> list[RankedListing]:
    """Those that score at least `floor`, best first."""
    return rank_read(read_subject(subject), map(read_entity, entries), floor=floor)
