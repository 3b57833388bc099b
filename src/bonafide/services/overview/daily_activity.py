"""What an organization did on each of the last thirty days.

Days that are over hardly change, so each process counts them once an hour; the day that goes on is counted every time.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from bonafide.runtime import Runtime
from bonafide.store.overview.daily_counts import DailyCounts, count_daily

DAYS = 30
WEEK = 7
KEPT_FOR = timedelta(hours=1)
"""How long a process keeps the counts of the days that are over."""


@dataclass(frozen=True, slots=True)
class DailyActivity:
    """The counts of each of the last `DAYS` days, oldest first. The last day goes on."""

    days: tuple[tuple[date, DailyCounts], ...]

    def list_values(self, name: str) -> list[int]:
        """The values of one field of `DailyCounts`, by day."""
        return [getattr(counts, name) for _, counts in self.days]

    def sum_week(self, name: str) -> int:
        """The sum of the last seven days."""
        return sum(self.list_values(name)[-WEEK:])

    def sum_all(self, name: str) -> int:
        """The sum of all days."""
        return sum(self.list_values(name))

    @property
    def is_empty(self) -> bool:
        """Whether nothing was done on any day."""
        return all(counts == DailyCounts() for _, counts in self.days)


async def read_daily_activity(runtime: Runtime, organization_id: UUID, zone: ZoneInfo) -> DailyActivity:
    """Count the last `DAYS` days of this time zone."""
    now = runtime.clock()
    today = now.astimezone(zone).date()
    dates = [today - timedelta(days=before) for before in reversed(range(DAYS))]
    bounds = [_find_midnight(day, zone) for day in (*dates, today + timedelta(days=1))]
    counts = [*await _read_past(runtime, organization_id, bounds[:-1], now), *await _count(runtime, organization_id, bounds[-2:])]
    return DailyActivity(tuple(zip(dates, counts, strict=True)))


async def _read_past(runtime: Runtime, organization_id: UUID, bounds: Sequence[datetime], now: datetime) -> list[DailyCounts]:
    """The counts of the days that are over, as this process keeps them."""
    key = f"{organization_id} {bounds[0].isoformat()} {bounds[-1].isoformat()}"
    kept = runtime.activity_cache.get(key, now)
    if kept is not None:
        names = [field.name for field in fields(DailyCounts)]
        return [DailyCounts(**dict(zip(names, values, strict=True))) for values in json.loads(kept)]
    counts = await _count(runtime, organization_id, bounds)
    text = json.dumps([list(asdict(day).values()) for day in counts], separators=(",", ":"))
    runtime.activity_cache.put(key, text.encode(), now + KEPT_FOR)
    return counts


async def _count(runtime: Runtime, organization_id: UUID, bounds: Sequence[datetime]) -> list[DailyCounts]:
    async with runtime.store.read_lagging() as connection:
        return await count_daily(connection, organization_id, bounds)


def _find_midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
