"""Sources loaded from files, and what is said of what became of every row; the table of what is loaded."""

import json
from pathlib import Path

import pytest

from bonafide.sources.framework.discovery import discover_sources, get_source
from tests.support.cli_commands import Command, businesses, canonical


def test_a_file_is_loaded_and_the_row_that_was_not_is_named(bonafide: Command, tmp_path: Path) -> None:
    path = canonical(tmp_path, *businesses(199), ",Nameless number,,,")
    found = bonafide("sync", "ns", "--file", path)
    assert (found.status, found.err) == (0, "")
    assert "ns: 199 entries from 200 rows, 1 rejected" in found.out
    assert "extract.csv, line 201: registration_number is empty" in found.out


def test_a_program_is_told_the_same(bonafide: Command, tmp_path: Path) -> None:
    path = canonical(tmp_path, *businesses(199), ",Nameless number,,,")
    record = bonafide("sync", "NS", "--file", path, "--as-of", "2026-03-31", "--json").json()
    assert (record["loaded"], record["source"], record["entries"], record["asOf"]) == (True, "ns", 199, "2026-03-31")
    assert record["rejections"] == [{"resource": "extract.csv", "line": 201, "reason": "registration_number is empty"}]


def test_several_files_make_one_load(bonafide: Command, tmp_path: Path) -> None:
    first = canonical(tmp_path, "1,One Inc.,Active,active,Halifax", name="first.csv")
    second = canonical(tmp_path, "2,Two Inc.,Active,active,Halifax", name="second.csv")
    assert bonafide("sync", "ns", "--file", first, "--file", second, "--json").json()["entries"] == 2


def test_columns_of_other_names_are_mapped(bonafide: Command, tmp_path: Path) -> None:
    theirs, mapping = tmp_path / "rjsc.csv", tmp_path / "rjsc.yml"
    theirs.write_text("Registry ID,Entity,State\n3001,Fundy Example Ltd.,In force\n", encoding="utf-8")
    mapping.write_text(
        "columns: {registration_number: Registry ID, legal_name: Entity, status: State}\nstatuses: {In force: active}\n",
        encoding="utf-8",
    )
    refused = bonafide("sync", "ns", "--file", theirs)
    assert refused.status == 1
    assert "'Registry ID' is not a column of the canonical layout" in refused.said
    assert bonafide("sync", "ns", "--file", theirs, "--mapping", mapping, "--json").json()["entries"] == 1


def test_a_source_that_nobody_knows_is_answered_with_those_that_are_known(bonafide: Command, tmp_path: Path) -> None:
    found = bonafide("sync", "atlantis", "--file", canonical(tmp_path))
    assert found.status == 1
    assert "There is no source 'atlantis'" in found.said
    assert all(key in found.said for key in discover_sources())


@pytest.mark.parametrize("keys", [(), ("ns", "nb")], ids=["none", "two"])
def test_a_file_belongs_to_exactly_one_source(bonafide: Command, tmp_path: Path, keys: tuple[str, ...]) -> None:
    found = bonafide("sync", *keys, "--file", canonical(tmp_path, *businesses(3)))
    assert (found.status, found.said) == (1, "bonafide: --file requires exactly one source: bonafide sync SOURCE --file PATH")


@pytest.mark.slow
def test_a_refused_load_says_how_to_accept_it_and_loses_nothing(bonafide: Command, tmp_path: Path) -> None:
    bonafide("sync", "ns", "--file", canonical(tmp_path, *businesses(100)))
    small = canonical(tmp_path, *businesses(3), name="small.csv")
    found = bonafide("sync", "ns", "--file", small)
    assert found.status == 1
    assert "3 entries, but the last load had 100. The last good data stays in use." in found.said
    refused = bonafide("sync", "ns", "--file", small, "--json")
    assert (refused.status, json.loads(refused.out)["loaded"]) == (1, False)
    assert state_of(bonafide, "ns")["entries"] == 100
    assert bonafide("sync", "ns", "--file", small, "--force").status == 0
    assert state_of(bonafide, "ns")["entries"] == 3


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere.csv", "nowhere.csv"),
        (".", "can’t be read: Is a directory"),
        ("é\udcff.csv", "not UTF-8"),
    ],
)
def test_a_file_that_can_not_be_read_is_said_to_be_so(bonafide: Command, tmp_path: Path, name: str, sentence: str) -> None:
    found = bonafide("sync", "ns", "--file", tmp_path / name)
    assert found.status == 1
    assert sentence in found.said


def test_a_source_without_a_download_says_what_can_be_done_instead(bonafide: Command) -> None:
    found = bonafide("sync", "nu")
    assert found.status == 1
    assert "nu can’t be downloaded: " in found.said


def test_what_a_row_was_rejected_for_is_shown_as_it_is(bonafide: Command, tmp_path: Path) -> None:
    path = canonical(tmp_path, *businesses(199), name="[bold]odd.csv")
    path.write_text(path.read_text(encoding="utf-8") + "1,[/],Active,[/],X\n", encoding="utf-8")
    found = bonafide("sync", "ns", "--file", path)
    assert found.status == 0
    assert "[bold]odd.csv, line 201: " in found.out


def state_of(bonafide: Command, key: str) -> dict[str, object]:
    """The source's row for a program."""
    rows: list[dict[str, object]] = bonafide("sources", "--json").json()
    (row,) = [row for row in rows if row["source"] == key]
    return row


def states_of_all(bonafide: Command) -> dict[str, str]:
    return {row["source"]: row["state"] for row in bonafide("sources", "--json").json()}


def test_a_source_is_live_unless_this_installation_asks_no_register(bonafide: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert states_of_all(bonafide)["bc"] == "not available"
    monkeypatch.setenv("BONAFIDE_ASK_LIVE", "true")
    assert states_of_all(bonafide)["bc"] == "live"


def test_every_source_is_listed_with_what_is_loaded_of_it(bonafide: Command, tmp_path: Path) -> None:
    bonafide("sync", "ns", "--file", canonical(tmp_path, *businesses(1200)), "--as-of", "2026-03-31")
    rows = bonafide("sources", "--json").json()
    assert [row["source"] for row in rows] == list(discover_sources())
    assert {row["state"] for row in rows} == {"loaded", "not loaded", "not available"}
    loaded = state_of(bonafide, "ns")
    assert (loaded["state"], loaded["entries"], loaded["asOf"], loaded["kind"]) == ("loaded", 1200, "2026-03-31", "registry")


def test_a_person_sees_a_table_of_them_in_which_no_key_is_cut(bonafide: Command, tmp_path: Path) -> None:
    bonafide("sync", "ns", "--file", canonical(tmp_path, *businesses(1200)), "--as-of", "2026-03-31")
    lines = bonafide("sources").out.splitlines()
    assert lines[0].split() == ["Source", "Kind", "Status", "Entries", "As", "of", "Retrieved", "Note"]
    assert [line.split()[0] for line in lines[1:]] == list(discover_sources())
    (ns,) = [line for line in lines if line.startswith("ns ")]
    assert " 1,200 " in ns
    assert " 2026-03-31 " in ns


def test_the_sandbox_is_another_world(bonafide: Command, tmp_path: Path) -> None:
    bonafide("sync", "ns", "--sandbox", "--file", canonical(tmp_path, *businesses(3)))
    assert state_of(bonafide, "ns")["entries"] is None
    (row,) = [row for row in bonafide("sources", "--sandbox", "--json").json() if row["source"] == "ns"]
    assert row["entries"] == 3


def test_a_licence_that_binds_is_shown_before_an_import_and_kept_with_the_load(bonafide: Command, tmp_path: Path) -> None:
    path = canonical(tmp_path, "1160000017,Boulangerie Exemple Ltée,IM,active,Laval")
    found = bonafide("sync", "qc", "--file", path)
    assert found.status == 0
    assert found.said.startswith("qc: CC BY-NC-SA 4.0: Commercial use is prohibited")
    assert "commercial" not in found.out
    record = bonafide("sync", "qc", "--file", path, "--json").json()
    assert [note.partition(":")[0] for note in record["notes"]] == ["CC BY-NC-SA 4.0"]


def test_an_import_that_no_licence_binds_warns_of_nothing(bonafide: Command, tmp_path: Path) -> None:
    found = bonafide("sync", "ns", "--file", canonical(tmp_path, *businesses(3)))
    assert (found.status, found.err) == (0, "")
    assert bonafide("sync", "ns", "--file", canonical(tmp_path, *businesses(3)), "--json").json()["notes"] == []


def test_notes_of_a_load_are_shown(bonafide: Command, tmp_path: Path) -> None:
    rows = ["1,,One Inc.,,An Act,Active,Active - Under a Spell,,,,,,,,,,,"]
    header = ",".join(get_source("fed").metadata.layouts["corporations"].columns)
    ignored = ",".join(get_source("fed").metadata.layouts["corporations"].ignored)
    path = tmp_path / "fed.csv"
    path.write_text(f"{header},{ignored}\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = bonafide("sync", "fed", "--file", path, "--force")
    assert found.status == 0, found.err
    assert "the status detail 'Active - Under a Spell' is unknown" in found.out


def test_a_load_beyond_a_limit_names_the_limit_and_the_setting_that_raises_it(
    bonafide: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = canonical(tmp_path, *businesses(5))
    monkeypatch.setenv("BONAFIDE_LOAD_LIMITS", '{"ns": {"rows": 4}}')
    found = bonafide("sync", "ns", "--file", path)
    assert found.status == 1
    assert "ns: extract.csv: more than 4 rows, the limit `rows` of the source. The last good data stays in use." in found.said
    assert 'raise the limit with the setting BONAFIDE_LOAD_LIMITS: {"ns": {"rows": 8}}' in found.said
    assert "--force" not in found.said
    assert bonafide("sync", "ns", "--file", path, "--force").status == 1


def test_the_industry_tables_are_not_read_from_a_device(bonafide: Command) -> None:
    found = bonafide("sync", "naics", "--file", "/dev/zero", "--file", "/dev/zero")
    assert (found.status, found.said) == (1, "/dev/zero is not a regular file. Devices and pipes can’t be imported.")
