"""What a service needs around it: its database, a made-up Canada, and figures."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.cli_commands import Command

PARTS = [
    "normalise a name",
    "compare two names",
    "look a name up in all registers",
    "rank the candidates",
    "bare FastAPI application",
    "pre-fill",
    "POST /search, registers",
    "POST /search, all indexed sources",
    "GET /search/history",
]


def test_the_database_is_brought_up_to_date_as_often_as_one_likes(bonafide: Command, tmp_path: Path) -> None:
    new = tmp_path / "new" / "folder"
    assert bonafide("migrate", "--data-dir", new).out == "The database is up to date.\n"
    assert (new / "bonafide.sqlite3").is_file()
    assert bonafide("migrate", "--data-dir", new, "--json").json() == {"upToDate": True}


@pytest.mark.parametrize(("revision", "said"), [("0008", "Run `bonafide migrate` first"), ("9999", "of a newer release")])
def test_every_other_command_refuses_a_database_of_another_release(
    bonafide: Command, data_dir: Path, revision: str, said: str
) -> None:
    with closing(sqlite3.connect(data_dir / "bonafide.sqlite3", isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
    for words in (("keys", "list"), ("serve", "--port", "1"), ("worker",), ("sources",)):
        refused = bonafide(*words)
        assert (refused.status, refused.out) == (1, "")
        assert f"The database’s schema is {revision}, " in refused.said
        assert said in refused.said


@pytest.mark.slow
def test_a_made_up_canada_is_written_and_found_again(bonafide: Command, tmp_path: Path) -> None:
    folder = tmp_path / "canada"
    manifest = bonafide("sandbox", folder, "--size", "1000", "--json").json()
    assert (manifest["size"], manifest["seed"]) == (1000, 1867)
    assert all((folder / file["path"]).stat().st_size == file["size"] for file in manifest["files"])
    assert {"fed", "on", "ca-sanctions-autonomous"} < {file["source"] for file in manifest["files"]}
    shown = bonafide("sandbox", folder, "--size", "1000").out.splitlines()
    assert len(shown) == len(manifest["files"])
    assert any(line.startswith("qc: qc/JeuxDonnees.zip (") for line in shown)


def test_a_folder_of_something_else_is_left_alone(bonafide: Command, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").touch()
    found = bonafide("sandbox", mine, "--size", "1000")
    assert (found.status, [path.name for path in mine.iterdir()]) == (1, ["thesis.txt"])
    assert "contains files other than sandbox data; it was not changed" in found.said


@pytest.mark.parametrize(
    "words", [("sandbox", "{}", "--size", "1000"), ("migrate", "--data-dir", "{}"), ("sources", "--data-dir", "{}")]
)
def test_a_file_where_a_folder_should_be_is_told_in_one_sentence(bonafide: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "file"
    file.touch()
    found = bonafide(*(word.format(file) for word in words))
    assert found.status == 1
    assert found.said.startswith(f"bonafide: {file}")


@pytest.mark.parametrize(
    ("variable", "value"),
    [("BONAFIDE_PORT", "http"), ("BONAFIDE_FETCH_ATTEMPTS", "0"), ("BONAFIDE_DATABASE_URL", "mysql://localhost/x")],
)
def test_a_setting_that_can_not_be_used_is_told_in_one_sentence(
    bonafide: Command, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    found = bonafide("sources")
    assert (found.status, found.out) == (1, "")
    assert found.said.startswith(("bonafide: The database address must be", f"bonafide: {variable}: must be "))


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("BONAFIDE_SOURCE_KEYS", "{fed: 1}", "BONAFIDE_SOURCE_KEYS: not valid JSON"),
        ("BONAFIDE_ACCEPTED_TERMS", '{"pe": "2026-11"}', "accepted_terms needs terms_accepted_by"),
    ],
)
def test_settings_that_are_no_json_or_contradict_each_other_are_told_in_one_sentence(
    bonafide: Command, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(variable, value)
    found = bonafide("sources")
    assert (found.status, found.out) == (1, "")
    assert found.said.startswith(f"bonafide: {sentence}")


def test_a_world_is_not_made_smaller_or_larger_than_it_can_be(bonafide: Command, tmp_path: Path) -> None:
    for size in ("999", "10000001"):
        assert bonafide("sandbox", tmp_path / "canada", "--size", size).status == 2


@pytest.mark.slow
def test_every_part_of_a_search_is_measured(bonafide: Command, sandbox_dir: Path) -> None:
    report = bonafide("bench", "search", "--size", "1000", "--queries", "20", "--data-dir", sandbox_dir, "--json").json()
    assert set(report) == {"entries", "yardstick_us", "figures", "recall"}
    assert report["entries"] > 1000
    assert report["yardstick_us"] > 0
    assert [figure["part"] for figure in report["figures"]] == PARTS
    for figure in report["figures"]:
        assert 0 < figure["median_us"] <= figure["p95_us"]
        assert figure["ratio"] > 0
        assert figure["calls"] == 20
    assert sum(recall["asked"] for recall in report["recall"].values()) == 20
    for recall in report["recall"].values():
        assert recall["first"] <= recall["among_twenty"] == recall["asked"] - len(recall["missed"])


@pytest.mark.slow
def test_the_figures_are_a_table_for_a_person_and_leave_no_key_behind(bonafide: Command, sandbox_dir: Path) -> None:
    found = bonafide("bench", "search", "--size", "1000", "--queries", "20", "--data-dir", sandbox_dir)
    assert found.status == 0
    assert all(part in found.out for part in PARTS)
    assert "as registered" in found.out
    keys = json.loads(bonafide("keys", "list", "--data-dir", sandbox_dir, "--json").out)
    assert [key for key in keys if key["revokedAt"] is None] == []
