"""Canada's autonomous sanctions list, in each of the tag sets that it was published in."""

import gzip
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.discovery import get_source
from bonafide.sources.framework.metadata import ResourceMetadata
from bonafide.sources.sanctions.ca_sanctions_autonomous.source import LIST
from tests.support.sources.parsed_files import as_resource
from tests.support.sources.sanctions_files import Loaded, assert_golden, load

KEY = "ca-sanctions-autonomous"
FOLDER = Path(__file__).parent / KEY
LAYOUTS = ["tags_2020", "tags_until_2026-07", "tags_since_2026-08"]


def loaded(layout: str) -> Loaded:
    return load(KEY, FOLDER / f"{layout}.xml")


def written(path: Path, *records: str) -> Path:
    path.write_text(f"<data-set>{''.join(f'<record>{record}</record>' for record in records)}</data-set>", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def checked() -> Loaded:
    return load(KEY, FOLDER / "tags_since_2026-08.xml", FOLDER / "regulation.xml")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_tag_set_gives_the_golden_entries(layout: str) -> None:
    assert_golden(loaded(layout), FOLDER / f"{layout}.golden.json")


class TestKinds:
    def test_a_valid_imo_number_makes_a_ship_and_is_its_identifier(self) -> None:
        ship = loaded("tags_since_2026-08").named("M/V Flavia")
        assert ship.entity_type is EntityKind.VESSEL
        assert ship.list_search_numbers() == ["9074729"]

    def test_a_ship_is_built_not_born(self) -> None:
        ship = loaded("tags_since_2026-08").named("M/V Flavia")
        assert ship.date_of_birth is None
        assert ship.remarks == "Schedule: 1.1; Item: 2; Ship type: General Cargo; Built: 1986"

    def test_a_number_with_a_wrong_check_digit_is_no_identifier_but_is_kept(self) -> None:
        ship = loaded("tags_since_2026-08").named("Flavia II")
        assert (ship.entity_type, ship.identifiers) == (EntityKind.VESSEL, ())
        assert "IMO field: 9074728" in (ship.remarks or "")

    def test_a_person_with_text_in_the_imo_field_stays_a_person(self) -> None:
        person = loaded("tags_until_2026-07").named("Rupert Hentzau")
        assert person.entity_type is EntityKind.PERSON
        assert "IMO field: Permanent representative" in (person.remarks or "")


class TestNames:
    def test_padding_with_no_break_spaces_is_gone(self) -> None:
        assert loaded("tags_2020").named("Zenda Steel Mills (North/South)").name == "Zenda Steel Mills (North/South)"

    def test_two_languages_in_one_name_are_two_names(self) -> None:
        assert loaded("tags_2020").named("Ruritanian Navy").aliases[0] == "Force navale ruritanienne"

    def test_a_slash_that_may_be_part_of_the_name_stays(self) -> None:
        assert loaded("tags_since_2026-08").named("Victory/Pobeda Bloc").name == "Victory/Pobeda Bloc"

    def test_commas_separate_aliases_but_not_a_legal_form_from_its_name(self) -> None:
        assert loaded("tags_2020").named("Zenda Steel Mills (North/South)").aliases == ("Zenda Holding, JSC", "Zendastal")

    def test_language_labels_are_not_part_of_a_name(self) -> None:
        assert loaded("tags_until_2026-07").named("Strelsau Air Navigation Enterprise").aliases == ("Стрельсау", "Стрэльсаў")

    def test_a_single_word_beside_a_person_is_a_weak_alias(self) -> None:
        person = loaded("tags_since_2026-08").named("Antoinette DE MAUBAN")
        assert (person.aliases, person.weak_aliases) == (("Antoinette MAUBAN (Toni)",), ("Antonia",))

    def test_a_birth_date_behind_the_name_is_no_part_of_it(self) -> None:
        assert loaded("tags_since_2026-08").named("Black Michael").date_of_birth == "May 4, 1944"


class TestDates:
    def test_what_is_printed_stands_even_when_there_is_no_such_day(self) -> None:
        assert loaded("tags_2020").named("Rudolf ELPHBERG").date_of_birth == "1972-08-10 or 1972-08-11"
        assert loaded("tags_since_2026-08").named("Fritz TARLENHEIM").date_of_birth == "1975-19-25"

    def test_a_spreadsheet_serial_becomes_its_day(self) -> None:
        assert loaded("tags_until_2026-07").named("Rupert Hentzau").date_of_birth == "1987-01-24"
        assert loaded("tags_until_2026-07").named("Strelsau Air Navigation Enterprise").listing_date == "2021-06-17"


class TestKeys:
    def test_the_key_is_regulation_schedule_and_item(self) -> None:
        ids = [entry.entry_id for entry in loaded("tags_since_2026-08").entries]
        assert ids[0] == "Ruritania | 1, Part 1 | 94"
        assert ids[-1] == "Ruritania | - | 96"

    def test_a_key_that_stands_twice_takes_the_name_in(self) -> None:
        ids = [entry.entry_id for entry in loaded("tags_since_2026-08").entries]
        assert ids[3:5] == ["Ruritania | 1.1 | 3 | Flavia II", "Ruritania | 1.1 | 3 | Flavia III"]

    def test_a_record_that_stands_twice_is_not_lost(self, tmp_path: Path) -> None:
        record = "<Country>X</Country><Entity>A Ltd</Entity><Item>1</Item>"
        again = load(KEY, written(tmp_path / "list.xml", record, record))
        assert [entry.entry_id for entry in again.entries] == ["X | - | 1 | A Ltd", "X | - | 1 | A Ltd #2"]


class TestStrictness:
    def test_a_regulation_is_a_program_never_a_country(self) -> None:
        entry = loaded("tags_2020").named("Sapt")
        assert (entry.programs, entry.countries) == (("Justice for Examples Regulations (JER)",), ())

    def test_renamed_name_tags_refuse_the_file_before_the_first_entry(self, tmp_path: Path) -> None:
        text = (FOLDER / "tags_until_2026-07.xml").read_text(encoding="utf-8")
        renamed = tmp_path / "list.xml"
        renamed.write_text(text.replace("LastName>", "Surname>").replace("GivenName>", "Forename>"), encoding="utf-8")
        with pytest.raises(ParseFailed, match=r"only 1 of 2 records have a name; unknown tags: Forename, Surname"):
            load(KEY, renamed)

    def test_a_new_tag_beside_the_names_is_counted(self, tmp_path: Path) -> None:
        file = written(tmp_path / "list.xml", "<Country>X</Country><Entity>A Ltd</Entity><Item>1</Item><Flag>Y</Flag>")
        assert load(KEY, file).report.unknown_terms == {"tag: Flag": 1}

    def test_one_nameless_record_among_many_is_rejected_with_its_line(self, tmp_path: Path) -> None:
        named = [f"<Country>X</Country><Entity>A{n} Ltd</Entity><Item>{n}</Item>\n" for n in range(150)]
        report = load(KEY, written(tmp_path / "list.xml", *named, "<Country>X</Country><Item>200</Item>")).report
        assert (report.entries, report.rejected) == (150, 1)
        assert (report.rejections[0].line, report.rejections[0].reason) == (151, "no name in a known field")

    @pytest.mark.parametrize("content", ["<data-set/>", "<data-set><row><Entity>A</Entity></row></data-set>"])
    def test_a_file_without_records_is_refused(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "list.xml").write_text(content, encoding="utf-8")
        with pytest.raises(ParseFailed, match=r"the list contains no records"):
            load(KEY, tmp_path / "list.xml")


class TestRegulations:
    """The list of August 2026 beside a regulation that has some of its parties, and some of its own."""

    def test_both_together_give_the_golden_entries(self, checked: Loaded) -> None:
        assert_golden(checked, FOLDER / "with_regulation.golden.json")

    def test_a_party_in_both_is_one_entry_and_one_only_in_the_law_is_added(self, checked: Loaded) -> None:
        report = checked.report
        assert (report.rows, report.entries, report.merged) == (16, 10, 6)
        added = [entry.name for entry in checked.entries if "Only in the regulation: SOR/2030-1" in (entry.remarks or "")]
        assert added == ["Rupert HENTZAU", "Zenda Supply and Trading Agency (ZSTA)", "Flavia ELPHBERG"]

    def test_names_that_only_the_law_has_are_aliases(self, checked: Loaded) -> None:
        person = checked.named("Antoinette DE MAUBAN")
        assert {"Antoinette DE MOBAN", "Toni MAUBAN"} <= set(person.aliases)
        assert "Bloc One and Two Co., Ltd." in checked.named("Victory/Pobeda Bloc").aliases

    def test_dates_of_birth_that_differ_both_count_and_are_told(self, checked: Loaded) -> None:
        person = checked.named("Antoinette DE MAUBAN")
        assert person.date_of_birth == "1953-09-22; September 23, 1953"
        assert person.birth_dates == ("1953-09-22", "1953-09-23")
        assert "Parties whose date of birth differs in the regulation: 1, for example Antoinette DE MAUBAN" in checked.report.notes

    def test_the_same_item_under_another_spelling_is_told(self, checked: Loaded) -> None:
        told = "Parties whose name differs in the regulation: 2, for example Flavia III (Osra)"
        assert told in checked.report.notes
        assert checked.named("Black Michael").aliases == ("Michael BLAKE",)

    def test_a_record_in_no_regulation_is_told(self, checked: Loaded) -> None:
        assert "Parties of the list that are in no regulation: 1, for example Fritz TARLENHEIM" in checked.report.notes

    def test_goods_notes_and_repealed_items_are_no_parties(self, checked: Loaded) -> None:
        assert not any("oils" in entry.name or "Uppercase" in entry.name or "Repealed" in entry.name for entry in checked.entries)

    def test_a_ship_is_the_same_by_its_number(self, checked: Loaded) -> None:
        assert checked.named("Flavia III").aliases == ("Osra",)

    def test_a_ship_of_the_law_has_its_number(self) -> None:
        ship = load(KEY, FOLDER / "regulation.xml").named("Osra")
        assert (ship.entity_type, ship.list_search_numbers()) == (EntityKind.VESSEL, ["9319466"])

    def test_the_law_alone_is_a_list(self) -> None:
        assert len(load(KEY, FOLDER / "regulation.xml").entries) == 9

    def test_missing_regulations_are_told(self, checked: Loaded) -> None:
        assert "20 of 21 regulations are missing; parties that are only in them are not included" in checked.report.notes

    def test_a_file_that_only_begins_as_a_regulation_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "law.xml").write_text("<Regulation><Body/></Regulation>", encoding="utf-8")
        with pytest.raises(ParseFailed, match=r"law\.xml: the file contains no regulation"):
            load(KEY, FOLDER / "tags_2020.xml", tmp_path / "law.xml")


@pytest.mark.realdata
class TestRealLists:
    def test_the_list_and_the_law_of_july_2026_agree(self, shared_data: Path, tmp_path: Path) -> None:
        laws = sorted((shared_data / "sanctions" / "ca" / "regulations_2026-07").glob("*.xml.gz"))
        others = {"SOR-2001-360", "SOR-2002-284", "SOR-2011-167"}
        names = [f"regulations_2026-07/{law.name}" for law in laws if law.name.partition(".")[0] not in others]
        files = [self.unpacked(shared_data, tmp_path, name) for name in ("sema-lmes_reconstructed_2026-07.xml.gz", *names)]
        report = load(KEY, *files).report
        assert (report.rows, report.entries, report.merged, report.rejected) == (11_394, 5_709, 5_685, 0)
        assert [note.partition(", ")[0] for note in report.notes[1:]] == [
            "Parties whose name differs in the regulation: 6",
            "Parties whose date of birth differs in the regulation: 1",
            "Parties added that are only in the regulations: 24",
        ]

    def unpacked(self, shared_data: Path, tmp_path: Path, name: str) -> Path:
        packed = shared_data / "sanctions" / "ca" / name
        if packed.suffix != ".gz":
            return packed
        (tmp_path / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
        return tmp_path / packed.stem

    def test_the_whole_list_of_july_2026(self, shared_data: Path, tmp_path: Path) -> None:
        whole = load(KEY, self.unpacked(shared_data, tmp_path, "sema-lmes_reconstructed_2026-07.xml.gz"))
        report = whole.report
        assert (report.rows, report.entries, report.merged, report.rejected) == (5685, 5685, 0, 0)
        assert report.unknown_terms == {}
        assert Counter(entry.entity_type for entry in whole.entries) == {"person": 3510, "organization": 1444, "vessel": 731}
        assert all(len(entry.identifiers) == 1 for entry in whole.entries if entry.entity_type is EntityKind.VESSEL)
        assert all(entry.programs and entry.listing_date for entry in whole.entries)
        assert sum("#" in entry.entry_id for entry in whole.entries) == 0
        assert not any(", born" in entry.name or "date of birth" in entry.name for entry in whole.entries)
        assert (
            whole.named("Than Shwe").date_of_birth == "1933-02-02" or whole.named("Than Shwe").date_of_birth == "February 2, 1933"
        )

    def test_the_original_list_of_october_2020(self, shared_data: Path, tmp_path: Path) -> None:
        original = load(KEY, self.unpacked(shared_data, tmp_path, "sema-lmes_original_2020-10.xml.gz"))
        report = original.report
        assert (report.rows, report.entries, report.merged, report.rejected) == (1369, 1369, 0, 0)
        assert report.unknown_terms == {}
        assert Counter(entry.entity_type for entry in original.entries) == {"person": 985, "organization": 384}
        assert original.named("Iranian Navy").aliases == ("Force navale iranienne",)
        assert not any("\u00a0" in entry.to_json() for entry in original.entries)

    @pytest.mark.parametrize(
        ("name", "kinds"),
        [
            ("sema-lmes_sample_bilingual_2026-09.xml", ["person", "organization", "vessel", "person"]),
            ("sema-lmes_sample_oldtags_2026-07.xml", ["person", "organization"]),
        ],
    )
    def test_the_samples_of_both_layouts_of_2026(self, shared_data: Path, tmp_path: Path, name: str, kinds: list[str]) -> None:
        assert [entry.entity_type for entry in load(KEY, self.unpacked(shared_data, tmp_path, name)).entries] == kinds


@pytest.mark.anyio
async def test_a_regulation_of_years_ago_does_not_make_the_list_old() -> None:
    source = get_source(KEY)
    assert source.fetch is not None
    day = {LIST: date(2026, 9, 3)}

    async def download(resource: ResourceMetadata) -> Resource:
        return replace(as_resource(FOLDER / "regulation.xml"), name=resource.name, as_of=day.get(resource.name, date(2014, 3, 5)))

    async def read(url: str) -> bytes:
        raise AssertionError(url)

    metadata = source.metadata.model_copy(update={"pause_s": 0.0})
    got = await source.fetch(FetchContext(metadata, download, read))
    assert len(got) == len(metadata.resources)
    assert {resource.as_of for resource in got} == {date(2026, 9, 3), None}
