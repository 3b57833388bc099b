"""An event as a message for the incoming webhook of a chat: a sentence, and blocks for chats that lay out Slack's format."""

import json
from typing import Any

from bonafide.console.events.event_view import EVENTS_PAGE, EventView, build_event_view
from bonafide.console.frame import code_labels
from bonafide.console.mail.event_text import write_line
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.events.event import Event
from bonafide.web.templates import write_instant

MAX_FIELDS = 8
"""Details in a message; Slack accepts 10."""
MAX_FIELD_CHARACTERS = 400
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
"""The characters that have a meaning in Slack's markup."""


def compose_chat_message(event: Event, base_url: str, language: Language) -> bytes:
    """The body of a delivery: `text` for notifications and simple chats, `blocks` for the others."""
    view = build_event_view(event)
    title = translate(view.title, language)
    about = " · ".join(part for part in (view.business_name, view.subject) if part is not None)
    link = f"<{base_url}{view.page if view.page is not None else EVENTS_PAGE}|{translate(Message('Details'), language)}>"
    headline = f"*{_escape(title)}*" if about == "" else f"*{_escape(title)}*\n{_escape(about)}"
    severity = translate(code_labels.SEVERITY[event.severity], language)
    footer = f"{_escape(severity)} · {_escape(write_instant(event.occurred_at, language))} · {link}"
    blocks = [_build_section(headline), *_build_details(view, language), {"type": "context", "elements": [_build_text(footer)]}]
    separator = translate(Message(": "), language)
    text = _escape(title if about == "" else f"{about}{separator}{title}") + f" ({_escape(severity)}). {link}"
    return json.dumps({"text": text, "blocks": blocks}, ensure_ascii=False).encode()


def _build_details(view: EventView, language: Language) -> list[dict[str, Any]]:
    """A block with the details of an event; none without any."""
    lines = [(translate(line.label, language), write_line(line, language)) for line in view.lines[:MAX_FIELDS]]
    fields = [_build_text(f"*{_escape(label)}*\n{_escape(value[:MAX_FIELD_CHARACTERS])}") for label, value in lines]
    return [{"type": "section", "fields": fields}] if fields else []


def _build_section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": _build_text(text)}


def _build_text(text: str) -> dict[str, str]:
    return {"type": "mrkdwn", "text": text}


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)
