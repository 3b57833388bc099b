"""OpenSanctions: an export, and the deltas that follow it."""

import gzip
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from bonafide.sources.framework.discovery import get_source
from tests.support.sources.sanctions_files import Loaded, assert_golden, load

KEY = "opensanctions"
FOLDER = Path(__file__).parent / KEY
EXPORT, DELTA = FOLDER / "entities.ftm.jsonl", FOLDER / "20261002134702-abc" / "entities.delta.jsonl"
KING = "Rudolf Elphberg"


@pytest.fixture
def loaded() -> Loaded:
    return load(KEY, EXPORT)


def test_it_gives_the_golden_entries(loaded: Loaded) -> None:
    assert_golden(loaded, FOLDER / "export.golden.json")


def test_with_a_delta_it_gives_the_golden_entries() -> None:
    assert_golden(load(KEY, EXPORT, DELTA), FOLDER / "with_delta.golden.json")


def test_it_is_off_until_the_operator_accepts_its_licence() -> None:
    metadata = get_source(KEY).metadata
    assert metadata.acceptance is not None
    assert "requires a licence" in metadata.acceptance.text


class TestTargets:
    def test_the_caption_is_the_main_name_and_former_names_are_strong(self, loaded: Loaded) -> None:
        king = loaded.named(KING)
        assert king.aliases == ("ELPHBERG, Rudolf", "Рудольф Эльфберг", "Rudolf V", "Rudolf Anders")
        assert king.weak_aliases == ("The Fifth",)

    def test_what_is_said_of_it_in_other_entities_is_joined(self, loaded: Loaded) -> None:
        king = loaded.named(KING)
        assert king.listing_date == "2021-10-17"
        assert [(number.label, number.value) for number in king.identifiers] == [
            ("Passport", "E5550001"),
            ("Diplomatic passport (HR)", "P5550002"),
        ]

    def test_topics_datasets_and_legal_form_are_kept(self, loaded: Loaded) -> None:
        assert loaded.named(KING).topics == ("sanction", "role.pep")
        assert "Datasets: eu_fsf; ch_seco_sanctions" in (loaded.named(KING).remarks or "")
        assert loaded.named("Zenda Steel Mills").legal_form == "Joint Stock Company"

    def test_numbers_are_checked(self, loaded: Loaded) -> None:
        assert loaded.named("Zenda Steel Mills").list_search_numbers() == ["7701555001"]
        assert loaded.named("Flavia").list_search_numbers() == ["9074729"]
        assert loaded.named("Flavia").entity_type is EntityKind.VESSEL

    def test_who_is_only_a_politician_is_passed_over_and_told(self, loaded: Loaded) -> None:
        assert "Colonel Sapt" not in [entry.name for entry in loaded.entries]
        assert "2 rows skipped: not the target of a measure" in loaded.report.notes

    def test_the_newest_sight_of_any_entity_dates_the_list(self, loaded: Loaded) -> None:
        assert str(loaded.report.as_of) == "2026-10-01"


class TestDeltas:
    def test_they_add_change_and_remove(self) -> None:
        names = {entry.entry_id: entry.name for entry in load(KEY, EXPORT, DELTA).entries}
        assert names == {"NK-elphberg": KING, "NK-mills": "Zenda Steel Works", "NK-hentzau": "Rupert Hentzau"}

    def test_the_newest_of_several_counts(self, tmp_path: Path) -> None:
        again = tmp_path / "newer.jsonl"
        again.write_text(DELTA.read_text(encoding="utf-8").splitlines()[0].replace("Works", "Forge") + "\n", encoding="utf-8")
        names = {entry.entry_id: entry.name for entry in load(KEY, EXPORT, DELTA, again).entries}
        assert names["NK-mills"] == "Zenda Steel Forge"

    def test_an_empty_delta_changes_nothing(self, tmp_path: Path, loaded: Loaded) -> None:
        (tmp_path / "entities.delta.json").touch()
        assert load(KEY, EXPORT, tmp_path / "entities.delta.json").entries == loaded.entries

    @pytest.mark.parametrize(
        ("files", "problem"),
        [([DELTA], "the first file must be an export"), ([EXPORT, EXPORT], "the first file must be an export")],
    )
    def test_files_in_another_order_are_refused(self, files: list[Path], problem: str) -> None:
        with pytest.raises(ParseFailed, match=problem):
            load(KEY, *files)


class TestStrictness:
    def test_a_line_that_is_no_entity_is_rejected(self, tmp_path: Path) -> None:
        text = EXPORT.read_text(encoding="utf-8")
        (tmp_path / "export.json").write_text(text + '{"id": "half an ent\n', encoding="utf-8")
        report = load(KEY, tmp_path / "export.json").report
        assert (report.rejected, report.rejections[0].line) == (1, 8)

    def test_an_entity_without_a_name_is_rejected(self, tmp_path: Path) -> None:
        text = EXPORT.read_text(encoding="utf-8").replace('"name":["Flavia"]', '"summary":["Flavia"]')
        (tmp_path / "export.json").write_text(text, encoding="utf-8")
        assert load(KEY, tmp_path / "export.json").report.reasons == {"no name in a known field": 1}


@pytest.mark.realdata
class TestRealFiles:
    def test_an_export_of_2024_and_its_five_deltas(self, shared_data: Path) -> None:
        folder = shared_data / "sanctions/opensanctions/yente_fixtures"
        deltas = sorted((folder / "t2").glob("*/entities.delta.json"))
        assert len(deltas) == 5
        before, after = load(KEY, folder / "t1/entities.ftm.json"), load(KEY, folder / "t1/entities.ftm.json", *deltas)
        assert (before.report.rows, before.report.entries) == (6, 6)
        assert (after.report.rows, after.report.entries, after.report.merged, after.report.rejected) == (12, 9, 3, 0)

    def test_the_targets_around_one_company_in_2026(self, shared_data: Path, tmp_path: Path) -> None:
        packed = shared_data / "sanctions/opensanctions/yente_fixtures/zala/entities.ftm.json.gz"
        (tmp_path / "entities.ftm.json").write_bytes(gzip.decompress(packed.read_bytes()))
        loaded = load(KEY, tmp_path / "entities.ftm.json")
        assert (loaded.report.rows, loaded.report.entries, loaded.report.merged) == (56, 14, 42)
        assert all(entry.programs for entry in loaded.entries if "sanction" in entry.topics)

    def test_a_collection_of_politicians_has_no_targets(self, shared_data: Path, tmp_path: Path) -> None:
        packed = shared_data / "sanctions/opensanctions/sa_wiki_peps_2024-03.entities.ftm.json.gz"
        (tmp_path / "entities.ftm.json").write_bytes(gzip.decompress(packed.read_bytes()))
        assert load(KEY, tmp_path / "entities.ftm.json").entries == []
