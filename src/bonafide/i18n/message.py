"""Sentences that a person may read in English or in French.

A `Message` is the English text, and keeps the template and the values that it was made from, so that it can be written in another
language later. The template is the key of the translation in the gettext catalogue:

    Message("{source} did not respond within {seconds} s", source="OrgBook BC", seconds=3)

`python -m bonafide.i18n update` finds templates by these calls, so that a template is always a literal.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from json import dumps, loads
from string import Formatter
from typing import TYPE_CHECKING, Any, Self, TypeAlias

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, SerializationInfo, ValidationInfo
    from pydantic_core.core_schema import CoreSchema

MessageValue: TypeAlias = "str | int | float | JoinedValues"
"""A value of a template; a text may be a message of its own."""
Translate: TypeAlias = Callable[["Message"], str]
TRANSLATE = "translate"
"""In the context of a serialization: the function that writes each message. Without it messages are written in English."""
COLLECTED = "collected messages"
"""In the context of a serialization: a dictionary that receives the messages of the document by their English text."""
STORED = "stored messages"
"""In the context of a validation: what `COLLECTED` received when the document was stored."""
LIST_SEPARATOR = ", "
CLAUSE_SEPARATOR = "; "
_JOINED = "{parts}"


@dataclass(frozen=True, slots=True)
class JoinedValues:
    """Several values in place of one, with `separator` between them."""

    parts: tuple[str, ...]
    separator: str = LIST_SEPARATOR

    def __format__(self, spec: str) -> str:
        return self.separator.join(self.parts)


_VALUES = (str, int, float, JoinedValues)


def _to_value(value: object) -> str:
    message = getattr(value, "message", None)
    return message if isinstance(message, Message) else str(value)


class Message(str):
    """A sentence or a part of one: the English text, with its `template`, the `plural` of that, its `context` and its `values`.

    `values` may be messages themselves. A message without a `template` is never translated.
    """

    __slots__ = ("context", "plural", "template", "values")

    template: str | None
    plural: str | None
    context: str | None
    values: Mapping[str, MessageValue]

    def __new__(cls, template: str, /, **objects: object) -> Self:
        """The message whose English is the template with its values; one without values is not a format string.

        Other values than a `MessageValue` are their text; an exception of this package is its message.
        """
        values = {name: value if isinstance(value, _VALUES) else _to_value(value) for name, value in objects.items()}
        message = super().__new__(cls, template.format_map(values) if values else template)
        message.template = template
        message.plural = message.context = None
        message.values = values
        return message

    def fill(self, **values: object) -> "Message":
        """The same message with its values: for a template that a table holds."""
        filled = Message(self.template if self.template is not None else str(self), **values)
        filled.plural, filled.context = self.plural, self.context
        return filled

    @classmethod
    def untranslated(cls, text: str) -> "Message":
        """A text that is the same in each language: a publisher's own words, or a sentence of a document stored long ago."""
        if isinstance(text, Message):
            return text
        message = cls(text)
        message.template = None
        return message

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        # Imported here: a command's help needs messages but not pydantic.
        from pydantic_core import core_schema  # noqa: PLC0415

        return core_schema.with_info_plain_validator_function(
            cls._validate,
            json_schema_input_schema=core_schema.str_schema(),
            serialization=core_schema.plain_serializer_function_ser_schema(
                cls._serialize, info_arg=True, return_schema=core_schema.str_schema(), when_used="json"
            ),
        )

    @classmethod
    def _validate(cls, value: Any, info: "ValidationInfo") -> "Message":
        if isinstance(value, Message):
            return value
        if not isinstance(value, str):
            raise ValueError(Message("must be a string"))  # noqa: TRY004 - pydantic reports a ValueError as the field's problem
        stored = (info.context or {}).get(STORED, {}).get(value)
        return cls.untranslated(value) if stored is None else _decode(stored)

    @staticmethod
    def _serialize(value: "Message", info: "SerializationInfo") -> str:
        context = info.context
        if not context:
            return str(value)
        collected = context.get(COLLECTED)
        if collected is not None and value.template is not None:
            collected[str(value)] = value
        translate = context.get(TRANSLATE)
        return str(value) if translate is None else str(translate(value))


def plural_message(singular: str, plural: str, n: int, /, **values: object) -> Message:
    """The message for `n` things, which is itself the value `n` of both templates."""
    message = Message(singular if n == 1 else plural, n=n, **values)
    message.template, message.plural = singular, plural
    return message


def context_message(context: str, template: str, /, **values: object) -> Message:
    """A message whose English has several translations: `context` says which one is meant."""
    message = Message(template, **values)
    message.context = context
    return message


def join_messages(parts: Iterable[str], separator: str = CLAUSE_SEPARATOR) -> Message:
    """Clauses in a row. A single one is returned as it is."""
    parts = tuple(parts)
    if len(parts) == 1:
        return Message.untranslated(parts[0])
    return Message(_JOINED, parts=JoinedValues(parts, separator))


def end_sentence(text: Message) -> Message:
    """The text as a sentence: with a full stop, unless it has one."""
    return text if text.endswith((".", "!", "?")) else Message("{clause}.", clause=text)


def join_sentences(first: Message, second: Message) -> Message:
    """Two sentences in a row; the first one may lack its full stop."""
    return join_messages([end_sentence(first), second], " ")


def join_values(parts: Iterable[str], separator: str = LIST_SEPARATOR) -> JoinedValues:
    """A list as a value of a message."""
    return JoinedValues(tuple(parts), separator)


# ------------------------------------------------------------------------------------------------------------ translation


class MessageFormatter(Formatter):
    """Fills templates in a language whose numbers, lists and messages `write` puts into words."""

    def __init__(self, write: Callable[[Any, str], str]) -> None:
        self._write = write

    def format_field(self, value: Any, format_spec: str) -> str:
        """One value."""
        return self._write(value, format_spec)


def is_joined(message: Message) -> bool:
    """Whether the message is only a list of others, and so has no template to translate."""
    return message.template == _JOINED


# ------------------------------------------------------------------------------------------------------------ storage


def dump_messages(messages: Mapping[str, Message]) -> str | None:
    """The collected messages of a document as JSON, by their English text; None for a document that has none."""
    if not messages:
        return None
    return dumps({text: _encode(message) for text, message in messages.items()}, ensure_ascii=False, separators=(",", ":"))


def load_messages(stored: str | None) -> dict[str, Any]:
    """The context for validating a document whose messages were stored as `dump_messages` returns them."""
    return {STORED: loads(stored) if stored is not None else {}}


_ENCODED = '{"text":'


def encode_message(message: str) -> str:
    """A single message as text for storage."""
    if not isinstance(message, Message) or message.template is None:
        # A text that looks like an encoded message is encoded too, without a template.
        return dumps({"text": message}) if message.startswith(_ENCODED) else message
    return dumps({"text": str(message), **_encode(message)}, ensure_ascii=False, separators=(",", ":"))


def decode_message(text: str) -> Message:
    """The message of a text that `encode_message` returned, or that an earlier release stored in English."""
    if not text.startswith(_ENCODED):
        return Message.untranslated(text)
    encoded = loads(text)
    if "template" not in encoded:
        return Message.untranslated(encoded["text"])
    decoded: Message = _decode(encoded)
    return decoded


def _encode(value: Any) -> Any:
    if isinstance(value, Message):
        if value.template is None:
            return str(value)
        encoded: dict[str, Any] = {"template": value.template}
        if value.values:
            encoded["values"] = {name: _encode(item) for name, item in value.values.items()}
        if value.plural is not None:
            encoded["plural"] = value.plural
        if value.context is not None:
            encoded["context"] = value.context
        return encoded
    if isinstance(value, JoinedValues):
        return {"separator": value.separator, "parts": [_encode(part) for part in value.parts]}
    return value if isinstance(value, (int, float)) else str(value)


def _decode(encoded: Any) -> Any:
    if not isinstance(encoded, dict):
        return encoded
    if "parts" in encoded:
        return JoinedValues(tuple(_decode(part) for part in encoded["parts"]), encoded["separator"])
    values = {name: _decode(item) for name, item in encoded.get("values", {}).items()}
    if "plural" in encoded:
        return plural_message(encoded["template"], encoded["plural"], values.pop("n"), **values)
    message = Message(encoded["template"], **values)
    message.context = encoded.get("context")
    return message
