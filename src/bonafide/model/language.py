"""The two languages in which this service speaks to people."""

from enum import StrEnum


class Language(StrEnum):
    """Of sentences, pages and printed documents. Names and a source's own words stay as they are."""

    ENGLISH = "en"
    FRENCH = "fr"
