"""The values of events as plain text, in mails and messages for chats."""

from typing import Any

import pytest

from bonafide.console.events.event_view import EventLine, LineKind
from bonafide.console.mail.event_text import write_line
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message


@pytest.mark.parametrize(
    ("field", "before", "after", "english", "french"),
    [
        ("monitoring.minSeverity", "low", "critical", "Low → Critical", "Faible → Critique"),
        ("jurisdiction", "QC", "ON", "Quebec → Ontario", "Québec → Ontario"),
        ("name", "low", "QC", "low → QC", "low → QC"),
        ("isMonitored", True, False, "Yes → No", "Oui → Non"),
        ("name", None, "Acme", "Acme", "Acme"),
        ("name", "Acme", None, "Acme → No value", "Acme → Aucune valeur"),
    ],
    ids=["severity", "jurisdiction", "words-that-look-like-codes", "switch", "added", "removed"],
)
def test_a_change_is_written_in_the_language(field: str, before: Any, after: Any, english: str, french: str) -> None:
    line = EventLine(Message("Field"), LineKind.VALUE, after, before, is_change=True, field=field)
    assert [write_line(line, language) for language in (Language.ENGLISH, Language.FRENCH)] == [english, french]
