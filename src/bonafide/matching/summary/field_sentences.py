"""The sentences of a summary on what the register states, and on what each comparison came to.

Register: name, status, age, standing, by which route and of which day. Comparisons: what matches, what differs and how much that
matters, what is unknown and why. No score is made here; only bands of scores are put into words.
"""

from collections.abc import Iterator

from bonafide.matching.names.normalization import normalise
from bonafide.matching.summary.summary_context import FactSentence, SummaryContext
from bonafide.model.entity import NameHistoryItem, StatusCode
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import CheckedAddress, CheckedField, CheckedPerson, CheckStatus

GOOD_STANDING = "registryData.businessReport.details.goodStanding"
STATUS = "registryData.status"
STATUS_CODE = "registryData.statusCode"


def describe_register(story: SummaryContext, report: RegistryReport) -> Iterator[FactSentence]:
    """What it states, whatever was claimed."""
    wording = story.wording
    yield story.say("legal_name", "registryData.legalName", register=story.register, name=wording.quoted(report.legal_name))
    yield _describe_status(story, report)
    if report.incorporation_date is not None:
        yield story.say("formed", "registryData.incorporationDate", date=wording.day(report.incorporation_date))
    yield story.say(_choose_good_standing_phrase(report.business_report.details.good_standing), GOOD_STANDING)
    yield _describe_route(story, report)


def _describe_status(story: SummaryContext, report: RegistryReport) -> FactSentence:
    wording, is_clear = story.wording, report.status_code is not StatusCode.UNKNOWN
    code = wording.word("statuses", report.status_code)
    if report.status is None:
        return story.say("status_code", STATUS_CODE, code=code) if is_clear else story.say("status_unpublished", STATUS)
    status = wording.quoted(report.status)
    return story.say("status", STATUS, status=status, code=code) if is_clear else story.say("status_unclear", STATUS, status=status)


def _choose_good_standing_phrase(is_good: bool | None) -> str:  # noqa: FBT001 - a field of the report
    if is_good is None:
        return "standing_unpublished"
    return "good_standing" if is_good else "not_good_standing"


def _describe_route(story: SummaryContext, report: RegistryReport) -> FactSentence:
    """How the register was looked at, and how old that is. The phrases are named for the routes."""
    retrieved = story.wording.instant(report.retrieved_at)
    if report.as_of is None:
        return story.say(report.route, "registryData.retrievedAt", retrieved=retrieved)
    return story.say(f"{report.route}_as_of", "registryData.asOf", retrieved=retrieved, as_of=story.wording.day(report.as_of))


MISSPELT_NAME = 0.85
"""From this score on, names differ as a slip or a spelling makes them differ."""
OTHER_NAME = 0.7
"""Below this, it is another name (as everywhere in `features`)."""
NAME, NUMBER = "results.fields.legalName", "results.fields.registrationNumber"
ADDRESS, PEOPLE = "results.fields.address", "results.people"
_PLACE = frozenset({"city", "province", "country"})


# ------------------------------------------------------------------------------------------------------------ names


def describe_name(story: SummaryContext) -> Iterator[FactSentence]:
    """The legal name; nothing when there was no entry to compare with."""
    field, wording = story.findings.fields.legal_name, story.wording
    if field.provided is None or field.registry is None or field.score is None:
        return
    provided, registry = wording.quoted(field.provided), wording.quoted(field.registry)
    if field.status is CheckStatus.MATCHED:
        if field.score < 1:
            yield story.say("name_alike", NAME, **_quote_both(story, field))
        else:
            yield story.say("name_same" if provided == registry else "name_spelled", NAME, registry=registry)
        return
    former = find_former_name(story)
    if former is None:
        yield story.say("name_differs", NAME, **_quote_both(story, field))
    elif former.end_date is None:
        yield story.say("name_former", NAME, provided=provided, registry=registry)
    else:
        yield story.say("name_former_until", NAME, provided=provided, registry=registry, date=wording.day(former.end_date))
    yield story.say(_assess_name_difference(field.score, former), NAME)


def find_former_name(story: SummaryContext) -> NameHistoryItem | None:
    """The former name that was claimed; None when it was none."""
    field, report = story.findings.fields.legal_name, story.report
    if report is None or field.provided is None or field.status is not CheckStatus.MISMATCHED:
        return None
    claimed, current = normalise(field.provided).core, {report.legal_name, *report.alternate_names}
    history = report.business_report.details.name_history
    return next((item for item in history if item.name not in current and normalise(item.name).core == claimed), None)


def _assess_name_difference(score: float, former: NameHistoryItem | None) -> str:
    if former is not None:
        return "matters_former"
    if score >= MISSPELT_NAME:
        return "matters_slip"
    return "matters_considerable" if score >= OTHER_NAME else "matters_other_name"


def _quote_both(story: SummaryContext, field: CheckedField) -> dict[str, str]:
    """The values of a sentence that sets two texts side by side."""
    wording = story.wording
    return {
        "provided": wording.quoted(field.provided or ""),
        "registry": wording.quoted(field.registry or ""),
        "score": wording.percent(field.score or 0.0),
        "threshold": wording.percent(field.threshold),
    }


# ------------------------------------------------------------------------------------------------------------ numbers


def describe_number(story: SummaryContext) -> Iterator[FactSentence]:
    """The registration number; nothing when there was no entry to compare with."""
    field, wording = story.findings.fields.registration_number, story.wording
    if field.registry is None or field.provided is None:
        return
    provided, registry = wording.quoted(field.provided), wording.quoted(field.registry)
    if field.status is CheckStatus.MATCHED:
        yield story.say("number_same" if provided == registry else "number_spelled", NUMBER, registry=registry)
        return
    yield story.say("number_differs", NUMBER, provided=provided, registry=registry)
    yield story.say("matters_number", NUMBER)


# ------------------------------------------------------------------------------------------------------------ addresses


def describe_address(story: SummaryContext) -> Iterator[FactSentence]:
    """The address; nothing when it was not compared."""
    address = story.findings.fields.address
    if address is None or address.score is None or address.registry is None:
        return
    if address.status is CheckStatus.MATCHED:
        yield (
            story.say("address_alike", ADDRESS, **_quote_both(story, address))
            if address.score < 1
            else story.say("address_same", ADDRESS)
        )
        return
    differing = _list_parts(address, CheckStatus.MISMATCHED)
    yield story.say("address_differs", ADDRESS, parts=_format_parts(story, differing))
    for name in differing:
        yield from _describe_part(story, address, name)
    yield story.say(_assess_address_difference(frozenset(differing)), ADDRESS)


def _describe_part(story: SummaryContext, address: CheckedAddress, name: str) -> Iterator[FactSentence]:
    part, wording = address.fields[name], story.wording
    if part.provided is None or part.registry is None:
        return
    field, word = f"{ADDRESS}.fields.{name}", wording.word("parts", name)
    yield story.say(
        "part_differs", field, part=word, provided=wording.quoted(part.provided), registry=wording.quoted(part.registry)
    )


def _list_parts(address: CheckedAddress, status: CheckStatus) -> list[str]:
    return [name for name, part in address.fields.items() if part.status is status]


def _format_parts(story: SummaryContext, names: list[str]) -> str:
    return story.wording.listed([story.wording.word("parts", name) for name in names])


def _assess_address_difference(differing: frozenset[str]) -> str:
    if not differing.isdisjoint(_PLACE):
        return "matters_place"
    return "matters_street" if "street" in differing else "matters_detail"


# ------------------------------------------------------------------------------------------------------------ people


def describe_people(story: SummaryContext) -> Iterator[FactSentence]:
    """Those who are confirmed together, each of the others alone."""
    confirmed = story.list_people_with_status(CheckStatus.MATCHED)
    without_roles = [person for person in confirmed if person.role is not None and person.registry and not person.registry.roles]
    as_claimed = [person for person in confirmed if person not in without_roles]
    if as_claimed:
        yield story.say("people_same", PEOPLE, people=story.format_people(as_claimed))
    if without_roles:
        yield story.say("people_without_roles", PEOPLE, people=story.format_people(without_roles))
    for place, person in enumerate(story.findings.people):
        if person.status is CheckStatus.MISMATCHED:
            yield _describe_person(story, person, f"{PEOPLE}.{place}")
            yield story.say("matters_people", f"{PEOPLE}.{place}")


def _describe_person(story: SummaryContext, person: CheckedPerson, field: str) -> FactSentence:
    wording, found = story.wording, person.registry
    shown = wording.person(person.name, person.role)
    if found is None or person.score is None:
        return story.say("person_missing", field, person=shown)
    if person.score >= person.threshold:
        roles = wording.listed([wording.quoted(role) for role in found.roles])
        return story.say("person_other_role", field, person=shown, roles=roles)
    return story.say(
        "person_alike",
        field,
        person=shown,
        registry=wording.quoted(found.name),
        score=wording.percent(person.score),
        threshold=wording.percent(person.threshold),
    )


# ------------------------------------------------------------------------------------------------------------ not compared

_ADDRESS_UNCOMPARED = {
    CheckStatus.NOT_PUBLISHED: "address_unpublished",
    CheckStatus.NOT_PROVIDED: "address_unreadable",
    CheckStatus.NOT_CHECKED: "address_no_entry",
}


def describe_unknown_fields(story: SummaryContext) -> Iterator[FactSentence]:
    """What could not be compared, and why; in the end that the report itself has limits."""
    fields = story.findings.fields
    if fields.legal_name.status is CheckStatus.NOT_CHECKED:
        yield story.say("name_no_entry", NAME)
    if fields.registration_number.status is CheckStatus.NOT_PUBLISHED:
        yield story.say("number_unpublished", NUMBER)
    yield from _describe_unknown_address(story)
    yield from _describe_unknown_people(story)
    if story.report is not None and story.report.notes:
        yield story.say("notes", "registryData.notes")


def _describe_unknown_address(story: SummaryContext) -> Iterator[FactSentence]:
    address = story.findings.fields.address
    if story.subject.address is None:
        yield story.ask("address_not_sent", ADDRESS)
    elif address is None:
        yield story.ask("address_left_out", "meta.thresholds.address")
    elif address.status in _ADDRESS_UNCOMPARED:
        yield story.say(_ADDRESS_UNCOMPARED[address.status], ADDRESS)
    else:
        silent = _list_parts(address, CheckStatus.NOT_PUBLISHED)
        if silent:
            yield story.say("parts_unpublished", f"{ADDRESS}.fields", parts=_format_parts(story, silent))


def _describe_unknown_people(story: SummaryContext) -> Iterator[FactSentence]:
    if not story.subject.people:
        yield story.ask("people_not_sent", PEOPLE)
    elif story.thresholds.people is None:
        yield story.ask("people_left_out", "meta.thresholds.people")
    for status, key in ((CheckStatus.NOT_PUBLISHED, "people_unpublished"), (CheckStatus.NOT_CHECKED, "people_no_entry")):
        people = story.list_people_with_status(status)
        if people:
            yield story.say(key, PEOPLE, people=story.format_people(people))
