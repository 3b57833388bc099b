"""Annotations of BODS statements that keep what the standard has no place for, so that an export can be read again.

An annotation counts only while it agrees with the statement: somebody may have edited the statement since.
"""

import re
from collections.abc import Callable, Iterable

from bonafide.services.ownership.formats.bods_statements import BodsAnnotation

RECORD = "/recordDetails"
"""The pointer to the record."""
STATEMENT_DATE = "/statementDate"
_ROUNDED = "Known as {day}; the standard has whole days only."
_KEPT = "{field} is {value}; the standard has no place for it."
_ROUNDED_PATTERN = re.compile(r"Known as (?P<day>\S+); the standard has whole days only\.")
_KEPT_PATTERN = re.compile(r"(?P<field>[A-Za-z]+) is (?P<value>.+); the standard has no place for it\.")


def get_interest_pointer(number: int, field: str) -> str:
    """The pointer to a field of an interest."""
    return f"{RECORD}/interests/{number}/{field}"


def annotate_day(pointer: str, day: str) -> BodsAnnotation:
    """The annotation of a day that is known less or more precisely than as a day."""
    return BodsAnnotation(statement_pointer_target=pointer, motivation="transformation", description=_ROUNDED.format(day=day))


def annotate_field(pointer: str, field: str, value: str) -> BodsAnnotation:
    """The annotation of a value that the statement does not have."""
    description = _KEPT.format(field=field, value=value)
    return BodsAnnotation(statement_pointer_target=pointer, motivation="transformation", description=description)


class KeptValues:
    """What the annotations of one statement keep."""

    def __init__(self, annotations: Iterable[BodsAnnotation]) -> None:
        self._days: dict[str, str] = {}
        self._fields: dict[tuple[str, str], str] = {}
        for annotation in annotations:
            pointer, text = annotation.statement_pointer_target, annotation.description or ""
            if (rounded := _ROUNDED_PATTERN.fullmatch(text)) is not None:
                self._days.setdefault(pointer, rounded["day"])
            elif (kept := _KEPT_PATTERN.fullmatch(text)) is not None:
                self._fields.setdefault((pointer, kept["field"]), kept["value"])

    def find_day(self, pointer: str, agrees: Callable[[str], bool]) -> str | None:
        """The day as it is known, if it agrees with the day of the statement. `agrees` may raise `ValueError`."""
        day = self._days.get(pointer)
        try:
            return day if day is not None and agrees(day) else None
        except ValueError:
            return None

    def find_field(self, pointer: str, field: str) -> str | None:
        """The value of a field that the statement does not have."""
        return self._fields.get((pointer, field))
