"""The businesses of a world on a day: those of day 0, what has changed since, and those registered since.

A register no longer contains a business whose entry is gone. Regulators' lists select their holders from the businesses as they
were first registered (`EvolvedBusiness.first`), so that a change of one business does not move the others.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

import numpy as np

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide_sandbox.generator import addresses
from bonafide_sandbox.generator.business import (
    FIRM_KINDS,
    LIVE_STATUSES,
    FormerName,
    LifecycleStatus,
    OfficeAddress,
    SandboxBusiness,
    SandboxOfficer,
)
from bonafide_sandbox.generator.business_names import create_names
from bonafide_sandbox.generator.businesses import BLOCK, MAX_SIZE, create_block, draw_traits, pause_garbage_collection
from bonafide_sandbox.generator.changes.schedule import check_day, count_new, draw_change_days, find_first_days, to_date
from bonafide_sandbox.generator.people import draw_officers
from bonafide_sandbox.generator.seeded_random import IntArray, SeededRandom
from bonafide_sandbox.generator.weighted_choice import CumulativeWeights

MAX_CHANGING_SIZE = MAX_SIZE // 2 - MAX_SIZE // 5
"""The largest world that has days after day 0: the numbers of larger worlds leave none for businesses that change theirs."""
SPARE_INDICES = MAX_SIZE // 2
"""The number of a business at this distance is unused, and becomes that of a business that changes its number."""
NOTICE_DAYS = 10
"""The days between the notice of a dissolution and the dissolution."""


class BusinessChange(Enum):
    """What happens to the register's entry of a business."""

    STANDING = "standing"
    """A live business falls behind with its returns or catches up, another one is revived."""
    NOTICE = "notice"
    """Its dissolution is announced, and follows after `NOTICE_DAYS`."""
    DISSOLUTION = "dissolution"
    NAME = "name"
    ADDRESS = "address"
    PEOPLE = "people"
    NUMBER = "number"
    GONE = "gone"


_WEIGHTS = {
    BusinessChange.STANDING: 18,
    BusinessChange.NOTICE: 10,
    BusinessChange.DISSOLUTION: 10,
    BusinessChange.NAME: 18,
    BusinessChange.ADDRESS: 20,
    BusinessChange.PEOPLE: 16,
    BusinessChange.NUMBER: 3,
    BusinessChange.GONE: 5,
}
_CHANGES = tuple(_WEIGHTS)
_CUMULATIVE = CumulativeWeights.of([list(_WEIGHTS.values())])
_STANDING_AFTER = {
    LifecycleStatus.ACTIVE: LifecycleStatus.DEFAULT,
    LifecycleStatus.DEFAULT: LifecycleStatus.ACTIVE,
    LifecycleStatus.LEAVING: LifecycleStatus.ACTIVE,
    LifecycleStatus.DISSOLVED: LifecycleStatus.ACTIVE,
    LifecycleStatus.CANCELLED: LifecycleStatus.ACTIVE,
}
"""The standing after a change of standing. Other businesses do not change theirs."""
_FOR_DISSOLVED = frozenset({BusinessChange.STANDING, BusinessChange.GONE})
"""What can happen to a business that is no longer live."""


@dataclass(frozen=True, slots=True)
class EvolvedBusiness:
    """A business as it was first registered, and on the day. `now` is None if its entry is gone."""

    first: SandboxBusiness
    now: SandboxBusiness | None


@dataclass(frozen=True, slots=True)
class _NewFacts:
    """What a business has after its change, depending on the change."""

    name: str
    address: OfficeAddress
    officer: SandboxOfficer | None
    number: str


@dataclass(frozen=True, slots=True)
class WorldPopulation:
    """The generated businesses of a world on a day. `size` is their number on day 0.

    Raises `ConfigurationError` if the day is not in the calendar, or if the world is too large to change.
    """

    seed: int
    size: int
    day: int = 0

    def __post_init__(self) -> None:
        check_day(self.day)
        if self.day and self.size > MAX_CHANGING_SIZE:
            raise ConfigurationError(
                Message.untranslated(f"a world of more than {MAX_CHANGING_SIZE:,} businesses has no days after day 0")
            )

    @property
    def total(self) -> int:
        """Return the number of businesses, including those registered since day 0 and those whose entries are gone."""
        return self.size + count_new(self.size, self.day)

    def __iter__(self) -> Iterator[EvolvedBusiness]:
        """Yield all businesses, in order."""
        for start in range(0, self.total, BLOCK):
            with pause_garbage_collection():
                made = self.create(np.arange(start, min(start + BLOCK, self.total), dtype=np.int64))
            yield from made

    def create(self, indices: IntArray) -> list[EvolvedBusiness]:
        """Generate the businesses with these indices."""
        first_days = find_first_days(indices, self.size)
        first = [
            business if day == 0 else _register(business, day)
            for business, day in zip(create_block(self.seed, indices), first_days.tolist(), strict=True)
        ]
        evolved = [EvolvedBusiness(business, business) for business in first]
        if self.day == 0:
            return evolved
        draws = SeededRandom.of(self.seed, indices).stream("change of the register's entry")
        days = draw_change_days(draws)
        rows = np.flatnonzero((days <= self.day) & (days > first_days))
        kinds = (_CUMULATIVE.pick(0, draws.at(rows).unit("kind of change"))).tolist()
        facts = _draw_new_facts(self.seed, indices[rows])
        for row, kind, day, new in zip(rows.tolist(), kinds, days[rows].tolist(), facts, strict=True):
            change = _Change(_CHANGES[kind], day, self.day, new)
            evolved[row] = EvolvedBusiness(first[row], change.apply(first[row]))
        return evolved


def _register(business: SandboxBusiness, day: int) -> SandboxBusiness:
    """Return a business that is registered on this day."""
    return replace(business, registered_on=to_date(day), standing=LifecycleStatus.ACTIVE, former_names=())


def _draw_new_facts(seed: int, indices: IntArray) -> list[_NewFacts]:
    if not len(indices):
        return []
    traits = draw_traits(seed, indices)
    spare = draw_traits(seed, indices + SPARE_INDICES).registrations.numbers
    draws = traits.draws.stream("after the change")
    names = create_names(traits.create_naming_inputs(draws)).legal
    offices = addresses.draw_addresses(draws, traits.cities)
    boards = draw_officers(draws, traits.kinds, traits.in_quebec)
    return [
        _NewFacts(name, office, board[0] if board else None, number)
        for name, office, board, number in zip(names, offices, boards, spare, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Change:
    """One change of a business, on `day`, as it shows on the day `today`."""

    kind: BusinessChange
    day: int
    today: int
    new: _NewFacts

    def apply(self, business: SandboxBusiness) -> SandboxBusiness | None:
        """Return the business after the change, or None if its entry is gone. A change that is impossible has no effect."""
        if business.standing not in LIVE_STATUSES and self.kind not in _FOR_DISSOLVED:
            return business
        return _APPLY[self.kind](self, business)

    def change_standing(self, business: SandboxBusiness) -> SandboxBusiness:
        after = _STANDING_AFTER.get(business.standing)
        return replace(business, standing=after) if after is not None else business

    def give_notice(self, business: SandboxBusiness) -> SandboxBusiness:
        if self.today >= self.day + NOTICE_DAYS:
            return self.dissolve(business)
        return replace(business, standing=LifecycleStatus.LEAVING)

    def dissolve(self, business: SandboxBusiness) -> SandboxBusiness:
        is_firm = business.kind in FIRM_KINDS
        return replace(business, standing=LifecycleStatus.CANCELLED if is_firm else LifecycleStatus.DISSOLVED)

    def rename(self, business: SandboxBusiness) -> SandboxBusiness:
        former = (*business.former_names, FormerName(business.name, to_date(self.day)))
        return replace(business, name=self.new.name, former_names=former)

    def move(self, business: SandboxBusiness) -> SandboxBusiness:
        return replace(business, address=self.new.address)

    def replace_officer(self, business: SandboxBusiness) -> SandboxBusiness:
        if not business.people or self.new.officer is None:
            return business
        officer = replace(self.new.officer, roles=business.people[-1].roles)
        return replace(business, people=(*business.people[:-1], officer))

    def renumber(self, business: SandboxBusiness) -> SandboxBusiness:
        return replace(business, number=self.new.number)

    def remove(self, _business: SandboxBusiness) -> None:
        return None


_APPLY: Mapping[BusinessChange, Callable[[_Change, SandboxBusiness], SandboxBusiness | None]] = MappingProxyType(
    {
        BusinessChange.STANDING: _Change.change_standing,
        BusinessChange.NOTICE: _Change.give_notice,
        BusinessChange.DISSOLUTION: _Change.dissolve,
        BusinessChange.NAME: _Change.rename,
        BusinessChange.ADDRESS: _Change.move,
        BusinessChange.PEOPLE: _Change.replace_officer,
        BusinessChange.NUMBER: _Change.renumber,
        BusinessChange.GONE: _Change.remove,
    }
)
