"""Build a registry entry from the notices of one business.

The last event determines the status of the business. Only published facts are used.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.model.entity import Address, NameHistoryItem, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.notices.events import Notice, NoticeEvent, normalize_name
from bonafide.sources.shared.notices.grouping import NoticeGrouper

NOT_IN_GOOD_STANDING = frozenset({NoticeEvent.LIABLE, NoticeEvent.STRUCK, NoticeEvent.DISSOLVED})
_FIRST_EVENTS = frozenset({NoticeEvent.REGISTERED, NoticeEvent.LISTED})


ReadNotice = tuple[Resource, int, Notice | Message]
"""A line of an issue: a notice, or the reason why it was rejected."""


def build_entries(found: Iterable[ReadNotice], context: ParseContext) -> Iterator[RegistryEntry]:
    """Yield one entry for each business, from its notices by date. Every notice but one of each business is counted as merged.

    Raises `ParseFailed` if the source is not a register.
    """
    with NoticeGrouper(context) as grouper:
        for resource, line, notice in found:
            if isinstance(notice, str):
                context.reject(resource, line, notice)
            elif not normalize_name(notice.name) or not normalize_name(notice.last_name):
                context.reject(resource, line, Message("the notice has no name"))
            else:
                grouper.add(notice, resource, line)
        yield from _build_grouped_entries(grouper, context)


def _build_grouped_entries(grouper: NoticeGrouper, context: ParseContext) -> Iterator[RegistryEntry]:
    jurisdiction = context.metadata.jurisdiction
    if jurisdiction is None:
        raise ParseFailed(Message("{source} is not a register", source=context.metadata.key))
    names: set[int] = set()
    for group in grouper.groups():
        for notices in _split_by_registration(group):
            business = _BusinessNotices(sorted(notices, key=lambda notice: notice.day))
            for _ in notices[1:]:
                context.merge()
            entry_id = business.number if business.number is not None else _build_name_id(business, names)
            yield _build_entry(business, entry_id, jurisdiction, context)


def _split_by_registration(group: list[Notice]) -> list[list[Notice]]:
    """Split notices that share only a name if their registration dates show that they are of different businesses."""
    parts: list[list[Notice]] = []
    for notice in group:
        day = notice.incorporated_on if notice.number is None and notice.event in _FIRST_EVENTS else None
        fitting = [part for part in parts if day is None or _is_compatible(part, day)]
        if fitting:
            fitting[-1].append(notice)
        else:
            parts.append([notice])
    return parts


def _is_compatible(part: list[Notice], day: date) -> bool:
    """Whether the business of these notices can have been registered on that date."""
    known = next((notice.incorporated_on for notice in part if notice.incorporated_on is not None), None)
    return known == day if known is not None else all(notice.day >= day for notice in part)


@dataclass(frozen=True, slots=True)
class _BusinessNotices:
    """The notices of one business by date."""

    notices: list[Notice]

    @property
    def last(self) -> Notice:
        return self.notices[-1]

    @property
    def number(self) -> str | None:
        return next((notice.number for notice in self.notices if notice.number is not None), None)

    @property
    def entity_type(self) -> str | None:
        return next((notice.entity_type for notice in reversed(self.notices) if notice.entity_type is not None), None)

    @property
    def incorporated_on(self) -> date | None:
        return next((notice.incorporated_on for notice in self.notices if notice.incorporated_on is not None), None)

    @property
    def home(self) -> str | None:
        """The home jurisdiction of an extra-provincial business, if a notice has it."""
        return next((notice.home for notice in reversed(self.notices) if notice.home is not None), None)

    @property
    def url(self) -> str | None:
        return next((notice.url for notice in reversed(self.notices) if notice.url is not None), None)

    def addresses(self) -> tuple[Address, ...]:
        """The address that was published last."""
        for notice in reversed(self.notices):
            address = notice.place.address() if notice.place is not None else None
            if address is not None:
                return (address,)
        return ()

    def former_names(self) -> tuple[NameHistoryItem, ...]:
        """Former names, and until when. Spellings that differ only in punctuation are the same name."""
        former: dict[str, NameHistoryItem] = {}
        start = self.incorporated_on
        for notice in self.notices:
            if notice.new_name is not None:
                former[normalize_name(notice.name)] = NameHistoryItem(
                    type="former", name=notice.name, effective_date=start, end_date=notice.day
                )
                start = notice.day
        former.pop(normalize_name(self.last.last_name), None)
        return tuple(former.values())


def _build_entry(business: _BusinessNotices, entry_id: str, jurisdiction: Jurisdiction, context: ParseContext) -> RegistryEntry:
    metadata, last = context.metadata, business.last
    number = business.number
    status = last.status if last.status is not None else context.term(last.event)
    return RegistryEntry(
        entry_id=entry_id,
        source_url=business.url,
        jurisdiction=jurisdiction,
        legal_name=last.last_name,
        name_history=business.former_names(),
        registration_numbers=(RegistrationNumber(label=str(metadata.number_label), value=number),) if number is not None else (),
        entity_type=business.entity_type,
        status=status,
        status_code=context.status(status),
        good_standing=False if last.event in NOT_IN_GOOD_STANDING else None,
        incorporation_date=business.incorporated_on,
        addresses=business.addresses(),
        home_jurisdiction=business.home,
    )


def _build_name_id(business: _BusinessNotices, taken: set[int]) -> str:
    """Use the name as the ID of a business without a number. Later businesses of the same name have their first date added."""
    first = business.notices[0]
    name = normalize_name(first.name) if first.series is None else f"{normalize_name(first.name)}:{first.series}"
    if hash(name) not in taken:
        taken.add(hash(name))
        return name
    day = business.incorporated_on if business.incorporated_on is not None else first.day
    return f"{name}:{day.isoformat()}"
