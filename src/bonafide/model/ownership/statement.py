"""Ownership statements: parties, the interests that they have in each other, and who claims them.

A statement is what one claimant says about the owners of a business, up to the persons behind it. Shares are fractions of 1: exact,
or the band that the source gives, with open or closed ends. A share that the source doesn't state is absent, never estimated.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from heapq import heappop, heappush
from operator import itemgetter
from typing import Annotated, NamedTuple, Self
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, create_field_error
from bonafide.model.query import NameText, Text
from bonafide.model.records.business_input import MAX_LIST, DayText, NumberText

MAX_PARTIES = 1000
MAX_INTERESTS = 2000
ROUNDING = 1e-9
"""The error of sums of fractions, such as a third three times."""
OPEN_END = 1e-7
"""The distance from an open end of a band: larger than rounding errors, smaller than any share that matters."""
MORE_THAN_ALL = Message("makes the shares of this kind add up to more than 100 %")
MORE_THAN_ALL_BENEFITS = Message("makes shares and benefits, which count together, add up to more than 100 %")
_FULL_DATE = len("2026-01-01")
MAX_PARTY_ID = 200
PartyId = Annotated[Text, StringConstraints(max_length=MAX_PARTY_ID)]
Fraction = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class PartyKind(StrEnum):
    """What a party of an ownership statement is."""

    BUSINESS = "business"
    PERSON = "person"
    TRUST = "trust"
    GOVERNMENT = "government"
    UNKNOWN = "unknown"
    """Somebody whom the source can't or doesn't name."""


OWNABLE = frozenset({PartyKind.BUSINESS, PartyKind.TRUST})
"""The parties in which others can have interests."""


class InterestKind(StrEnum):
    """The nature of an interest."""

    SHARES = "shares"
    VOTES = "votes"
    CONTROL = "control"
    """Control by other means than shares and votes, such as a voting agreement."""
    TRUSTEE = "trustee"
    SETTLOR = "settlor"
    BENEFICIARY = "beneficiary"
    DIRECTOR = "director"


class Claimant(StrEnum):
    """Who says so."""

    DECLARED = "declared"
    """The business or its representative."""
    REGISTRY = "registry"
    """A register of businesses or of individuals with significant control."""
    LEI = "lei"
    """The relationship records of the Global LEI System."""
    DOCUMENT = "document"
    """A document, such as a shareholders’ register."""


class ShareBand(Document):
    """A share: `exact`, or at least `min` and at most `max`. An end that isn’t given is 0 or 1."""

    exact: Annotated[Fraction | None, Field(examples=[0.4])] = None
    """The share as a fraction: 0.4 is 40 %."""
    min: Annotated[Fraction | None, Field(examples=[0.25])] = None
    """Lower end of the band."""
    max: Annotated[Fraction | None, Field(examples=[0.5])] = None
    """Upper end of the band."""
    exclusive_min: bool = False
    """Whether the share is more than `min`."""
    exclusive_max: bool = False
    """Whether the share is less than `max`."""

    @model_validator(mode="after")
    def _is_a_band(self) -> Self:
        is_band = self.min is not None or self.max is not None
        if self.exact is not None and (is_band or self.exclusive_min or self.exclusive_max):
            raise create_field_error("exact", Message("can’t be given together with a band"))
        if self.exact is None and not is_band:
            raise create_field_error("exact", Message("is required unless min or max is given"))
        for given, is_open, field in ((self.min, self.exclusive_min, "min"), (self.max, self.exclusive_max, "max")):
            if is_open and given is None:
                raise create_field_error(field, Message("is required for an open end"))
        if self.low > self.high or (self.low == self.high and (self.exclusive_min or self.exclusive_max)):
            raise create_field_error("max", Message("leaves no share that is possible"))
        return self

    @property
    def low(self) -> float:
        """The lowest possible share."""
        return self.exact if self.exact is not None else self.min if self.min is not None else 0.0

    @property
    def high(self) -> float:
        """The highest possible share."""
        return self.exact if self.exact is not None else self.max if self.max is not None else 1.0


class OwnershipParty(Document):
    """A party of an ownership statement. Its `id` is the caller's."""

    id: Annotated[PartyId, Field(examples=["owner-1"])]
    """Your own ID of the party. The same ID is the same party in the statements of all claimants if they agree on its name, and no
    date of birth or number differs. Otherwise the answer has two parties, and the ID of the second ends with its claimant."""
    kind: PartyKind
    """What the party is."""
    name: Annotated[NameText | None, Field(examples=["Northern Holdings Inc."])] = None
    """Name. Required unless `kind` is `unknown`."""
    jurisdiction: Annotated[Text | None, Field(examples=["ON"])] = None
    """Jurisdiction of registration: a code of this API in Canada, and an ISO 3166 code elsewhere."""
    registration_number: Annotated[NumberText | None, Field(examples=["1000017"])] = None
    """Registration number in that jurisdiction."""
    date_of_birth: Annotated[DayText | None, Field(examples=["1975-06-20"])] = None
    """Date of birth of a person, as precisely as it is known."""
    countries: Annotated[tuple[Text, ...], Field(max_length=MAX_LIST, examples=[["CA"]])] = ()
    """Countries of a person’s nationality or residence, or of a business."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])] = None
    """ID of the business record of the party, if there is one."""

    @model_validator(mode="after")
    def _is_named(self) -> Self:
        if self.name is None and self.kind is not PartyKind.UNKNOWN:
            raise create_field_error("name", Message("is required unless kind is unknown"))
        return self


class OwnershipInterest(Document):
    """An interest of one party in another, directly."""

    id: Annotated[PartyId, Field(examples=["interest-1"])]
    """Your own ID of the interest."""
    owner: Annotated[PartyId, Field(examples=["owner-1"])]
    """ID of the party that has the interest."""
    owned: Annotated[PartyId, Field(examples=["business"])]
    """ID of the party in which it has the interest."""
    kind: InterestKind
    """Nature of the interest."""
    share: ShareBand | None = None
    """Share of all shares or votes, or of a trust’s benefits. Absent if the source doesn’t state it."""
    from_: Annotated[DayText | None, Field(alias="from", examples=["2021-04-01"])] = None
    """First day of the interest, as precisely as it is known."""
    to: Annotated[DayText | None, Field(examples=["2024-12-31"])] = None
    """Last day of the interest, as precisely as it is known."""
    evidence: Annotated[Text | None, Field(examples=["Shareholders’ register of 2026-05-01, page 2"])] = None
    """Where it stands."""

    @model_validator(mode="after")
    def _has_two_ends(self) -> Self:
        if self.share is not None and self.kind not in MEASURED:
            raise create_field_error("share", Message("is for shares, votes and beneficiaries only"))
        if self.from_ is not None and self.to is not None and self.to[: len(self.from_)] < self.from_[: len(self.to)]:
            raise create_field_error("to", Message("is before the first day"))
        return self

    def is_in_force(self, day: date) -> bool:
        """Whether the interest exists on a day; a partial date covers its whole month or year."""
        if self.from_ is None and self.to is None:
            return True
        text = day.isoformat()
        has_begun = self.from_ is None or self.from_[:10] <= text[: len(self.from_)]
        return has_begun and (self.to is None or self.to[:10] >= text[: len(self.to)])


MEASURED = frozenset({InterestKind.SHARES, InterestKind.VOTES, InterestKind.BENEFICIARY})
"""The kinds of which all interests in one party add up to at most 1."""


class OwnershipStatement(Document):
    """The body of `PUT /businesses/{id}/ownership`: all that one claimant says. It replaces what the claimant said before."""

    claimed_by: Claimant = Claimant.DECLARED
    """Who says so."""
    as_of: Annotated[date, Field(examples=["2026-11-01"])]
    """The day on which the statement is true."""
    declared_by: Annotated[Text | None, Field(examples=["Jean Tremblay, director"])] = None
    """The person who made the statement, or the name of the register or document."""
    parties: Annotated[tuple[OwnershipParty, ...], Field(max_length=MAX_PARTIES)] = ()
    """The business itself, with its `businessId`, and everybody with an interest in it, directly or indirectly."""
    interests: Annotated[tuple[OwnershipInterest, ...], Field(max_length=MAX_INTERESTS)] = ()
    """The direct interests."""

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        kinds = {party.id: party.kind for party in self.parties}
        _check_unique("parties", [party.id for party in self.parties])
        _check_unique("interests", [interest.id for interest in self.interests])
        for number, interest in enumerate(self.interests):
            for field, end in (("owner", interest.owner), ("owned", interest.owned)):
                if end not in kinds:
                    raise create_field_error(f"interests.{number}.{field}", Message("is not the ID of a party"))
            if kinds[interest.owned] not in OWNABLE:
                raise create_field_error(f"interests.{number}.owned", Message("must be a business or a trust"))
        _check_totals(self)
        return self


_NumberedInterests = Sequence[tuple[int, OwnershipInterest]]
"""Interests with their places in the statement."""


def _check_unique(field: str, ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for number, one in enumerate(ids):
        if one in seen:
            raise create_field_error(f"{field}.{number}.id", Message("is given twice"))
        seen.add(one)


def _check_totals(statement: OwnershipStatement) -> None:
    """Refuse interests in force on one day of which the least possible sum is more than the whole, or that repeat each other."""
    for group in _group_interests(statement, {kind: kind.value for kind in MEASURED}):
        for added in _add_up_by_day(statement.as_of, group, open_end=0.0):
            if added.is_repeated:
                raise create_field_error(
                    f"interests.{added.number}", Message("repeats an interest of the same owner, kind and time")
                )
            if added.total > 1 + ROUNDING:
                raise create_field_error(f"interests.{added.number}.share", MORE_THAN_ALL)


def find_excess(statement: OwnershipStatement) -> tuple[int, Message] | None:
    """The place of the first interest with which the shares or votes of a party must be more than the whole, and the problem.

    Benefits of a trust count with its shares, and an open end of a band doesn't reach its value. Earlier versions accepted such
    statements, so that it is no part of the validation of a stored one.
    """
    measures = {kind: "votes" if kind is InterestKind.VOTES else "shares" for kind in MEASURED}
    for group in _group_interests(statement, measures):
        has_benefits = any(interest.kind is InterestKind.BENEFICIARY for _, interest in group)
        for added in _add_up_by_day(statement.as_of, group, OPEN_END):
            if added.total > 1 + ROUNDING:
                return added.number, MORE_THAN_ALL_BENEFITS if has_benefits else MORE_THAN_ALL
    return None


def _group_interests(statement: OwnershipStatement, measures: Mapping[InterestKind, str]) -> Iterable[_NumberedInterests]:
    """The interests that add up: those in one party, and of kinds with the same measure."""
    groups: dict[tuple[str, str], list[tuple[int, OwnershipInterest]]] = defaultdict(list)
    for number, interest in enumerate(statement.interests):
        if interest.kind in measures:
            groups[interest.owned, measures[interest.kind]].append((number, interest))
    return groups.values()


class _AddedInterest(NamedTuple):
    number: int
    is_repeated: bool
    """Whether another interest of the same owner and kind is in force."""
    total: float
    """The least possible sum of all that are in force with it."""


def _add_up_by_day(as_of: date, group: _NumberedInterests, open_end: float) -> Iterator[_AddedInterest]:
    """The interests as they come into force, on the statement's day and on the first day of each: if any is wrong, one of these is.

    An interest without a first day is in force from the first of these days on. An open lower end is higher by `open_end`.
    """
    waiting = sorted(((_get_first_day(interest), number, interest) for number, interest in group), key=itemgetter(0, 1))
    days = sorted({as_of.isoformat(), *(first for first, _, _ in waiting if first)})
    ending: list[tuple[str, int, OwnershipInterest]] = []
    held: Counter[tuple[str, InterestKind]] = Counter()
    total, place = 0.0, 0
    for day in days:
        while ending and ending[0][0] < day:
            _, _, ended = heappop(ending)
            held[ended.owner, ended.kind] -= 1
            total -= _get_least_share(ended, open_end)
        while place < len(waiting) and waiting[place][0] <= day:
            _, number, interest = waiting[place]
            place += 1
            last = _get_last_day(interest)
            if last >= day:
                heappush(ending, (last, number, interest))
                held[interest.owner, interest.kind] += 1
                total += _get_least_share(interest, open_end)
                yield _AddedInterest(number, held[interest.owner, interest.kind] > 1, total)


def _get_first_day(interest: OwnershipInterest) -> str:
    """The first day; empty if it isn't known."""
    return "" if interest.from_ is None else f"{interest.from_[:10]}{'-01-01'[len(interest.from_) - 4 :]}"[:_FULL_DATE]


def _get_last_day(interest: OwnershipInterest) -> str:
    """The last day, or a day after all others."""
    return "9999-12-31" if interest.to is None else f"{interest.to[:10]}{'-12-31'[len(interest.to) - 4 :]}"[:_FULL_DATE]


def _get_least_share(interest: OwnershipInterest, open_end: float) -> float:
    return 0.0 if interest.share is None else interest.share.low + open_end * interest.share.exclusive_min
