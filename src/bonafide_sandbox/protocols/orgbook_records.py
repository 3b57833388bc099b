"""OrgBook BC documents: a registration as a chain of credentials that revoke each other.

Documents contain the data of the register's canonical file, except what OrgBook does not publish: people, addresses, good standing,
statuses other than active or historical, and all but one of the other names. Additional values (reasons, filing times, home
jurisdictions of extra-provincial companies) derive from the business's `random_bits`.
"""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from bonafide_sandbox.generator.business import FIRM_KINDS, LIVE_STATUSES, BusinessKind, LifecycleStatus, SandboxBusiness
from bonafide_sandbox.generator.registrations import TODAY

HOST = "orgbook.gov.bc.ca/api/v4/"
REGISTRATION = "registration.registries.ca"
RELATIONSHIP = "relationship.registries.ca"
NUMBER = "business_number.registries.ca"
TYPE_IDS = {REGISTRATION: 1, RELATIONSHIP: 2, NUMBER: 4}
SERIES = ("BC", "FM", "LP", "S", "CP", "A")
"""The letter prefixes of registration numbers. With the digits they form the topic id, so that the id can be decoded."""
SERIAL_SPAN = 10_000_000
ID_SPAN = 100
"""The number of ids reserved for the parts of each topic."""
HOMES = ("FD", "AB", "ON", "QC", "OT", "Washington", "DELAWARE", "SK")
ONE_IN_AMALGAMATED = 12
"""One in this many companies is the result of an amalgamation."""
ONE_IN_OWNED = 3
"""One in this many firms has a published owner."""
_NUMBER = re.compile(r"([A-Z]+)(\d{7})")
OrgbookRecord = dict[str, Any]
CredentialAttributes = list[tuple[str, str, str]]
"""The type, format and value of each attribute."""


def to_topic_id(business: SandboxBusiness) -> int:
    """Return OrgBook's topic id of a business."""
    found = _NUMBER.fullmatch(business.number)
    if found is None:
        raise ValueError(f"{business.number} is not a registration number of the sandbox register")
    return SERIES.index(found[1]) * SERIAL_SPAN + int(found[2])


def from_topic_id(topic: int) -> str | None:
    """Return the registration number for a topic id, or None if the id is invalid."""
    series, serial = divmod(topic, SERIAL_SPAN)
    return f"{SERIES[series]}{serial:07d}" if series < len(SERIES) else None


def create_credential_uuid(business: SandboxBusiness, about: str, place: int) -> str:
    """Return the UUID of a credential."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://{HOST}{business.number}/{about}/{place}"))


# ------------------------------------------------------------------------------------------------------------ history


class _ReasonCodes(NamedTuple):
    """The entity type code of a kind, and the reason codes of its credentials."""

    type: str
    beginning: str
    renaming: str
    dissolution: str


_REASON_CODES = {
    BusinessKind.COMPANY: _ReasonCodes("BC", "Filing:ICORP", "Filing:NOALA", "Filing:ADVDS"),
    BusinessKind.NONPROFIT: _ReasonCodes("S", "Filing:INCSC", "Filing:SANMF", "Filing:SVDSF"),
    BusinessKind.COOPERATIVE: _ReasonCodes("CP", "Filing:OTINC", "Filing:OTNCN", "Filing:OTVDS"),
    BusinessKind.FIRM: _ReasonCodes("SP", "Filing:FRREG", "Filing:NAMSP", "Filing:DISSP"),
    BusinessKind.PARTNERSHIP: _ReasonCodes("GP", "Filing:FRREG", "Filing:NAMGP", "Filing:DISGP"),
    BusinessKind.LIMITED_PARTNERSHIP: _ReasonCodes("LP", "Filing:LPREG", "Filing:LPCHG", "Filing:LPDIS"),
    BusinessKind.EXTRA_PROVINCIAL: _ReasonCodes("A", "Filing:REGST", "Filing:NOCNX", "Event:SYSDS"),
}
_OTHER_ENDINGS = {
    LifecycleStatus.AMALGAMATED: "Filing:AMALR",
    LifecycleStatus.CONTINUED_OUT: "Filing:COUTI",
    LifecycleStatus.CANCELLED: "Event:SYSCAN",
}


@dataclass(frozen=True, slots=True)
class _Stage:
    """The state of the registration from a point in time on."""

    name: str
    name_since: datetime
    reason: str
    status: str
    status_since: datetime


def _stages(business: SandboxBusiness) -> list[_Stage]:
    """Return the stages of the registration: each name in turn, and the dissolution if there is one."""
    words, born = _REASON_CODES[business.kind], _instant(business.registered_on, business)
    stages = [_Stage(_first_name(business), born, _beginning(business), "ACT", born)]
    later = [*(former.name for former in business.former_names[1:]), business.name]
    for former, name in zip(business.former_names, later, strict=False):
        stages.append(replace(stages[-1], name=name, name_since=_instant(former.until, business), reason=words.renaming))
    if business.standing not in LIVE_STATUSES:
        last = stages[-1].name_since.date()
        ended = _instant(last + (TODAY - last) * (business.random_bits % 97 / 97), business)
        reason = _OTHER_ENDINGS.get(business.standing, words.dissolution)
        stages.append(replace(stages[-1], reason=reason, status="HIS", status_since=ended))
    return stages


def _first_name(business: SandboxBusiness) -> str:
    return business.former_names[0].name if business.former_names else business.name


def _beginning(business: SandboxBusiness) -> str:
    amalgamated = business.kind is BusinessKind.COMPANY and business.random_bits % ONE_IN_AMALGAMATED == 1
    return "Filing:AMALR" if amalgamated else _REASON_CODES[business.kind].beginning


def _instant(day: date, business: SandboxBusiness) -> datetime:
    """Return a time on this day in British Columbia. In UTC, evening filings fall on the next day."""
    hour, minute = business.random_bits % 24, business.random_bits // 24 % 60
    return datetime.combine(day, time(hour, minute), ZoneInfo("America/Vancouver"))


# ------------------------------------------------------------------------------------------------------------ records


@dataclass(frozen=True, slots=True)
class _Credential:
    """The content of a credential and its effective date."""

    effective: datetime
    names: list[tuple[str, str]]
    """The type and text of each name."""
    facts: CredentialAttributes


def build_topic(business: SandboxBusiness) -> OrgbookRecord:
    """Return the topic as the search returns it: all credentials that are not revoked. It never contains an address."""
    sets = build_credential_sets(business)
    standing = [issued["credentials"][-1] for issued in sets]
    registration = standing[0]
    return {
        "id": to_topic_id(business),
        "source_id": business.number,
        "type": REGISTRATION,
        "names": [name for credential in standing for name in credential["names"]],
        "addresses": [],
        "attributes": [
            {**attribute, "credential_id": credential["id"], "credential_type_id": credential["credential_type"]["id"]}
            for credential in standing
            for attribute in credential["attributes"]
        ],
        "credential_set": {key: value for key, value in sets[0].items() if key != "credentials"},
        "credential_type": registration["credential_type"],
        **{key: registration[key] for key in ("inactive", "revoked", "effective_date", "revoked_date")},
    }


def build_credential_sets(business: SandboxBusiness) -> list[OrgbookRecord]:
    """Return all issued credentials: one set per credential type, the registration first."""
    stages = _stages(business)
    born, number = stages[0].name_since, business.business_number
    sets = [
        _set(business, REGISTRATION, [_registration(business, stage) for stage in stages]),
        _set(business, NUMBER, [_Credential(born, [("business_number", number)], [("business_number", "attribute", number)])]),
    ]
    if business.kind in FIRM_KINDS and business.random_bits % ONE_IN_OWNED == 0:
        sets.append(_set(business, RELATIONSHIP, [_Credential(born, [], _ownership(business, born))]))
    return sets


def _set(business: SandboxBusiness, about: str, issued: Sequence[_Credential]) -> OrgbookRecord:
    """Return a credential set, oldest first."""
    first_id = (to_topic_id(business) * ID_SPAN + TYPE_IDS[about]) * ID_SPAN
    credentials = [
        {
            "id": first_id + place,
            "credential_type": {"id": TYPE_IDS[about], "issuer": {}, "has_logo": True, "description": about},
            "credential_id": create_credential_uuid(business, about, place),
            "credential_def_id": "6D2evN7HsKjz7dy2xSaYoJ:3:CL:341:default",
            **_content(one, first_id + place),
            **_revocation(following, first_id + place + 1),
        }
        for place, (one, following) in enumerate(pairwise((*issued, None)))
        if one is not None
    ]
    return {
        "id": first_id,
        "create_timestamp": "2021-08-18T17:14:21.673415+00:00",
        "update_timestamp": "2021-08-18T17:14:21.673430+00:00",
        "latest_credential_id": credentials[-1]["id"],
        "first_effective_date": _utc(issued[0].effective),
        "last_effective_date": None,
        "credentials": credentials,
    }


def _content(issued: _Credential, number: int) -> OrgbookRecord:
    return {
        "effective_date": issued.effective.isoformat(),
        "inactive": ("entity_status", "category", "HIS") in issued.facts,
        "attributes": [
            {"id": number * ID_SPAN + nth, "type": kind, "format": form, "value": value}
            for nth, (kind, form, value) in enumerate(issued.facts)
        ],
        "names": [
            {"id": number * ID_SPAN + nth, "text": text, "language": None, "type": kind, "credential_id": number}
            for nth, (kind, text) in enumerate(issued.names)
        ],
    }


def _revocation(following: _Credential | None, number: int) -> OrgbookRecord:
    """Return the revocation by the credential that replaced it, if there is one."""
    if following is None:
        return {"latest": True, "revoked": False, "revoked_date": None, "revoked_by": None}
    return {"latest": False, "revoked": True, "revoked_date": following.effective.isoformat(), "revoked_by": number}


def _registration(business: SandboxBusiness, stage: _Stage) -> _Credential:
    """Return the registration credential. The first other name is a translation, or an extra-provincial assumed name."""
    from_elsewhere = business.kind is BusinessKind.EXTRA_PROVINCIAL
    other = "entity_name_assumed" if from_elsewhere else "entity_name_trans"
    facts = [
        ("registration_date", "datetime", _utc(_instant(business.registered_on, business))),
        ("entity_name_effective", "datetime", _utc(stage.name_since)),
        ("entity_status", "category", stage.status),
        ("entity_status_effective", "datetime", _utc(stage.status_since)),
        ("entity_type", "category", _REASON_CODES[business.kind].type),
        ("registered_jurisdiction", "jurisdiction", "BC" if from_elsewhere else ""),
        ("home_jurisdiction", "jurisdiction", HOMES[business.random_bits % len(HOMES)] if from_elsewhere else "BC"),
        ("reason_description", "category", stage.reason),
    ]
    names = [("entity_name", stage.name), *((other, name) for name in business.other_names[:1])]
    # Empty values are omitted.
    return _Credential(max(stage.name_since, stage.status_since), names, [fact for fact in facts if fact[2] != ""])


def _ownership(business: SandboxBusiness, since: datetime) -> CredentialAttributes:
    return [
        ("relationship", "category", "IsOwned"),
        ("relationship_description", "category", "Is Owned By"),
        ("associated_registration_name", "category", f"{business.number[2:]} HOLDINGS LTD."),
        ("relationship_status", "category", "ACT"),
        ("relationship_status_effective", "datetime", _utc(since)),
    ]


def _utc(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat()
