"""Messages for chats: each type of event in both languages, with a link to the service, within the limits of Slack."""

import json

import pytest

from bonafide.console.events.chat_message import compose_chat_message
from bonafide.i18n.language import Language
from bonafide.model.events.event import EventType
from bonafide.model.events.event_types import build_example

ADDRESS = "https://bonafide.example"
SLACK_FIELDS, SLACK_TEXT, SLACK_FIELD_TEXT = 10, 3000, 2000


@pytest.mark.parametrize("event_type", EventType)
def test_each_type_of_event_becomes_a_message_in_both_languages(event_type: EventType) -> None:
    written = {language: compose_chat_message(build_example(event_type), ADDRESS, language) for language in Language}
    for body in written.values():
        message = json.loads(body)
        assert f"<{ADDRESS}/c" in message["text"]
        kinds = [block["type"] for block in message["blocks"]]
        assert kinds[0] == "section"
        assert kinds[-1] == "context"
        for block in message["blocks"]:
            texts = [block["text"]] if "text" in block else block.get("fields", block.get("elements"))
            assert 1 <= len(texts) <= SLACK_FIELDS
            assert all(0 < len(text["text"]) <= (SLACK_TEXT if "text" in block else SLACK_FIELD_TEXT) for text in texts)
    assert written[Language.ENGLISH] != written[Language.FRENCH]


def test_a_message_names_the_business_what_has_happened_and_how_urgent_it_is() -> None:
    event = build_example(EventType.SCREENING_HIT_FOUND)
    text = json.loads(compose_chat_message(event, ADDRESS, Language.ENGLISH))["text"]
    assert text.startswith("Sandbox Bakery Inc. · Northgate Shipping Limited: New hit on a sanctions list (High). <")
