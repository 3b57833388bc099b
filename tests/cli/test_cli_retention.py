"""`bonafide retention`: what it prints, counts, deletes and erases."""

import sqlite3
from pathlib import Path
from uuid import UUID

import pytest

from tests.support.cli_commands import Command


@pytest.fixture
def north(bonafide: Command) -> str:
    bonafide("keys", "create", "--organization", "North")
    return "North"


@pytest.fixture
def business(bonafide: Command, north: str, tmp_path: Path, data_dir: Path) -> str:
    """The ID of a record of North."""
    file = tmp_path / "businesses.jsonl"
    file.write_text('{"externalId":"crm-1","name":"Quillwander Inc."}\n', "utf-8")
    assert bonafide("businesses", "import", str(file), "--organization", north).status == 0
    with sqlite3.connect(data_dir / "bonafide.sqlite3") as connection:
        ((found,),) = connection.execute("SELECT id FROM businesses").fetchall()
    return str(found)


def test_a_policy_is_previewed_and_applied(bonafide: Command, north: str) -> None:
    assert bonafide("retention", "run", "--json").json() == []
    bonafide("settings", "set", "retention.events=30", "retention.searches=30", "--organization", north)
    for words in (("--dry-run",), ()):
        (found,) = bonafide("retention", "run", *words, "--json").json()
        counted = {"searches": 0, "events": 0}
        assert found == {"organization": "North", "world": "live", "legalHold": False, "rows": counted, "held": counted}
    bonafide("settings", "set", "legalHold=true", "--organization", north)
    assert "legal hold" in bonafide("retention", "run", "--organization", north).out


def test_a_business_is_erased_once(bonafide: Command, north: str, business: str) -> None:
    words = ("retention", "erase", "business", business, "--organization", north, "--reason", "File 118")
    accepted = bonafide(*words, "--json").json()
    assert UUID(accepted["erasureId"]).version == 4
    again = bonafide(*words)
    assert (again.status, "couldn’t find that business record" in again.said) == (1, True)
    assert "Quillwander" not in bonafide("businesses", "export", "--organization", north).out
    assert bonafide("retention", "erase", "house", *words[3:]).status == 2


def test_a_held_business_is_neither_deleted_nor_erased(bonafide: Command, north: str, business: str) -> None:
    words = (business, "--organization", north, "--reason")
    held = bonafide("retention", "hold", *words, "Court file 118", "--json").json()
    assert (held["businessId"], held["held"], held["reason"]) == (str(UUID(business)), True, "Court file 118")
    refused = bonafide("retention", "erase", "business", *words, "File 118")
    assert (refused.status, "A legal hold is in place on this business" in refused.said) == (1, True)
    assert "Quillwander" in bonafide("businesses", "export", "--organization", north).out
    assert bonafide("retention", "hold", *words, " ").status == 2
    assert "not held" in bonafide("retention", "lift-hold", *words, "Settled").out
    assert bonafide("retention", "erase", "business", *words, "File 118").status == 0
    assert bonafide("retention", "hold", *words, "File 119").status == 1


def test_the_file_of_an_earlier_release_gives_space_back_after_it_was_rewritten(
    bonafide: Command, north: str, data_dir: Path
) -> None:
    database = data_dir / "bonafide.sqlite3"
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA auto_vacuum = NONE")
    connection.execute("VACUUM")
    connection.close()
    assert bonafide("retention", "vacuum").status == 0
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    connection.close()
    assert bonafide("settings", "show", "--organization", north).status == 0
