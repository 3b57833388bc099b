"""Canada's terrorist entities: the feed and the regulation it follows as one list, and the names of a second regulation."""

import gzip
from collections import Counter
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from bonafide.sources.sanctions.ca_sanctions_terrorist_entities.group_names import classify_by_words, classify_criminal_code_name
from tests.support.sources.sanctions_files import Loaded, assert_golden, load

KEY = "ca-sanctions-terrorist-entities"
FOLDER = Path(__file__).parent / KEY
FILES = [FOLDER / name for name in ("feed.xml", "criminal_code.xml", "resolutions.xml")]


@pytest.fixture(scope="module")
def listed() -> Loaded:
    return load(KEY, *FILES)


def test_the_saved_files_give_the_golden_entries(listed: Loaded) -> None:
    assert_golden(listed, FOLDER / "list.golden.json")


def test_a_group_in_feed_and_regulation_is_one_entry_with_the_names_of_both(listed: Loaded) -> None:
    brigade = listed.named("Ruritanian Brigade")
    assert {"Strelsau Front", "Zendaya", "The League of Hentzau"} <= set(brigade.aliases)
    assert (brigade.listing_date, brigade.source_url) == ("2003-02-12", "https://www.example.invalid/rb-en.aspx")
    assert (listed.report.rows, listed.report.entries, listed.report.merged) == (13, 11, 2)


def test_what_only_the_feed_has_is_an_entry_and_is_told(listed: Loaded) -> None:
    assert listed.named("Friends of Hentzau").aliases == ()
    assert "Entities that are only in the feed: 1, for example Friends of Hentzau" in listed.report.notes


def test_what_only_a_regulation_has_is_an_entry(listed: Loaded) -> None:
    assert listed.named("Zenda-e-Castle").listing_date is None


def test_either_file_alone_is_a_list() -> None:
    assert len(load(KEY, FILES[0]).entries) == 3
    assert len(load(KEY, FILES[1]).entries) == 5


class TestNames:
    def test_a_name_of_digits_is_a_name(self, listed: Loaded) -> None:
        assert listed.named("4711").entity_type is EntityKind.ORGANIZATION

    def test_brackets_of_several_words_are_names_and_abbreviations_are_weak(self, listed: Loaded) -> None:
        brigade = listed.named("Ruritanian Brigade")
        assert {"Helpers of Zenda", "Soldiers of Zenda"} <= set(brigade.aliases)
        assert brigade.weak_aliases == ("RUB",)
        assert listed.named("Combat 4").weak_aliases == ("C44",)

    def test_the_last_of_many_names_is_split_at_its_and(self, listed: Loaded) -> None:
        assert listed.named("Zenda-e-Castle").aliases == ("Zenda", "Zanda and Movement of Castle", "Tower")

    def test_no_aliases_is_no_alias(self, listed: Loaded) -> None:
        assert listed.named("4711").list_search_names() == ["4711"]


class TestKinds:
    def test_spellings_of_one_name_are_a_person(self, listed: Loaded) -> None:
        assert listed.named("Black Michael").entity_type is EntityKind.PERSON

    def test_in_the_other_regulation_words_of_groups_tell(self, listed: Loaded) -> None:
        kinds = {entry.name: entry.entity_type for entry in listed.entries if entry.entry_id.startswith("SOR/2001-360")}
        assert kinds == {
            "Rudolf Al-Rassendyll": EntityKind.PERSON,
            "Real RBA": EntityKind.ORGANIZATION,
            "Nuclei of Zenda": EntityKind.ORGANIZATION,
            "Jose Maria Sapt": EntityKind.PERSON,
            "Association de secours de Zenda": EntityKind.ORGANIZATION,
        }

    @pytest.mark.parametrize(
        ("name", "aliases"),
        [
            ("Proud Examples", []),
            ("Al Example", ["Example Youth"]),
            ("Ana Example Front", ["Anna Example Front"]),
            ("Zenda", ["Zanda"]),
        ],
    )
    def test_a_group_of_the_criminal_code_is_no_person(self, name: str, aliases: list[str]) -> None:
        assert classify_criminal_code_name(name, aliases) is EntityKind.ORGANIZATION

    def test_who_was_born_is_a_person(self) -> None:
        assert classify_by_words("Ana Bank", "1950") is EntityKind.PERSON

    def test_a_birth_is_read(self, listed: Loaded) -> None:
        person = listed.named("Jose Maria Sapt")
        assert (person.date_of_birth, person.birth_dates) == ("February 8, 1938", ("1938-02-08",))
        assert person.remarks == "the Netherlands, Strelsau"


class TestStrictness:
    def test_a_feed_without_entries_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "feed.xml").write_text('<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>', encoding="utf-8")
        with pytest.raises(ParseFailed, match="the file contains no listed parties"):
            load(KEY, tmp_path / "feed.xml")

    def test_entries_without_title_or_listed_twice_are_rejected(self, tmp_path: Path) -> None:
        entry = "<entry><title>A</title><summary>N/A</summary></entry>"
        text = f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}{entry}<entry><summary>B</summary></entry></feed>'
        (tmp_path / "feed.xml").write_text(text, encoding="utf-8")
        report = load(KEY, tmp_path / "feed.xml").report
        assert (report.entries, dict(report.reasons)) == (1, {"the entity is listed twice": 1, "the entry has no title": 1})

    def test_a_new_tag_is_counted(self, tmp_path: Path) -> None:
        text = (FOLDER / "feed.xml").read_text(encoding="utf-8").replace("summary>", "abstract>")
        (tmp_path / "feed.xml").write_text(text, encoding="utf-8")
        assert load(KEY, tmp_path / "feed.xml").report.unknown_terms == {"tag: abstract": 3}


@pytest.mark.realdata
def test_the_regulations_of_july_2026(shared_data: Path, tmp_path: Path) -> None:
    paths = []
    for name in ("SOR-2002-284", "SOR-2001-360"):
        paths.append(tmp_path / f"{name}.xml")
        packed = shared_data / "sanctions" / "ca" / "regulations_2026-07" / f"{name}.xml.gz"
        paths[-1].write_bytes(gzip.decompress(packed.read_bytes()))
    whole = load(KEY, *paths)
    report = whole.report
    assert (report.rows, report.entries, report.merged, report.rejected) == (125, 125, 0, 0)
    assert Counter((entry.programs[0].endswith("Code)"), entry.entity_type.value) for entry in whole.entries) == {
        (True, "organization"): 87,
        (True, "person"): 2,
        (False, "organization"): 20,
        (False, "person"): 16,
    }
    assert not any("known" in name or "(" in name for entry in whole.entries for name in entry.list_search_names())
