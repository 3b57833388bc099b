"""Converts between JSON and the values of `bonafide_client.models`, by the annotations of their fields.

A response may have fields and enumeration values that this version of the client does not know: fields are kept in `extra_fields`,
values are passed through as strings.
"""

import datetime as dt
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Final, Literal, Self, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from bonafide_client.errors import UnexpectedResponse

Decoder = Callable[[Any], Any]


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"

    def __bool__(self) -> bool:
        return False


UNSET: Final = Unset.UNSET
"""The value of a field that is not sent. None is sent as null."""


@dataclass(slots=True, kw_only=True)
class Model:
    """The base class of all values of requests and responses."""

    JSON_NAMES: ClassVar[dict[str, str]] = {}
    """Names in JSON of the fields whose name is not the same in camel case."""

    extra_fields: dict[str, Any] = field(default_factory=dict, repr=False)
    """Fields of a response that this version does not know, by their names in JSON; they are sent if the value is."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The value of decoded JSON. Raises `UnexpectedResponse` if a field is missing or has another type."""
        if not isinstance(data, Mapping):
            raise UnexpectedResponse(f"{cls.__name__} is not an object.")
        model: Any = cls
        plan = _plan_fields(model)
        values: dict[str, Any] = {}
        for planned in plan.values():
            if planned.json_name in data:
                try:
                    values[planned.name] = planned.decode(data[planned.json_name])
                except (TypeError, ValueError) as error:
                    raise UnexpectedResponse(f"{cls.__name__}.{planned.json_name}: {error}") from error
            else:
                values[planned.name] = planned.decode_absent()
        values["extra_fields"] = {name: value for name, value in data.items() if name not in plan}
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """What can be encoded as JSON: without the fields that are `UNSET`."""
        model: Any = type(self)
        sent = {planned.json_name: getattr(self, planned.name) for planned in _plan_fields(model).values()}
        return {name: encode(value) for name, value in {**sent, **self.extra_fields}.items() if value is not UNSET}


@dataclass(frozen=True, slots=True)
class PlannedField:
    """How a field is read."""

    name: str
    json_name: str
    decode: Decoder
    decode_absent: Callable[[], Any]
    """Returns the value of a field that a response does not have."""


def encode(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {name: encode(entry) for name, entry in value.items() if entry is not UNSET}
    if isinstance(value, list | tuple):
        return [encode(entry) for entry in value]
    if isinstance(value, dt.datetime):
        return _encode_time(value)
    if isinstance(value, dt.date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def decode_answer(types_of_answer: tuple[type[Any], ...], data: Any) -> Any:
    """The value of a response that has one of these models: the first whose fields it has."""
    return _build_decoder(Union[types_of_answer])(data)  # noqa: UP007 - the types are known at run time only


@cache
def _plan_fields(model: Any) -> dict[str, PlannedField]:
    """The fields of a model by their names in JSON."""
    hints = get_type_hints(model)
    planned = {}
    for declared in fields(model):
        if declared.name != "extra_fields":
            json_name = model.JSON_NAMES.get(declared.name, _to_camel_case(declared.name))
            decode_absent = _build_absent(f"{model.__name__} has no {json_name}.", hints[declared.name], declared.default)
            planned[json_name] = PlannedField(declared.name, json_name, _build_decoder(hints[declared.name]), decode_absent)
    return planned


def _build_absent(refusal: str, annotation: Any, default: Any) -> Callable[[], Any]:
    if default is not MISSING:
        return lambda: default
    if types.NoneType in _list_choices(annotation):
        return lambda: None
    if get_origin(annotation) is list:
        return list

    def refuse() -> Any:
        raise UnexpectedResponse(refusal)

    return refuse


@cache
def _build_decoder(annotation: Any) -> Decoder:
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return annotation.from_dict
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is list:
        return _build_list_decoder(_build_decoder(arguments[0]))
    if origin is dict:
        return _build_dict_decoder(_build_decoder(arguments[1]))
    if origin in {Union, types.UnionType}:
        return _build_union_decoder(tuple(choice for choice in arguments if choice not in {Unset, types.NoneType}))
    if annotation in _READ_FROM_TEXT:
        return _build_text_decoder(_READ_FROM_TEXT[annotation])
    return lambda value: value


def _build_list_decoder(decode: Decoder) -> Decoder:
    def decode_list(value: Any) -> Any:
        if not isinstance(value, list):
            raise TypeError("not a list")
        return [decode(entry) for entry in value]

    return decode_list


def _build_dict_decoder(decode: Decoder) -> Decoder:
    def decode_dict(value: Any) -> Any:
        if not isinstance(value, dict):
            raise TypeError("not an object")
        return {name: decode(entry) for name, entry in value.items()}

    return decode_dict


def _build_union_decoder(choices: tuple[Any, ...]) -> Decoder:
    models = [choice for choice in choices if isinstance(choice, type) and issubclass(choice, Model)]
    lists = [choice for choice in choices if get_origin(choice) is list]
    if len(choices) == 1:
        decode_only = _build_decoder(choices[0])
        return lambda value: None if value is None else decode_only(value)

    def decode_union(value: Any) -> Any:
        if isinstance(value, dict) and models:
            return next((model for model in models if _has_required(model, value)), models[0]).from_dict(value)
        if isinstance(value, list) and lists:
            return _build_decoder(lists[0])(value)
        return value

    return decode_union


def _has_required(model: Any, data: Mapping[str, Any]) -> bool:
    hints = get_type_hints(model)
    for planned in _plan_fields(model).values():
        choices = _list_choices(hints[planned.name])
        if Unset in choices or types.NoneType in choices:
            continue
        if planned.json_name not in data:
            return False
        constants = get_args(choices[0]) if get_origin(choices[0]) is Literal else ()
        if len(constants) == 1 and data[planned.json_name] != constants[0]:
            return False
    return True


def _list_choices(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in {Union, types.UnionType} else (annotation,)


def _build_text_decoder(read: Callable[[str], Any]) -> Decoder:
    def decode_text(value: Any) -> Any:
        if not isinstance(value, str):
            raise TypeError("not a string")
        return read(value)

    return decode_text


_READ_FROM_TEXT: dict[Any, Callable[[str], Any]] = {
    UUID: UUID,
    dt.datetime: dt.datetime.fromisoformat,
    dt.date: dt.date.fromisoformat,
}


def _encode_time(value: dt.datetime) -> str:
    """As the API writes times: with milliseconds, and with `Z` for UTC."""
    precision = "milliseconds" if value.microsecond % 1000 == 0 else "microseconds"
    return value.isoformat(timespec=precision).replace("+00:00", "Z")


def _to_camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)
