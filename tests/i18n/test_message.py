"""Messages keep what is needed to write them in another language."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.i18n.message import (
    Message,
    context_message,
    decode_message,
    dump_messages,
    encode_message,
    join_messages,
    join_values,
    plural_message,
)
from bonafide.model.base import Document, StoredDocument

TEXTS = st.text(max_size=20)
PLAIN_VALUES = st.one_of(TEXTS, st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False))


class Note(Document):
    """A document with messages."""

    name: str
    note: Message
    others: tuple[Message, ...] = ()


def build_messages(text: str, value: str | float) -> list[Message]:
    inner = Message("number {value} missing", value=value)
    return [
        Message("same name"),
        inner,
        Message("former name: {reason}", reason=inner),
        Message("not named: {names}", names=join_values([text, "B"])),
        plural_message("{n} row", "{n} rows", 1),
        plural_message("{n} row of {name}", "{n} rows of {name}", 12, name=text),
        context_message("status", "Open"),
        join_messages([inner, Message("same name")]),
    ]


def test_a_message_is_its_english_text() -> None:
    message = Message("{source} did not respond within {seconds} s", source="OrgBook BC", seconds=3)
    assert message == "OrgBook BC did not respond within 3 s"
    assert message.template == "{source} did not respond within {seconds} s"
    assert message.values == {"source": "OrgBook BC", "seconds": 3}


def test_a_message_without_values_is_no_format_string() -> None:
    assert Message("a {brace} and 100 %") == "a {brace} and 100 %"


@pytest.mark.parametrize(("n", "text"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
def test_a_plural(n: int, text: str) -> None:
    assert plural_message("{n} row", "{n} rows", n) == text


def test_a_template_of_a_table_is_filled_in_later() -> None:
    filled = Message("must be at least {ge}").fill(ge=3)
    assert (filled, filled.template) == ("must be at least 3", "must be at least {ge}")


def test_a_single_clause_is_itself() -> None:
    clause = Message("same name")
    assert join_messages([clause]) is clause


@given(TEXTS, PLAIN_VALUES)
def test_copies_and_pickles_keep_everything(text: str, value: str | float) -> None:
    for message in build_messages(text, value):
        for other in (copy.deepcopy(message), pickle.loads(pickle.dumps(message))):  # noqa: S301 - the test's own bytes
            assert other == message
            assert (other.template, other.plural, other.context) == (message.template, message.plural, message.context)
            assert other.values == message.values


@given(TEXTS, PLAIN_VALUES)
def test_a_stored_message_is_read_as_it_was(text: str, value: str | float) -> None:
    for message in build_messages(text, value):
        read = decode_message(encode_message(message))
        assert read == message
        assert (read.template, read.plural, read.context) == (message.template, message.plural, message.context)
        assert read.values == message.values


def test_text_of_an_earlier_release_is_english() -> None:
    read = decode_message("The register did not answer.")
    assert (read, read.template) == ("The register did not answer.", None)


def test_text_that_looks_like_a_stored_message_stays_text() -> None:
    text = '{"text":"Acme"} Inc.'
    read = decode_message(encode_message(text))
    assert (read, read.template) == (text, None)


@given(TEXTS, PLAIN_VALUES)
def test_a_stored_document_has_the_wire_form_and_its_messages(text: str, value: str | float) -> None:
    messages = build_messages(text, value)
    document = Note(name=text, note=messages[1], others=tuple(messages))
    stored = document.to_stored()
    assert stored.body == document.to_json()
    read = stored.parse(Note)
    assert read == document
    assert [item.template for item in read.others] == [item.template for item in messages]
    assert read.to_stored() == stored
    assert StoredDocument.from_text(stored.to_text()) == stored


def test_a_document_of_an_earlier_release_keeps_its_english() -> None:
    read = StoredDocument('{"name":"A","note":"same name"}').parse(Note)
    assert (read.note, read.note.template) == ("same name", None)
    assert read.to_json(lambda _: "") == '{"name":"A","note":"","others":[]}'


def test_a_document_is_written_by_the_function_that_translates() -> None:
    document = Note(name="A", note=Message("same name"), others=(Message("missing {x}", x="1"),))
    written = document.to_json(lambda message: str(message.template).upper())
    assert written == '{"name":"A","note":"SAME NAME","others":["MISSING {X}"]}'


def test_a_document_without_messages_stores_none() -> None:
    assert Note(name="A", note=Message.untranslated("as the list says")).to_stored().messages is None
    assert dump_messages({}) is None
