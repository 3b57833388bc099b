"""The languages of messages, pages and printed documents."""

from enum import StrEnum


class Language(StrEnum):
    """A language of the service. Names and texts of sources are not translated."""

    ENGLISH = "en"
    FRENCH = "fr"
