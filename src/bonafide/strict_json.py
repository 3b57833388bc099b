"""Parse the JSON of requests as RFC 8259 defines it.

Python's parser also accepts `NaN`, `Infinity`, and names that occur twice in an object.
"""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

from bonafide.errors import InvalidJson
from bonafide.i18n.message import Message


def parse_request_json(text: str, *, parse_int: Callable[[str], Any] = int) -> Any:
    """Parse the body of a request, or a line of it; `parse_int` converts the digits of integers.

    Raises `InvalidJson` for a name that occurs twice in an object and for the constants that JSON lacks, `json.JSONDecodeError`
    for any other error of syntax, `ValueError` for an integer with more digits than Python converts, and `RecursionError` for
    values that are nested too deeply. A number beyond the range of a float is parsed as infinity.
    """
    return json.loads(text, parse_int=parse_int, object_pairs_hook=_reject_duplicate_names, parse_constant=_reject_constant)


def _reject_duplicate_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        name = next(name for name, count in counts.items() if count > 1)
        raise InvalidJson(Message("The body is not valid JSON: the name '{name}' occurs twice in an object.", name=name))
    return value


def _reject_constant(name: str) -> NoReturn:
    raise InvalidJson(Message("The body is not valid JSON: {value} is not a JSON value.", value=name))
