"""What an address is to a business: kept through records, searches and verifications, never compared."""

from typing import Any

import httpx2
import pytest

from bonafide.model.entity import Address
from bonafide.model.query import AddressInput
from bonafide.model.records.business_record import RecordAddress
from tests.support.api.responses import refused_fields

pytestmark = pytest.mark.anyio
OFFICE = {"street": "1 Main St", "city": "Perth"}


async def stored(client: httpx2.AsyncClient, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/v1/businesses", json={"externalId": "crm-1", **fields})
    assert answer.status_code in {200, 201}, answer.text
    business: dict[str, Any] = answer.json()["business"]
    return business


async def test_a_record_keeps_the_label_of_each_address(north: httpx2.AsyncClient) -> None:
    business = await stored(
        north,
        address={"label": "Registered office", **OFFICE},
        addresses=[{"label": "Records", **OFFICE}, {"type": "mailing", "raw": "PO Box 1, Perth"}, OFFICE],
    )
    assert business["address"]["label"] == "Registered office"
    assert [(one["label"], one["type"]) for one in business["addresses"]] == [
        ("Records", "Records"),
        ("mailing", "mailing"),
        (None, None),
    ]
    assert (await stored(north, **business)) == business


async def test_the_label_of_the_main_address_has_a_flat_name(north: httpx2.AsyncClient) -> None:
    business = await stored(north, **OFFICE, addressLabel="Head office")
    assert (business["address"]["label"], business["address"]["city"]) == ("Head office", "Perth")
    assert (await stored(north, city="Ottawa"))["address"]["label"] == "Head office"
    assert (await stored(north, addressLabel=None))["address"]["label"] is None
    trail = (await north.get(f"/v1/businesses/{business['id']}/audit")).json()["entries"]
    assert [(entry["old"], entry["new"]) for entry in trail if entry["field"] == "address.label"] == [
        (None, "Head office"),
        ("Head office", None),
    ]


async def test_two_different_labels_of_one_address_are_refused(north: httpx2.AsyncClient) -> None:
    answer = await north.post("/v1/businesses", json={"externalId": "crm-1", "addresses": [{"label": "a", "type": "b", **OFFICE}]})
    assert refused_fields(answer) == {"addresses.0.type": "differs from label, which means the same; send one of them"}
    answer = await north.post("/v1/businesses", json={"externalId": "crm-1", "addressLabel": "x" * 501})
    assert list(refused_fields(answer)) == ["addressLabel"]


async def test_a_search_echoes_the_label_and_compares_without_it(north: httpx2.AsyncClient) -> None:
    body = {"name": "Acme", "address": {"label": "Registered office", **OFFICE}}
    answer = (await north.post("/v1/search", json=body)).json()
    assert answer["meta"]["submitted"]["params"]["address"]["label"] == "Registered office"
    await stored(north, name="Acme", addressLabel="Registered office")
    answer = (await north.post("/v1/search", json={"businessExternalId": "crm-1"})).json()
    assert answer["meta"]["submitted"]["params"]["address"] is None


def test_a_label_alone_is_no_address() -> None:
    assert AddressInput(label="Mailing").is_empty
    assert not AddressInput(label="Mailing", city="Perth").is_empty
    assert AddressInput(label="Mailing", city="Perth").as_address() == Address(label="Mailing", city="Perth", raw="Perth")


def test_records_of_earlier_releases_have_the_label_of_their_type() -> None:
    assert RecordAddress.model_validate({"type": "mailing", "city": "Perth"}).label == "mailing"
