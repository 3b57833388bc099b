"""Compare the declared owners of a business with the entry of a register of individuals with significant control.

Every difference has a class and its reason. The comparison is of facts that both sides state: share bands that don't overlap, dates
that can't both be true, and kinds of control of which none is common contradict. A slip of a name, another form of an address and
dates a few days apart are immaterial. An individual whom only one side makes an owner is compared with an individual of the other
side who has less than 25 %, if there is one of that name.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.i18n.message import Message, join_messages, join_values
from bonafide.matching.addresses.address_comparison import compare_addresses
from bonafide.matching.ownership.owner_pairing import (
    OwnerPair,
    agree_as_far_as_stated,
    are_different_births,
    pair_owners,
    select_similar_names,
)
from bonafide.matching.people.person_name_comparison import compare_person_names
from bonafide.matching.people.person_name_parsing import parse_listed_person_name
from bonafide.matching.scoring import score_parameters
from bonafide.model.entity import Address
from bonafide.model.ownership.owner_comparison import (
    AgreedOwner,
    DifferenceKind,
    OwnerComparison,
    OwnerDifference,
    StatedOwner,
)
from bonafide.model.ownership.roll_up import BENEFICIAL_OWNERSHIP, describe_fraction
from bonafide.model.ownership.statement import InterestKind, ShareBand
from bonafide.model.ownership.wording import describe_share

NEAR_DAYS = 15
"""Dates at most this far apart are one event: a corporation records a change within 15 days (CBCA, s. 21.1(3))."""
_TOLERANCE = 1e-6
"""The rounding of shares in a roll-up."""
_ORDER = tuple(DifferenceKind)
_FULL_DATE = 10
"""The length of YYYY-MM-DD."""
_FAMILIES = {
    **dict.fromkeys((InterestKind.SHARES, InterestKind.VOTES), "ownership"),
    **dict.fromkeys((InterestKind.CONTROL, InterestKind.DIRECTOR), "control"),
    **dict.fromkeys((InterestKind.TRUSTEE, InterestKind.SETTLOR, InterestKind.BENEFICIARY), "trust"),
}
"""Kinds of interest that describe the same thing. Shares usually carry votes, so one doesn't contradict the other."""
KIND_WORDS = {
    InterestKind.SHARES: Message("shares"),
    InterestKind.VOTES: Message("votes"),
    InterestKind.CONTROL: Message("control by other means"),
    InterestKind.TRUSTEE: Message("trustee"),
    InterestKind.SETTLOR: Message("settlor"),
    InterestKind.BENEFICIARY: Message("beneficiary"),
    InterestKind.DIRECTOR: Message("director"),
}
_NOT_IN_REGISTER = Message("The register names no such individual.")
_NOT_DECLARED = Message("The declaration names no such owner.")
_DECLARED_BELOW = Message("declared with less than {threshold}, and named in the register")
_REGISTERED_BELOW = Message("declared, and in the register with less than {threshold}")
_SHARES, _VOTES = Message("share of the shares"), Message("share of the votes")
_FIRST_DAY, _LAST_DAY = Message("first day"), Message("last day")


@dataclass(frozen=True, slots=True)
class OwnersBelow:
    """The individuals whom the declaration and the register state with less than 25 %."""

    declared: Sequence[StatedOwner] = ()
    registry: Sequence[StatedOwner] = ()


NOBODY_BELOW = OwnersBelow()


def compare_owners(
    declared: Sequence[StatedOwner], registry: Sequence[StatedOwner], day: date, below: OwnersBelow = NOBODY_BELOW
) -> OwnerComparison:
    """Compare both sides as they were on a day.

    An individual whose control ended before it is needed by neither side. Individuals `below` 25 % are only compared with those of
    the other side who are in no other pair.
    """
    pairs = pair_owners(declared, registry, day)
    differences, agreed = [], []
    for pair in pairs:
        one, other = declared[pair.declared_at], registry[pair.registry_at]
        if one.has_ended(day) and other.has_ended(day):
            continue
        difference = _compare_pair(one, other, pair, day)
        if difference is None:
            agreed.append(AgreedOwner(declared=one, registry=other))
        else:
            differences.append(difference)
    alone = [one for one in _list_unpaired(declared, [pair.declared_at for pair in pairs]) if not one.has_ended(day)]
    others = [one for one in _list_unpaired(registry, [pair.registry_at for pair in pairs]) if not one.has_ended(day)]
    differences += _compare_missing(alone, registry, below.registry, day)
    differences += _compare_extra(others, declared, below.declared, day)
    return OwnerComparison(
        differences=tuple(sorted(differences, key=lambda difference: _ORDER.index(difference.kind))), agreed=tuple(agreed)
    )


def _list_unpaired(owners: Sequence[StatedOwner], paired: Sequence[int]) -> list[StatedOwner]:
    return [owner for at, owner in enumerate(owners) if at not in paired]


def _compare_missing(
    owners: Sequence[StatedOwner], registry: Sequence[StatedOwner], below: Sequence[StatedOwner], day: date
) -> Iterator[OwnerDifference]:
    """The differences of declared owners who are none in the register."""
    similar = select_similar_names(below, owners)
    pairs = pair_owners(owners, similar, day)
    for pair in pairs:
        yield _build_contradiction(owners[pair.declared_at], similar[pair.registry_at], _REGISTERED_BELOW, pair, day)
    for one in _list_unpaired(owners, [pair.declared_at for pair in pairs]):
        reason = _explain_absence(_NOT_IN_REGISTER, one, registry)
        yield OwnerDifference(kind=DifferenceKind.MISSING_OWNER, declared=one, registry=None, reason=reason)


def _compare_extra(
    individuals: Sequence[StatedOwner], declared: Sequence[StatedOwner], below: Sequence[StatedOwner], day: date
) -> Iterator[OwnerDifference]:
    """The differences of individuals in the register who are no declared owners."""
    similar = select_similar_names(below, individuals)
    pairs = pair_owners(similar, individuals, day)
    for pair in pairs:
        yield _build_contradiction(similar[pair.declared_at], individuals[pair.registry_at], _DECLARED_BELOW, pair, day)
    for one in _list_unpaired(individuals, [pair.registry_at for pair in pairs]):
        reason = _explain_absence(_NOT_DECLARED, one, declared)
        yield OwnerDifference(kind=DifferenceKind.EXTRA_OWNER, declared=None, registry=one, reason=reason)


def _build_contradiction(one: StatedOwner, other: StatedOwner, why: Message, pair: OwnerPair, day: date) -> OwnerDifference:
    """The difference of an individual whom one side states below 25 %; `why` is its reason unless the shares are one."""
    shares = [*_compare_shares(one, other)] or [why.fill(threshold=describe_fraction(BENEFICIAL_OWNERSHIP))]
    reasons = [*shares, *_find_other_contradictions(one, other, day), *_find_slips(one, other, pair)]
    kind = DifferenceKind.CONTRADICTING
    return OwnerDifference(kind=kind, declared=one, registry=other, reason=join_messages(reasons))


def _explain_absence(statement: Message, owner: StatedOwner, others: Sequence[StatedOwner]) -> Message:
    """The statement, with the most similar name of the other side if it is similar at all."""
    compared = [(compare_person_names(owner.name, other.name), other) for other in others]
    comparison, closest = max(compared, key=lambda one: one[0].score, default=(None, None))
    if comparison is None or closest is None or comparison.score < score_parameters.PARTIAL:
        return statement
    if are_different_births(owner, closest):
        why = Message("another date of birth")
    elif comparison.score >= score_parameters.MATCHED:
        why = Message("already compared with another individual")
    else:
        why = comparison.reason
    return join_messages([statement, Message("The most similar name is {name}: {reason}.", name=closest.name, reason=why)], " ")


def _compare_pair(one: StatedOwner, other: StatedOwner, pair: OwnerPair, day: date) -> OwnerDifference | None:
    """The difference of two statements about one person; None if they agree."""
    contradictions = [*_compare_shares(one, other), *_find_other_contradictions(one, other, day)]
    slips = [*_find_slips(one, other, pair)]
    if not contradictions and not slips:
        return None
    kind = DifferenceKind.CONTRADICTING if contradictions else DifferenceKind.IMMATERIAL
    return OwnerDifference(kind=kind, declared=one, registry=other, reason=join_messages([*contradictions, *slips]))


# --------------------------------------------------------------------------------------------------------- contradictions


def _compare_shares(one: StatedOwner, other: StatedOwner) -> Iterator[Message]:
    for words, left, right in ((_SHARES, one.share, other.share), (_VOTES, one.votes, other.votes)):
        if left is not None and right is not None and not _overlap(left, right):
            yield Message(
                "{what}: declared {declared}, in the register {registry}",
                what=words,
                declared=format_band(left),
                registry=format_band(right),
            )


def _find_other_contradictions(one: StatedOwner, other: StatedOwner, day: date) -> Iterator[Message]:
    if _get_generation(one) != _get_generation(other):
        yield Message("only one of the names has a generation suffix, or another one")
    yield from _compare_kinds(one, other)
    if not _are_near(one.from_, other.from_):
        yield _describe_dates(_FIRST_DAY, one.from_, other.from_)
    yield from _compare_ends(one, other, day)


def _get_generation(owner: StatedOwner) -> int | None:
    return parse_listed_person_name(owner.name).generation


def _compare_kinds(one: StatedOwner, other: StatedOwner) -> Iterator[Message]:
    if not one.kinds or not other.kinds:
        return
    families = [{_FAMILIES[kind] for kind in side.kinds} for side in (one, other)]
    if families[0].isdisjoint(families[1]):
        yield Message(
            "kind of control: declared {declared}, in the register {registry}",
            declared=join_values([KIND_WORDS[kind] for kind in one.kinds]),
            registry=join_values([KIND_WORDS[kind] for kind in other.kinds]),
        )


def _overlap(one: ShareBand, other: ShareBand) -> bool:
    """Whether one share is possible in both bands."""
    low, high = max(one.low, other.low), min(one.high, other.high)
    if abs(low - high) <= _TOLERANCE:
        return not any(_excludes(band, low) for band in (one, other))
    return low < high


def _excludes(band: ShareBand, share: float) -> bool:
    """Whether an open end of the band is this share."""
    return (band.exclusive_min and abs(band.low - share) <= _TOLERANCE) or (
        band.exclusive_max and abs(band.high - share) <= _TOLERANCE
    )


def _compare_ends(one: StatedOwner, other: StatedOwner, day: date) -> Iterator[Message]:
    if one.has_ended(day) and other.to is None:
        yield Message("the declaration states that the control ended on {day}, the register states no end", day=one.to or "")
    elif other.has_ended(day) and one.to is None:
        yield Message("the register states that the control ended on {day}, the declaration states no end", day=other.to or "")
    elif not _are_near(one.to, other.to):
        yield _describe_dates(_LAST_DAY, one.to, other.to)


def _are_near(one: str | None, other: str | None) -> bool:
    """Whether two dates may be those of one event."""
    return agree_as_far_as_stated(one, other) or _count_days_apart(one, other) <= NEAR_DAYS


def _count_days_apart(one: str | None, other: str | None) -> int:
    """The days between two dates that differ; more than any limit unless both are full dates."""
    if one is None or other is None or len(one) < _FULL_DATE or len(other) < _FULL_DATE:
        return date.max.toordinal()
    return abs((date.fromisoformat(one[:_FULL_DATE]) - date.fromisoformat(other[:_FULL_DATE])).days)


def _describe_dates(what: Message, one: str | None, other: str | None) -> Message:
    return Message("{what}: declared {declared}, in the register {registry}", what=what, declared=one or "", registry=other or "")


# ---------------------------------------------------------------------------------------------------------------- slips


def _find_slips(one: StatedOwner, other: StatedOwner, pair: OwnerPair) -> Iterator[Message]:
    """The differences of form. They never make a difference material."""
    if pair.comparison.score < 1:
        yield Message("name: {reason}", reason=pair.comparison.reason)
    for what, left, right in ((_FIRST_DAY, one.from_, other.from_), (_LAST_DAY, one.to, other.to)):
        if not agree_as_far_as_stated(left, right) and _are_near(left, right):
            yield _describe_dates(what, left, right)
    if one.address is not None and other.address is not None and one.address.casefold() != other.address.casefold():
        yield _describe_address(one.address, other.address)


def _describe_address(declared: str, registry: str) -> Message:
    comparison = compare_addresses(Address(raw=declared), Address(raw=registry))
    if comparison.score is not None and comparison.score >= score_parameters.MATCHED:
        return Message("address in another form")
    # The public register shows an address for service in place of the residential one, if there is one.
    return Message("another address, which may be the address for service: {reason}", reason=comparison.reason)


def format_band(band: ShareBand) -> Message:
    """A share or a band in words, in per cent."""
    return describe_fraction(band.low) if band.low == band.high else describe_share(band)
