"""Announce the changelog entries of releases to all organizations of an installation, once.

The release and the announcements of its entries are stored in one transaction.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from bonafide.model.accounts.organizations import World
from bonafide.model.events.event import NewEvent
from bonafide.runtime import Runtime
from bonafide.services.events.announcements import announce
from bonafide.store.records import announced_releases


async def announce_releases(runtime: Runtime, releases: Mapping[date, Sequence[NewEvent]]) -> int:
    """Announce the events of the releases that this installation has not announced yet; returns how many events.

    An installation that has announced no release yet is new: its organizations have never used an earlier one.
    """
    async with runtime.store.read() as connection:
        known = await announced_releases.list_days(connection)
    if not set(releases) - known:
        return 0
    announced, now = 0, runtime.clock()
    async with runtime.store.write() as connection:
        is_new = not await announced_releases.list_days(connection)
        for day, events in releases.items():
            if await announced_releases.add(connection, day, now) and not is_new:
                for event in events:
                    await announce(connection, World, event, now)
                announced += len(events)
    return announced
