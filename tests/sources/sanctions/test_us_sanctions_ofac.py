"""OFAC's lists in the three forms in which they are published, which must give the same parties."""

import zipfile
from pathlib import Path

import pytest

from bonafide.errors import ParseFailed
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.xml_elements import read_elements
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.discovery import get_source
from tests.support.sources.ofac_files import CONSOLIDATED, CONSOLIDATED_SET, FORMS, SDN, SDN_FORMS, SET, altered, golden
from tests.support.sources.parsed_files import as_resource
from tests.support.sources.sanctions_files import Loaded, assert_golden, load

every_form = pytest.mark.parametrize("form", SDN_FORMS)
XML_FORMS = [form for form in FORMS if not form.endswith("set")]


def loaded(form: str) -> Loaded:
    key, files = FORMS[form]
    return load(key, *files)


def numbers(entry: ListedEntity) -> set[tuple[str, str]]:
    return {(identifier.label, identifier.value) for identifier in entry.identifiers}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_golden_entries(form: str) -> None:
    assert_golden(loaded(form), golden(form))


@pytest.mark.parametrize(("one", "other"), [("sdn set", "sdn enhanced"), ("sdn enhanced", "sdn advanced")])
def test_the_forms_give_the_same_parties(one: str, other: str) -> None:
    for left, right in zip(loaded(one).entries, loaded(other).entries, strict=True):
        for name in ("entry_id", "source_url", "entity_type", "name", "weak_aliases", "programs", "countries", "birth_dates"):
            assert getattr(left, name) == getattr(right, name), name
        assert left.date_of_birth == right.date_of_birth
        assert set(left.aliases) - set(right.aliases) == set()
        # Where in a country a document was issued the advanced form says elsewhere.
        assert {value for _, value in numbers(left)} == {value for _, value in numbers(right)}


@pytest.mark.parametrize("form", XML_FORMS)
def test_a_form_may_come_zipped(form: str, tmp_path: Path) -> None:
    key, (file, *_) = FORMS[form]
    with zipfile.ZipFile(tmp_path / "LIST.ZIP", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(file)
    assert load(key, tmp_path / "LIST.ZIP").entries == loaded(form).entries


def test_an_archive_of_several_files_is_refused(tmp_path: Path) -> None:
    key, files = FORMS["sdn set"]
    with zipfile.ZipFile(tmp_path / "LIST.ZIP", "w") as archive:
        for file in files:
            archive.write(file)
    with pytest.raises(ParseFailed, match=r"LIST\.ZIP: the archive has 4 files; one is expected"):
        load(key, tmp_path / "LIST.ZIP")


class TestNames:
    @every_form
    def test_names_of_low_quality_are_weak_and_former_names_are_not(self, form: str) -> None:
        person, mills = loaded(form).named("HENTZAU, Rupert"), loaded(form).named("ZENDA STEEL MILLS")
        assert person.weak_aliases == ("THE FOX", "RUPERT OF HENTZAU", "BLACK RUPERT")
        assert "ROYAL STEEL MILLS, RURITANIA" in mills.aliases

    @every_form
    def test_a_name_that_is_listed_as_good_and_as_weak_is_good(self, form: str) -> None:
        mills = loaded(form).named("ZENDA STEEL MILLS")
        assert "ZENDA MILLS" in mills.aliases
        assert not any(name.casefold() == "zenda mills" for name in mills.weak_aliases)

    @pytest.mark.parametrize("form", ["sdn enhanced", "sdn advanced"])
    def test_the_name_in_its_own_script_is_an_alias(self, form: str) -> None:
        assert "ГЕНЦАУ, Руперт" in loaded(form).named("HENTZAU, Rupert").aliases

    @pytest.mark.parametrize("old", ["LowQuality", "isLowQuality"])
    def test_weakness_is_taken_from_the_list_alone(self, tmp_path: Path, old: str) -> None:
        form = "sdn advanced" if old == "LowQuality" else "sdn enhanced"
        marks = ('LowQuality="true"', 'LowQuality="false"') if old == "LowQuality" else (f"<{old}>true", f"<{old}>false")
        person = load(SDN, altered(form, tmp_path, marks)).named("HENTZAU, Rupert")
        assert person.weak_aliases == ()
        assert "THE FOX" in person.aliases


class TestWhatIsKnownOfAParty:
    @every_form
    def test_its_kind_is_told(self, form: str) -> None:
        kinds = [entry.entity_type for entry in loaded(form).entries]
        vessels = [EntityKind.VESSEL, EntityKind.VESSEL]
        assert kinds == [
            EntityKind.PERSON, EntityKind.ORGANIZATION, *vessels, EntityKind.AIRCRAFT, EntityKind.PERSON, EntityKind.ORGANIZATION
        ]  # fmt: skip

    @every_form
    def test_programs_are_apart_and_never_countries(self, form: str) -> None:
        assert loaded(form).named("HENTZAU, Rupert").programs == ("SDGT", "IFSR")
        ship = loaded(form).named("FLAVIA")
        assert (ship.programs, ship.countries) == (("IRAN",), ("PA",))

    @every_form
    def test_nationality_citizenship_flag_and_address_are_countries_but_not_what_is_undetermined(self, form: str) -> None:
        assert loaded(form).named("HENTZAU, Rupert").countries == ("BZ", "KP")
        assert loaded(form).named("ZENDA STEEL MILLS").countries == ("BZ", "PS")
        assert loaded(form).named("ELPHBERG HOLDING").countries == ()
        assert loaded(form).named("FLAVIA II").countries == ()

    @every_form
    def test_dates_of_birth_stand_as_printed_and_to_compare(self, form: str) -> None:
        person = loaded(form).named("TARLENHEIM JR., Fritz")
        assert person.date_of_birth == "circa 1955; 1956 to 1958; Mar 1957"
        assert person.birth_dates == ("1954/1956", "1956/1958", "1957-03")

    @pytest.mark.parametrize("form", ["sdn enhanced", "sdn advanced"])
    def test_a_date_of_birth_that_is_known_to_be_false_is_a_remark_only(self, form: str) -> None:
        person = loaded(form).named("HENTZAU, Rupert")
        assert person.birth_dates == ("1963-07-28", "1964")
        assert "Known to be false: Birthdate: 1970" in (person.remarks or "")

    @every_form
    def test_what_has_no_field_is_kept_as_remark(self, form: str) -> None:
        remarks = loaded(form).named("HENTZAU, Rupert").remarks or ""
        assert all(text in remarks for text in ("Title: Count of Hentzau", "Strelsau", "Gender Male"))


class TestNumbers:
    @every_form
    def test_documents_have_their_kind_and_country_for_a_label(self, form: str) -> None:
        assert numbers(loaded(form).named("HENTZAU, Rupert")) == {
            ("Passport (Belize)", "P0017003"),
            ("National ID No. (Belize)", "10100722073"),
        }

    @every_form
    def test_a_ships_number_and_its_owners_are_told_apart_and_checked(self, form: str) -> None:
        ship, wrong, mills = (loaded(form).named(name) for name in ("FLAVIA", "FLAVIA II", "ZENDA STEEL MILLS"))
        assert ("IMO number", "9074729") in numbers(ship)
        assert wrong.identifiers == ()
        assert "IMO 9074728" in (wrong.remarks or "")
        assert ("IMO company number", "0340013") in numbers(mills)

    @every_form
    def test_an_lei_with_wrong_check_digits_is_a_remark_only(self, form: str) -> None:
        mills = loaded(form).named("ZENDA STEEL MILLS")
        assert ("LEI", "213800ZENDA000000094") in numbers(mills)
        assert "213800ZENDA000000011" not in mills.list_search_numbers()
        assert "213800ZENDA000000011" in (mills.remarks or "")

    @every_form
    def test_features_that_are_numbers_are_identifiers(self, form: str) -> None:
        assert {"SWIFT/BIC", "Digital Currency Address - XBT"} <= {
            label for label, _ in numbers(loaded(form).named("ELPHBERG HOLDING"))
        }
        assert ("Aircraft Tail Number", "ZZ-ABC") in numbers(loaded(form).named("ZZ-ABC"))

    def test_a_country_in_brackets_behind_a_number_belongs_to_the_label(self) -> None:
        assert ("Government Gazette Number (Cuba)", "33556474") in numbers(loaded("sdn enhanced").named("ELPHBERG HOLDING"))


class TestListingDates:
    @pytest.mark.parametrize("form", ["sdn enhanced", "sdn advanced"])
    def test_the_day_on_which_this_list_took_a_party_in_counts(self, form: str) -> None:
        assert loaded(form).named("HENTZAU, Rupert").listing_date == "2011-06-23"

    def test_the_first_of_the_lists_beside_the_sdn_list_counts_for_the_consolidated_one(self) -> None:
        assert loaded("consolidated enhanced").named("STRELSAU COMMERCIAL BANK").listing_date == "2014-07-29"

    def test_the_csv_set_has_none(self) -> None:
        assert all(entry.listing_date is None for entry in loaded("sdn set").entries)

    @pytest.mark.parametrize("form", XML_FORMS)
    def test_xml_files_date_themselves(self, form: str) -> None:
        assert loaded(form).report.as_of is not None


class TestStrictness:
    @pytest.mark.parametrize(
        ("form", "key"), [("sdn enhanced", CONSOLIDATED), ("sdn advanced", CONSOLIDATED), ("consolidated enhanced", SDN)]
    )
    def test_a_file_of_the_other_list_is_refused(self, form: str, key: str) -> None:
        with pytest.raises(ParseFailed, match=r"instead of “(SDN|Consolidated) List”"):
            load(key, *FORMS[form][1])

    def test_the_old_xml_is_refused_by_name(self, tmp_path: Path) -> None:
        (tmp_path / "sdn.xml").write_text("<sdnList><sdnEntry><uid>1</uid></sdnEntry></sdnList>", encoding="utf-8")
        with pytest.raises(ParseFailed, match=r"sdn\.xml: neither enhanced nor advanced XML; the root element is sdnList"):
            load(SDN, tmp_path / "sdn.xml")

    def test_several_forms_at_once_are_refused(self) -> None:
        with pytest.raises(ParseFailed, match=r"one XML file or a set of four CSV files"):
            load(SDN, *FORMS["sdn enhanced"][1], *SET)

    @pytest.mark.parametrize(
        ("form", "changes", "reason"),
        [
            ("sdn enhanced", [('"603">Aircraft', '"603">Submarine')], "unknown type of party “Submarine”"),
            ("sdn enhanced", [('entity id="900103"', 'entity id="900102"')], "the number is not unique"),
            ("sdn enhanced", [("names>", "labels>")], "the party has no number or no primary name"),
            ("sdn advanced", [('PartySubTypeID="2"', 'PartySubTypeID="9"')], "unknown type of party “9”"),
            ("sdn advanced", [('Party FixedRef="900103"', 'Party FixedRef="900102"')], "the number is not unique"),
            ("sdn advanced", [("NamePartValue", "Value")], "the party has no number or no primary name"),
            ("sdn advanced", [("<Profile ", "<Person "), ("</Profile>", "</Person>")], "the party has no profile"),
        ],
    )  # fmt: skip
    def test_a_party_that_cannot_be_read_is_rejected_with_its_line(
        self, tmp_path: Path, form: str, changes: list[tuple[str, str]], reason: str
    ) -> None:
        report = load(SDN, altered(form, tmp_path, *changes)).report
        assert set(report.reasons) == {reason}
        assert all(rejection.line > 1 for rejection in report.rejections)

    def test_a_name_without_its_printed_form_is_put_together_from_its_parts(self, tmp_path: Path) -> None:
        path = altered("sdn enhanced", tmp_path, ("<formattedFullName>FLAVIA<", "<formattedFullName><"))
        assert load(SDN, path).named("FLAVIA").aliases == ("ANTOINETTE",)

    def test_a_file_that_does_not_say_of_which_list_it_is_is_refused(self, tmp_path: Path) -> None:
        path = altered("sdn enhanced", tmp_path, ("publicationInfo", "information"))
        with pytest.raises(ParseFailed, match=r"enhanced\.xml: the name of the list is missing"):
            load(SDN, path)

    def test_a_party_freed_as_it_passes_does_not_stay_in_memory(self, tmp_path: Path) -> None:
        text = FORMS["sdn advanced"][1][0].read_text(encoding="utf-8")
        start, end = text.index("    <DistinctParty "), text.index("  </DistinctParties>")
        (tmp_path / "long.xml").write_text(text[:start] + text[start:end] * 100 + text[end:], encoding="utf-8")
        standing = []
        for element in read_elements(as_resource(tmp_path / "long.xml"), "Location", "DistinctParty", "SanctionsEntry"):
            parent = element.getparent()
            assert parent is not None
            standing.append(len(parent))
        assert max(standing) < 40  # what one chunk of the file holds

    def test_a_set_whose_alternate_names_are_all_but_gone_fails_the_checks_of_a_load(self, tmp_path: Path) -> None:
        lone = tmp_path / "alt.csv"
        lone.write_bytes(SET[1].read_bytes().splitlines(keepends=True)[0])
        entries = load(SDN, SET[0], lone, *SET[2:]).entries
        share = get_source(SDN).metadata.checks.min_fill["aliases"]
        assert sum(bool(entry.aliases) for entry in entries) < len(entries) * share


def test_the_consolidated_list_is_read_from_its_set_as_well() -> None:
    bank = load(CONSOLIDATED, *CONSOLIDATED_SET).named("STRELSAU COMMERCIAL BANK")
    assert bank.weak_aliases == ("STRELBANK",)
    assert bank.countries == ("RU",)
    assert "Linked To: ELPHBERG HOLDING" in (bank.remarks or "")


def test_an_entry_links_to_the_publishers_page_of_it() -> None:
    context = ParseContext(get_source(SDN).metadata)
    assert "{number}" in str(context.metadata.entry_url)
    assert loaded("sdn set").entries[0].source_url == "https://sanctionssearch.ofac.treas.gov/Details.aspx?id=900101"
