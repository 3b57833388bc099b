"""FollowTheMoney entities: what each party and interest becomes. `followthemoney` itself checks them."""

import json
from typing import Any

import pytest
from hypothesis import given

from bonafide.model.ownership.roll_up import DeemedOwnership, DeemedStatus, ShareRange
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.services.ownership.formats.follow_the_money import write_follow_the_money
from tests.support.ownership_files import BUSINESS_ID, build_answer, build_statement, statements
from tests.support.sampling import examples
from tests.support.validators import find_package, run_python

# Reads the lines as the library does, and compares what it keeps with what was written: it drops values that it finds invalid.
CHECK = """
import json, sys
from followthemoney import model
for line in sys.stdin:
    given = json.loads(line)
    proxy = model.get_proxy(given, cleaned=False)
    proxy.schema.validate(given)
    kept = proxy.to_dict()["properties"]
    missing = [name for name in proxy.schema.required if not proxy.get(name)]
    dropped = [name for name in given["properties"] if sorted(kept.get(name, [])) != sorted(set(given["properties"][name]))]
    ranges = [p.name for p in proxy.iterprops() if p.range is not None]
    print(json.dumps({"missing": missing, "dropped": dropped, "ends": {n: [p for p in proxy.get(n)] for n in ranges}}))
"""
RANGES = """
import json, sys
from followthemoney import model
schemas = {}
entities = [json.loads(line) for line in sys.stdin]
for entity in entities:
    schemas[entity["id"]] = model.get(entity["schema"])
for entity in entities:
    for name, values in entity["properties"].items():
        prop = model.get(entity["schema"]).get(name)
        if prop.range is not None:
            for value in values:
                assert schemas[value].is_a(prop.range), (entity["schema"], name, schemas[value].name)
"""


def write(*given_statements: OwnershipStatement) -> list[dict[str, Any]]:
    return [json.loads(line) for line in write_follow_the_money(build_answer(given_statements), "North Inc.").splitlines()]


def run(program: str, content: bytes) -> list[Any]:
    find_package("followthemoney")
    return [json.loads(line) for line in run_python(["-c", program], content).splitlines()]


def test_parties_and_interests_have_their_schemas() -> None:
    entities = write(build_statement())
    assert [entity["schema"] for entity in entities] == [
        *("Company", "Company", "Person", "LegalEntity", "PublicBody", "LegalEntity", "LegalEntity"),
        *("Ownership", "Ownership", "Ownership", "Control", "UnknownLink", "UnknownLink", "Control", "Control", "Directorship"),
    ]
    by_name = {entity["properties"].get("name", [""])[0]: entity for entity in entities}
    bakery, jane = by_name["Sandbox Bakery Inc."], by_name["Jane Doe"]
    assert bakery["properties"]["jurisdiction"] == ["ca"]
    assert bakery["properties"]["registrationNumber"] == ["1000017"]
    assert jane["properties"]["birthDate"] == ["1975-06"]
    assert (jane["properties"]["country"], jane["properties"]["notes"]) == (["ca"], ["Freedonia"])
    holding = by_name["Holding B.V."]
    assert entities[7]["properties"] == {
        "owner": [holding["id"]],
        "asset": [bakery["id"]],
        "role": ["shares"],
        "status": ["declared"],
        "recordId": ["1"],
        "startDate": ["2021"],
        "description": ["Shareholders’ register, page 2"],
        "percentage": ["57%"],
        "ownershipType": ["direct"],
        "publisher": ["North Inc."],
    }
    assert entities[8]["properties"]["percentage"] == [">50% - <=75%"]


def test_a_listed_party_has_a_sanction() -> None:
    nothing = ShareRange(min=0, max=0)
    deemed = DeemedOwnership(status=DeemedStatus.NOT_DEEMED, share=nothing, parties=("jane",), paths=())
    answer = build_answer([build_statement()]).model_copy(update={"deemed_sanctioned": deemed})
    entities = [json.loads(line) for line in write_follow_the_money(answer, "North Inc.").splitlines()]
    jane = next(entity for entity in entities if entity["properties"].get("name") == ["Jane Doe"])
    assert (entities[-1]["schema"], entities[-1]["properties"]["entity"]) == ("Sanction", [jane["id"]])


def test_the_same_data_gives_the_same_lines() -> None:
    assert write(build_statement()) == write(build_statement())


def test_ids_are_unique_among_claimants() -> None:
    ids = [entity["id"] for entity in write(build_statement(), build_statement(claimedBy="registry"))]
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_the_library_keeps_every_value() -> None:
    content = write_follow_the_money(build_answer([build_statement()]), "North Inc.")
    found = run(CHECK, content)
    assert len(found) == len(content.splitlines())
    assert all(one["missing"] == [] and one["dropped"] == [] for one in found), found
    run(RANGES, content)


@pytest.mark.slow
def test_the_library_keeps_every_value_of_arbitrary_statements() -> None:
    batch: list[bytes] = []

    @given(statements())
    @examples(100)
    def collect(statement: OwnershipStatement) -> None:
        # The entities of each statement have their own IDs.
        prefix = f"bonafide-{len(batch)}-".encode()
        batch.append(write_follow_the_money(build_answer([statement]), "North Inc.").replace(b"bonafide-", prefix))

    collect()
    content = b"".join(batch)
    found = run(CHECK, content)
    assert [one for one in found if one["missing"] or one["dropped"]] == []
    run(RANGES, content)


EARLIER_COUNTRIES = ["AN", "CS", "SU", "YU"]


@pytest.mark.slow
def test_what_the_library_does_not_know_is_in_the_notes() -> None:
    parties = [
        {"id": "business", "kind": "business", "name": "Sandbox Bakery Inc.", "businessId": str(BUSINESS_ID), "jurisdiction": "SU"},
        {"id": "jane", "kind": "person", "name": "Jane Doe", "countries": [*EARLIER_COUNTRIES, "CA"], "dateOfBirth": "0999-01"},
    ]
    interest = {"id": "1", "owner": "jane", "owned": "business", "kind": "shares", "from": "0999", "to": "0999-12-31"}
    content = write_follow_the_money(build_answer([build_statement(parties=parties, interests=[interest])]), "North Inc.")
    assert all(one["missing"] == [] and one["dropped"] == [] for one in run(CHECK, content))
    business, jane, ownership = (json.loads(line)["properties"] for line in content.splitlines())
    assert (jane["country"], "birthDate" in jane, "jurisdiction" in business) == (["ca"], False, False)
    assert len(jane["notes"]) == 5
    assert "birth date: 0999-01" in jane["notes"]
    assert ("startDate" in ownership, ownership["description"]) == (False, ["from: 0999", "to: 0999-12-31"])


@pytest.mark.slow
def test_the_check_finds_what_is_wrong() -> None:
    content = write_follow_the_money(build_answer([build_statement()]), "North Inc.")
    with pytest.raises(AssertionError, match="InvalidData"):
        run(CHECK, content.replace(b"1975-06", b"next week"))
