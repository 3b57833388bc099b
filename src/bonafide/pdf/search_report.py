"""The sheet of a search report: the stored result as it is, and the names of the sources that it speaks of.

The page is a rendering of the result: nothing is left out of it that a reader would take for "nothing found".
"""

from typing import ClassVar

from bonafide.model.base import Document
from bonafide.model.result import SearchResult
from bonafide.pdf.printable import Printable
from bonafide.pdf.profile import Profile


class SourceTitle(Document):
    """What a source is called, who publishes it, and where a person can look."""

    title: str
    publisher: str
    page: str


class SearchReportSheet(Printable):
    """All that a search report prints. Sentences of the result are in the sheet's language already."""

    template: ClassVar[str] = "search_report"
    result: SearchResult
    sources: dict[str, SourceTitle]
    """By key, every source of the result's coverage."""
    profile: Profile | None
    """Of the selected match, else of the best one; null where there is none."""
