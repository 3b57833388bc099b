"""What every printed document has: a language, an identity, an instant of issue and a digest of its data.

A kind of document is a subclass beside the template of its name. This module knows nothing of Typst and of pages.
"""

import hashlib
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from bonafide.model.base import Document, Instant


class Language(StrEnum):
    """The languages that documents are printed in; `templates/labels.yml` has every word in each."""

    ENGLISH = "en"
    FRENCH = "fr"


class Printable(Document):
    """The data of one document. Everything in it is data: no text of it is ever read as markup."""

    template: ClassVar[str]
    """The file in `templates/`, without `.typ`, that lays it out."""
    language: Language
    document_id: UUID
    issued_at: Instant
    """Also the file's own date of creation, so that the same data gives the same bytes."""

    @property
    def digest(self) -> str:
        """SHA-256 of the wire form (`to_json`, UTF-8) in hexadecimal, as it is printed on every page."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()
