"""Days as ownership statements have them: a year, a month, a day or a date-time in ISO 8601."""

import calendar
import re
from datetime import date, datetime, timedelta

_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2}))?", re.ASCII)


def is_partial(day: str) -> bool:
    """Whether a day is known as a month or a year only."""
    return _PARTIAL.fullmatch(day) is not None


def get_first_day(day: str) -> date:
    """The first day that a partial date covers, or the day itself. Raises `ValueError` for what is no date."""
    partial = _PARTIAL.fullmatch(day)
    return date(int(partial[1]), int(partial[2] or 1), 1) if partial is not None else datetime.fromisoformat(day).date()


def get_last_day(day: str) -> date:
    """The last day that a partial date covers, or the day itself. Raises `ValueError` for what is no date."""
    partial = _PARTIAL.fullmatch(day)
    if partial is None:
        return datetime.fromisoformat(day).date()
    year, month = int(partial[1]), int(partial[2] or 12)
    return date(year, month, calendar.monthrange(year, month)[1])


def get_day_after(day: str) -> date:
    """The day after the last one that a partial date covers: from it on, an interest has ceased to exist."""
    last = get_last_day(day)
    return last + timedelta(days=1) if last < date.max else last


def to_plain_day(day: str) -> str:
    """The day without a time: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Raises `ValueError` for what is no date."""
    return day if is_partial(day) else get_first_day(day).isoformat()
