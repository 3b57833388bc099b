"""The statements of several claimants as one: who is who, and when two parties are meant by one ID."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from bonafide.errors import ValidationFailed
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.services.ownership.claims import JoinedStatements, join_statements

BUSINESS = UUID("6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11")


def claim(claimant: str, *owners: dict[str, Any]) -> OwnershipStatement:
    business = {"id": "b", "kind": "business", "name": "Bakery Inc.", "businessId": str(BUSINESS)}
    interests = [{"id": owner["id"], "owner": owner["id"], "owned": "b", "kind": "shares"} for owner in owners]
    return OwnershipStatement.model_validate(
        {"claimedBy": claimant, "asOf": "2026-11-01", "parties": [business, *owners], "interests": interests}
    )


def join(one: dict[str, Any], other: dict[str, Any]) -> JoinedStatements:
    return join_statements([claim("declared", {"id": "p"} | one), claim("document", {"id": "p"} | other)], BUSINESS)


def person(name: str | None, **facts: Any) -> dict[str, Any]:
    return {"kind": "person" if name is not None else "unknown", "name": name} | facts


def business(name: str, **facts: Any) -> dict[str, Any]:
    return {"kind": "business", "name": name} | facts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (person("Jane Doe"), person("DOE, Jane")),
        (person("Émilie Côté"), person("Emilie Cote", dateOfBirth="1975")),
        (person("Jane Doe", dateOfBirth="1975-06-20"), person("Jane Doe", dateOfBirth="1975-06")),
        (person(None), person(None)),
        (business("Northern Holdings Inc."), business("NORTHERN HOLDINGS INCORPORATED")),
        (business("A Ltd.", registrationNumber="1000017", jurisdiction="ON"), business("A Ltd.", registrationNumber="1000017")),
        (business("A Ltd.", registrationNumber="1000017"), business("A Ltd.", registrationNumber="999900SBT00000000A80")),
        (
            business("A Ltd.", registrationNumber="1", jurisdiction="ON"),
            business("A Ltd.", registrationNumber="2", jurisdiction="FED"),
        ),
        (business("Old Name Ltd.", businessId=str(uuid4())), None),
    ],
)
def test_what_agrees_is_one_party(one: dict[str, Any], other: dict[str, Any] | None) -> None:
    joined = join(one, other if other is not None else one | {"name": "New Name Ltd."})
    assert [party.id for party in joined.parties] == ["b", "p"]
    assert {interest.owner for interest in joined.interests} == {"p"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (person("John Smith"), person("Listed Oligarch")),
        (person("Jane Doe"), person("Jane Doe Jr.")),
        (person("Jane Doe", dateOfBirth="1975"), person("Jane Doe", dateOfBirth="1976-01-01")),
        (business("Northern Holdings Inc."), business("Southern Holdings Inc.")),
        (business("A Ltd.", registrationNumber="1000017"), business("A Ltd.", registrationNumber="1000018")),
        (business("A Ltd.", businessId=str(uuid4())), business("A Ltd.", businessId=str(uuid4()))),
    ],
)
def test_what_contradicts_is_two_parties(one: dict[str, Any], other: dict[str, Any]) -> None:
    joined = join(one, other)
    assert [(party.id, party.name) for party in joined.parties[1:]] == [("p", one["name"]), ("p (document)", other["name"])]
    assert [interest.owner for interest in joined.interests] == ["p", "p (document)"]


def test_a_name_that_only_the_second_claimant_states_is_that_of_the_party() -> None:
    joined = join({"kind": "unknown"}, {"kind": "unknown", "name": "Somebody at Acme"})
    assert [(party.id, party.name) for party in joined.parties[1:]] == [("p", "Somebody at Acme")]


def test_an_id_of_the_same_form_is_another_party() -> None:
    first = claim("declared", {"id": "p", **person("John Smith")})
    second = claim("document", {"id": "p", **person("Jane Doe")}, {"id": "p (document)", **person("Wei Chen")})
    joined = join_statements([first, second], BUSINESS)
    names = {party.id: party.name for party in joined.parties[1:]}
    assert names == {"p": "John Smith", "p (document 2)": "Jane Doe", "p (document)": "Wei Chen"}


def test_a_long_id_stays_within_its_limit() -> None:
    party = {"id": "x" * 200}
    joined = join_statements(
        [claim("declared", party | person("John Smith")), claim("document", party | person("Jane Doe"))], BUSINESS
    )
    assert [len(party.id) for party in joined.parties[1:]] == [200, 200]


def test_parties_of_two_kinds_are_a_mistake() -> None:
    with pytest.raises(ValidationFailed):
        join(person("Jane Doe"), business("Jane Doe Inc."))
