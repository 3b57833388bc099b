"""Time zones by their names in the IANA database: of people, and of organizations."""

from functools import cache
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator, Field

from bonafide.i18n.message import Message
from bonafide.i18n.time_zone_names import UTC_NAME

CANADIAN_TIME_ZONES = (
    "America/St_Johns",
    "America/Halifax",
    "America/Moncton",
    "America/Toronto",
    "America/Winnipeg",
    "America/Regina",
    "America/Edmonton",
    "America/Vancouver",
    "America/Whitehorse",
    "America/Iqaluit",
    "America/Yellowknife",
)
"""The time zones that forms offer, from east to west, then the territories."""


@cache
def _list_time_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def check_time_zone(name: str) -> str:
    """The name. Raises `ValueError` for an unknown one."""
    if name not in _list_time_zones():
        raise ValueError(Message("must be a time zone such as America/Toronto"))
    return name


TimeZoneName = Annotated[str, AfterValidator(check_time_zone), Field(max_length=64, examples=["America/Toronto"])]


def get_time_zone(name: str | None) -> ZoneInfo:
    """The time zone of this name; UTC without one, and for one that the time zone data does not have any more."""
    return ZoneInfo(name if name is not None and name in _list_time_zones() else UTC_NAME)
