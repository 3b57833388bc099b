"""Write the ownership of a business as FollowTheMoney entities, one JSON object per line.

Businesses are `Company`, persons `Person`, governments `PublicBody`, trusts and unknown parties `LegalEntity`. Shares are
`Ownership`, votes, control and trusteeship `Control`, directors `Directorship`; anything else is an `UnknownLink` with its role.
Source: https://followthemoney.tech/explorer/.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from bonafide.matching.text.countries import get_country_name
from bonafide.model.ownership.answer import ClaimedInterest, ClaimedParty, OwnershipAnswer
from bonafide.model.ownership.statement import InterestKind, PartyKind
from bonafide.services.ownership.formats.bods_places import to_bods_country, to_bods_jurisdiction
from bonafide.services.ownership.formats.bods_statements import BodsPlace
from bonafide.services.ownership.formats.csv_shares import format_share
from bonafide.services.ownership.formats.partial_days import get_first_day, to_plain_day

FTM_MEDIA_TYPE = "application/x-ndjson"
_NAMESPACE = uuid5(NAMESPACE_URL, "urn:bonafide:ftm-entity")
_SCHEMAS: Mapping[PartyKind, str] = {
    PartyKind.BUSINESS: "Company",
    PartyKind.PERSON: "Person",
    PartyKind.TRUST: "LegalEntity",
    PartyKind.GOVERNMENT: "PublicBody",
    PartyKind.UNKNOWN: "LegalEntity",
}
_MIN_YEAR = 1000
"""The library drops earlier dates."""
_EARLIER_COUNTRIES = frozenset({"AN", "CS", "SU", "YU"})
"""Codes of former countries that the library does not know."""
_UNKNOWN_NAME = "Unknown"
"""The name of a party without one: the schemas require a name."""
_CONTROL_TYPES: Mapping[InterestKind, str] = {
    InterestKind.VOTES: "voting",
    InterestKind.CONTROL: "other",
    InterestKind.TRUSTEE: "trust",
}


def write_follow_the_money(answer: OwnershipAnswer, publisher: str) -> bytes:
    """The entities: parties, interests, and a `Sanction` for each party that counts as listed."""
    entities = _FollowTheMoneyWriter(answer, publisher).write()
    return "".join(f"{json.dumps(entity, ensure_ascii=False)}\n" for entity in entities).encode()


class _FollowTheMoneyWriter:
    """Writes the entities of one answer."""

    def __init__(self, answer: OwnershipAnswer, publisher: str) -> None:
        self._answer = answer
        self._publisher = publisher
        self._kinds = {party.id: party.kind for party in answer.parties}

    def write(self) -> Iterator[dict[str, Any]]:
        for party in self._answer.parties:
            yield self._write_party(party)
        for interest in self._answer.interests:
            yield self._write_interest(interest)
        listed = self._answer.deemed_sanctioned.parties if self._answer.deemed_sanctioned is not None else ()
        for party_id in listed:
            yield self._write_entity(("sanction", party_id), "Sanction", {"entity": self._get_id("party", party_id)})

    def _write_party(self, party: ClaimedParty) -> dict[str, Any]:
        countries = [to_bods_country(country) for country in party.countries]
        jurisdiction = to_bods_jurisdiction(party.jurisdiction) if party.jurisdiction is not None else None
        codes = [code for place in countries if (code := _get_country_code(place)) is not None]
        # Countries have codes; a province is known by its country, and by its name among the notes.
        notes = [place.name for place in countries if _get_country_code(place) is None]
        where = _get_country_code(jurisdiction) if jurisdiction is not None else None
        if jurisdiction is not None and (where is None or "-" in str(jurisdiction.code)):
            notes.append(jurisdiction.name)
        birth_date = _get_date(party.date_of_birth) if party.kind is PartyKind.PERSON else None
        if party.date_of_birth is not None and birth_date is None:
            notes.append(f"birth date: {party.date_of_birth}")
        properties = {
            "name": party.name or _UNKNOWN_NAME,
            "registrationNumber": party.registration_number if party.kind is not PartyKind.PERSON else None,
            "idNumber": party.registration_number if party.kind is PartyKind.PERSON else None,
            "country": codes,
            "birthDate": birth_date,
            "legalForm": "Trust" if party.kind is PartyKind.TRUST else None,
            "notes": notes,
        }
        if where is not None and party.kind is PartyKind.PERSON:
            properties["country"] = list(dict.fromkeys([*codes, where]))
        elif where is not None:
            properties["jurisdiction"] = where
        return self._write_entity(("party", party.id), _SCHEMAS[party.kind], properties)

    def _write_interest(self, interest: ClaimedInterest) -> dict[str, Any]:
        schema, source, target = self._choose_schema(interest)
        share = format_share(interest.share) if interest.share is not None else None
        days = {"from": interest.from_, "to": interest.to}
        unwritten = [f"{name}: {day}" for name, day in days.items() if day is not None and _get_date(day) is None]
        properties: dict[str, str | list[str] | None] = {
            source: self._get_id("party", interest.owner),
            target: self._get_id("party", interest.owned),
            "role": interest.kind.value,
            "status": interest.claimed_by.value,
            "recordId": interest.id,
            "startDate": _get_date(interest.from_),
            "endDate": _get_date(interest.to),
            "description": [*([interest.evidence] if interest.evidence is not None else []), *unwritten],
        }
        if schema == "Ownership":
            properties |= {"percentage": share, "ownershipType": "direct"}
        else:
            properties["summary"] = share
        if schema == "Control":
            properties["controlType"] = _CONTROL_TYPES[interest.kind]
        return self._write_entity(("interest", interest.claimed_by.value, interest.id), schema, properties)

    def _choose_schema(self, interest: ClaimedInterest) -> tuple[str, str, str]:
        """The schema of an interest and its two ends. A trust is neither an asset nor an organization there."""
        is_business = self._kinds[interest.owned] is PartyKind.BUSINESS
        if interest.kind is InterestKind.SHARES and is_business:
            return "Ownership", "owner", "asset"
        if interest.kind is InterestKind.DIRECTOR and is_business:
            return "Directorship", "director", "organization"
        if interest.kind in _CONTROL_TYPES:
            return "Control", "controller", "controlled"
        return "UnknownLink", "subject", "object"

    def _get_id(self, *parts: str) -> str:
        return f"bonafide-{uuid5(_NAMESPACE, json.dumps([str(self._answer.business_id), *parts]))}"

    def _write_entity(
        self, parts: tuple[str, ...], schema: str, properties: Mapping[str, str | list[str] | None]
    ) -> dict[str, Any]:
        given = {name: value if isinstance(value, list) else [value] for name, value in properties.items() if value}
        return {"id": self._get_id(*parts), "schema": schema, "properties": {**given, "publisher": [self._publisher]}}


def _get_country_code(place: BodsPlace) -> str | None:
    """The code of the country as the library has it; None if it has none."""
    code = place.code[:2] if place.code is not None else None
    is_known = code is not None and code not in _EARLIER_COUNTRIES and get_country_name(code) is not None
    return code.lower() if code is not None and is_known else None


def _get_date(day: str | None) -> str | None:
    """The day without a time, if the library keeps it."""
    return to_plain_day(day) if day is not None and get_first_day(day).year >= _MIN_YEAR else None
