"""Split the note on a source that can't be queried into its reason and the page where a person can check."""

from bonafide.i18n.message import Message

_EARLIER_HINT = ". A person can look here: "
"""What separates the two in documents that earlier releases stored, which keep no templates."""


def split_manual_lookup(text: str) -> tuple[Message, str | None]:
    """The reason, and the address of the page; None for a note without one."""
    note = Message.untranslated(text)
    reason, page = note.values.get("reason"), note.values.get("page")
    if isinstance(reason, Message):
        return reason, str(page) if page is not None else None
    earlier_reason, _, address = note.partition(_EARLIER_HINT)
    return (Message.untranslated(earlier_reason), address) if address else (note, None)
