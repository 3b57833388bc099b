"""Screen the parties of a business: its names, its people, and those of its stored record.

Every party has its own result. One that could not be screened has the status `not_screened` with the reason and is never clear.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from bonafide.i18n.message import Message, join_sentences, join_values, plural_message
from bonafide.matching.names.normalization import normalise
from bonafide.matching.ownership.owner_chains import OwnerChains
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.matching.screening.name_parsing import ParsedSubject, parse_organization_name, parse_subject
from bonafide.matching.text.countries import parse_country_code
from bonafide.matching.text.transliteration import transliterate
from bonafide.model.entity import Address, Person, RoleCategory
from bonafide.model.entry import EntityKind
from bonafide.model.ownership.chain import OwnershipStep
from bonafide.model.query import ScreeningSubject
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.screening.requests import ScreeningSubmitted, SubmittedSubject
from bonafide.model.search.match import (
    BusinessMatch,
    BusinessReport,
    ScreenedSubject,
    Screening,
    ScreeningStatus,
    SubjectOrigin,
    SubjectRole,
)
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import ClaimedPerson
from bonafide.observability.log import get_logger
from bonafide.services.screening.list_cache import LoadedScreeningLists
from bonafide.services.screening.subject_screening import build_screening_result

MAX_PARTIES = 100
"""Most parties of one business that are screened, in this order: submitted, names and people of the match, those of the record."""
MAX_UNSCREENED = 20
"""Most further parties that the result names. The reason of the last one has the number of the others."""
NO_LIST = Message("No sanctions list could be screened. No result isn’t a clear result.")
TOO_MANY = Message("Only the first {n} parties of a business are screened.", n=MAX_PARTIES)
FAILED = Message("could not be screened because of an internal error")
_NAME_FIELD = "name"
_CANADA = "CA"
_OWNERS = frozenset({RoleCategory.OWNER, RoleCategory.SHAREHOLDER, RoleCategory.PARTNER, RoleCategory.TRUSTEE})
_ROLES_OF_NAMES = frozenset({SubjectRole.LEGAL_NAME, SubjectRole.TRADE_NAME, SubjectRole.FORMER_NAME})
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class OwnerReference:
    """A party of the ownership statements by its ID, and the chains to the business, of which only those shown are described."""

    party: str
    chains: OwnerChains

    def describe_path(self) -> tuple[OwnershipStep, ...]:
        """The strongest chain from the party to the business."""
        return self.chains.describe(self.chains.find_chain(self.party))


@dataclass(frozen=True, slots=True)
class BusinessParty:
    """A name or a person of a business: what is screened, what it is to the business, and which source states it.

    `titles` are the roles in the source's own words. `kind` is None if it is not known. `owner` is None unless the party is one of
    the ownership statements.
    """

    role: SubjectRole
    origin: SubjectOrigin
    kind: EntityKind | None
    subject: ScreeningSubject
    titles: tuple[str, ...] = ()
    owner: OwnerReference | None = None


@dataclass(frozen=True, slots=True)
class PartyScreener:
    """The open lists and the threshold for all parties of one screening. `lists` is None if no list was opened in time."""

    lists: LoadedScreeningLists | None
    threshold: float
    rarity: WordRarity
    limit: int = MAX_PARTIES

    def screen(self, parent_id: UUID, parties: Iterable[BusinessParty], known: ParsedSubject) -> tuple[ScreenedSubject, ...]:
        """Screen each party that differs from the submitted name and from the parties before it.

        CPU-bound (`bonafide bench screen`). The id of a subject is a function of the search or screening and of the party. Parties
        beyond the limit are not screened: the first `MAX_UNSCREENED` of them are named, and the others are counted.
        """
        seen: set[object] = {("name", name.core) for name in known.businesses}
        found: list[ScreenedSubject] = []
        unnamed = 0
        for party in parties:
            key = _build_key(party)
            if key in seen:
                continue
            seen.add(key)
            if len(found) == self.limit + MAX_UNSCREENED:
                unnamed += 1
            else:
                subject_id = uuid5(parent_id, f"subject/{party.role}/{party.subject.name}/{len(found)}")
                found.append(self._screen_party(subject_id, party, is_within_limit=len(found) < self.limit))
        return (*found[:-1], _count_unnamed(found[-1], unnamed)) if unnamed else tuple(found)

    def _screen_party(self, subject_id: UUID, party: BusinessParty, *, is_within_limit: bool) -> ScreenedSubject:
        if self.lists is None:
            return _build_unscreened(subject_id, party, NO_LIST)
        if not is_within_limit:
            return _build_unscreened(subject_id, party, TOO_MANY.fill(n=self.limit))
        try:
            parsed = parse_subject(party.subject)
            results = self.lists.find_candidates(parsed, self.threshold, self.rarity)
            screening = build_screening_result(parsed, results, self.threshold, self.rarity).screening
        except Exception:  # noqa: BLE001 - one party must not end the others; the log has the traceback
            _log.exception("party.failed", role=party.role.value)
            return _build_unscreened(subject_id, party, FAILED)
        if screening.status is ScreeningStatus.SCREENED and not screening.lists:
            return _build_unscreened(subject_id, party, NO_LIST)
        return _build_subject(subject_id, party, screening)


def _build_key(party: BusinessParty) -> object:
    """The same for spellings of one name. People with different dates of birth or countries differ, and owners by their IDs."""
    if party.owner is not None:
        return ("owner", party.owner.party)
    if party.role in _ROLES_OF_NAMES:
        return ("name", parse_organization_name(party.subject.name).core)
    subject = party.subject
    words = normalise(transliterate(subject.name)).tokens
    return ("person", words, subject.entity_type, subject.countries, subject.date_of_birth)


def list_match_parties(match: BusinessMatch) -> Iterator[BusinessParty]:
    """The legal, trade and former names of a register match, then its people in the order of the register."""
    return _list_register_parties(match.legal_name.name, match.alternate_names, match.business_report, match.people)


def list_report_parties(report: RegistryReport) -> Iterator[BusinessParty]:
    """The same of a register's report."""
    return _list_register_parties(report.legal_name, report.alternate_names, report.business_report, report.people)


def _list_register_parties(
    legal_name: str, alternate_names: Sequence[str], report: BusinessReport | None, people: Sequence[Person]
) -> Iterator[BusinessParty]:
    names = [(SubjectRole.LEGAL_NAME, legal_name)]
    names += [(SubjectRole.TRADE_NAME, name) for name in alternate_names]
    if report is not None:
        names += [(SubjectRole.FORMER_NAME, item.name) for item in report.details.name_history]
    for role, name in names:
        yield BusinessParty(role, SubjectOrigin.MATCH, EntityKind.ORGANIZATION, ScreeningSubject(name))
    yield from (_to_person_party(person) for person in people)


def _to_person_party(person: Person) -> BusinessParty:
    categories = {detail.category for detail in person.role_details}
    countries = list_foreign_countries(person.addresses)
    subject = ScreeningSubject(person.name, countries=countries)
    return BusinessParty(_choose_role(categories), SubjectOrigin.MATCH, _find_kind(person.name), subject, person.roles)


def _choose_role(categories: set[RoleCategory]) -> SubjectRole:
    if not categories.isdisjoint(_OWNERS):
        return SubjectRole.OWNER
    if RoleCategory.DIRECTOR in categories:
        return SubjectRole.DIRECTOR
    return SubjectRole.OFFICER if RoleCategory.OFFICER in categories else SubjectRole.OTHER_PERSON


def _find_kind(name: str) -> EntityKind:
    """An organization if the name has a legal form, otherwise a person. It is shown and does not restrict the screening."""
    return EntityKind.ORGANIZATION if parse_organization_name(name).legal_forms else EntityKind.PERSON


def list_foreign_countries(addresses: Sequence[Address]) -> tuple[str, ...]:
    """The countries of the addresses, if one of them is abroad.

    A Canadian address alone is often one for service, and as evidence it would lower the score of a party that is listed elsewhere.
    """
    texts = [address.country for address in addresses if address.country is not None]
    codes = dict.fromkeys(code for code in map(parse_country_code, texts) if code is not None)
    return tuple(codes) if set(codes) - {_CANADA} else ()


def list_record_parties(record: BusinessRecord) -> Iterator[BusinessParty]:
    """The names and the people of a stored record."""
    names = [(SubjectRole.LEGAL_NAME, record.name)] if record.name is not None else []
    names += [(SubjectRole.TRADE_NAME, name) for name in record.operating_names]
    for role, name in names:
        yield BusinessParty(role, SubjectOrigin.RECORD, EntityKind.ORGANIZATION, ScreeningSubject(name))
    for person in record.people:
        subject = ScreeningSubject(person.name)
        yield BusinessParty(SubjectRole.RECORD_PERSON, SubjectOrigin.RECORD, _find_kind(person.name), subject, person.roles)


def list_submitted_parties(submitted: ScreeningSubmitted) -> Iterator[BusinessParty]:
    """The further subjects of a screening request, with the tolerance of the request."""
    for given in submitted.subjects:
        subject = ScreeningSubject(
            name=given.name,
            entity_type=given.kind,
            countries=_list_given_countries(given),
            date_of_birth=given.date_of_birth,
            typo_tolerance=submitted.typo_tolerance,
            name_variants=submitted.name_variants,
        )
        titles = (given.role,) if given.role is not None else ()
        yield BusinessParty(SubjectRole.SUBMITTED, SubjectOrigin.REQUEST, given.kind, subject, titles)


def list_claimed_parties(people: Iterable[ClaimedPerson]) -> Iterator[BusinessParty]:
    """The people whom a verification request names."""
    for person in people:
        subject = ScreeningSubject(person.name)
        yield BusinessParty(SubjectRole.SUBMITTED, SubjectOrigin.REQUEST, _find_kind(person.name), subject, person.roles)


def _list_given_countries(given: SubmittedSubject) -> tuple[str, ...]:
    if given.countries is not None:
        codes = (parse_country_code(code) for code in given.countries)
        return tuple(dict.fromkeys(code for code in codes if code is not None))
    return list_foreign_countries([address.as_address() for address in given.addresses])


def _build_subject(subject_id: UUID, party: BusinessParty, screening: Screening) -> ScreenedSubject:
    return ScreenedSubject(
        subject_id=subject_id,
        name=screening.query,
        kind=party.kind,
        role=party.role,
        titles=party.titles,
        origin=party.origin,
        countries=party.subject.countries,
        date_of_birth=party.subject.date_of_birth,
        ownership_path=party.owner.describe_path() if party.owner is not None else (),
        status=screening.status,
        reason=screening.reason,
        total_matches=screening.total_matches,
        matches=screening.matches,
        warnings=tuple(warning.model_copy(update={"field": _NAME_FIELD}) for warning in screening.warnings),
    )


def _build_unscreened(subject_id: UUID, party: BusinessParty, reason: Message) -> ScreenedSubject:
    return ScreenedSubject(
        subject_id=subject_id,
        name=party.subject.name,
        kind=party.kind,
        role=party.role,
        titles=party.titles,
        origin=party.origin,
        countries=party.subject.countries,
        date_of_birth=party.subject.date_of_birth,
        ownership_path=party.owner.describe_path() if party.owner is not None else (),
        status=ScreeningStatus.NOT_SCREENED,
        reason=reason,
        total_matches=0,
        matches=(),
    )


def _count_unnamed(last: ScreenedSubject, count: int) -> ScreenedSubject:
    """The last party that is named, with the number of those that follow."""
    others = plural_message("{n} more party was not screened.", "{n} more parties were not screened.", count)
    return last.model_copy(update={"reason": join_sentences(last.reason, others) if last.reason is not None else others})


def withdraw_clearance(subject: ScreenedSubject, missing: Sequence[str]) -> ScreenedSubject:
    """The subject as not screened if lists are missing and it has no open hit. Apply dismissals before."""
    if not missing or subject.open_hits > 0 or subject.status is ScreeningStatus.NOT_SCREENED:
        return subject
    reason = Message("Not screened: {lists}.", lists=join_values(missing))
    return subject.model_copy(update={"status": ScreeningStatus.NOT_SCREENED, "reason": reason})


def has_new_name_hits(screening: Screening) -> bool:
    """Whether a further name of the match has an open hit that the submitted name does not have."""
    known = {(match.source, match.entry_id) for match in screening.matches}
    return any(
        match.dismissed is None and (match.source, match.entry_id) not in known
        for subject in screening.subjects
        if subject.role in _ROLES_OF_NAMES and subject.origin is SubjectOrigin.MATCH
        for match in subject.matches
    )
