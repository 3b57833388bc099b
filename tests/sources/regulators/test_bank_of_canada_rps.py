"""Payment service providers: the answer with four lists that the registry's own page reads."""

import json
from pathlib import Path
from typing import Any

import pytest

from bonafide.errors import BonafideError, ParseFailed, SourceNotFound, UpstreamFailed
from bonafide.model.entity import Address, StatusCode
from bonafide_sandbox.publisher_faults import ChallengePageFault, GarbageFault, PublisherFault, StatusFault
from tests.support.sources.regulator_files import Loaded, assert_golden, load
from tests.support.sources.served_publisher import fetched, parsed

KEY = "bankOfCanadaRps"
SAVED = Path(__file__).parent / KEY / "accounts_list.response"


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return load(KEY, SAVED)


def changed(folder: Path, change: Any) -> Path:
    answer = json.loads(SAVED.read_text(encoding="utf-8"))
    change(answer)
    path = folder / SAVED.name
    path.write_text(json.dumps(answer), encoding="utf-8")
    return path


def test_the_answer_gives_the_entries_that_are_written_down(loaded: Loaded) -> None:
    assert_golden(loaded, SAVED.with_name("accounts_list.golden.json"))


def test_a_name_in_one_language_only_is_the_legal_name(loaded: Loaded) -> None:
    french = loaded.named("Société Fictive de paiement")
    assert (french.alternate_names, french.details["hasViolations"]) == ((), True)
    assert loaded.named("Invented Payments Inc.").alternate_names == ("Paiements Inventés inc.", "InventPay")


def test_a_provider_has_the_status_of_the_list_in_which_it_stands_first(loaded: Loaded) -> None:
    states = {entry.legal_name: (entry.status, entry.status_code) for entry in loaded.entries}
    assert states["Invented Payments Inc."] == ("Registered", StatusCode.ACTIVE)
    assert states["Waiting Remittances Ltd."] == ("In review", StatusCode.INACTIVE)
    assert states["Refused Rails Corp."] == ("Refused", StatusCode.CANCELLED)
    assert loaded.report.merged == 1


def test_a_list_that_is_not_known_is_counted_and_not_taken_for_another(loaded: Loaded) -> None:
    assert loaded.named("Paused Pay Inc.").status_code is StatusCode.UNKNOWN
    assert loaded.report.unknown_terms == {"term: paused": 1, "status: paused": 1}


def test_the_country_is_all_there_is_of_an_address(loaded: Loaded) -> None:
    assert loaded.named("Abroad Wallets LLC").addresses == (Address(country="US"),)
    assert loaded.named("Abroad Wallets LLC").details["headOfficeCountry"] == "United States of America (the)"
    assert loaded.named("Waiting Remittances Ltd.").addresses == (Address(country="Ireland"),)


def test_accounts_without_a_name_or_with_a_date_that_is_none_are_rejected_with_their_place(loaded: Loaded) -> None:
    assert [(rejection.line, rejection.reason) for rejection in loaded.report.rejections] == [
        (6, "the account has no name"),
        (7, "'soon' is not a date"),
    ]


def test_a_key_that_has_gone_from_all_accounts_refuses_the_answer(tmp_path: Path) -> None:
    def rename(answer: Any) -> None:
        for account in [account for group in answer["accounts"].values() for account in group or ()]:
            account["legal_name"] = account.pop("en_legal_name")

    with pytest.raises(ParseFailed, match=r"accounts_list\.response.*missing columns: en_legal_name"):
        load(KEY, changed(tmp_path, rename))


@pytest.mark.parametrize("content", [b"[]", b'{"accounts": []}', b'{"accounts": {"registered": [1]}}', b'{"error": "closed"}'])
def test_an_answer_of_another_shape_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "accounts"
    path.write_bytes(content)
    with pytest.raises(ParseFailed, match="unexpected format"):
        load(KEY, path)


@pytest.mark.anyio
async def test_the_made_up_registry_is_fetched_and_read_whole(live_world: Path, tmp_path: Path) -> None:
    resources = await fetched(KEY, live_world, tmp_path)
    entries, report = parsed(KEY, resources)
    groups = json.loads((live_world / "bankOfCanadaRps/accounts_list.json").read_bytes())["accounts"]
    written = {account["id"]: account for accounts in groups.values() for account in accounts}
    assert {entry.entry_id for entry in entries} == set(written)
    assert all(entry.status == written[entry.entry_id]["status"] for entry in entries)
    assert (report.rejected, dict(report.unknown_terms)) == (0, {})
    [fixed] = [entry for entry in entries if entry.legal_name == "Sandbox Money Services Inc."]
    assert (fixed.status, fixed.addresses) == ("Registered", (Address(country="CA"),))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (StatusFault(503), UpstreamFailed),
        (StatusFault(404), SourceNotFound),
        (ChallengePageFault(), ParseFailed),
        (GarbageFault(), ParseFailed),
    ],
    ids=["out of service", "moved", "a page for people", "garbage"],
)
async def test_what_goes_wrong_is_told(live_world: Path, tmp_path: Path, fault: PublisherFault, error: type[BonafideError]) -> None:
    with pytest.raises(error):
        parsed(KEY, await fetched(KEY, live_world, tmp_path, {"accounts": fault}))
