"""The mapping file: what it renames and translates, and how it says what is wrong with itself."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from bonafide.errors import ConfigurationError, ParseFailed
from bonafide.model.entity import RoleCategory, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.sources.canonical.parser import CanonicalMapping, load_mapping
from bonafide.sources.framework.context import ParseReport, Resource

Imported = Callable[..., tuple[list[RegistryEntry], ParseReport]]
Written = Callable[[str, str | bytes], Resource]


@pytest.fixture
def mapping_of(tmp_path: Path) -> Callable[[str], CanonicalMapping]:
    def load(text: str) -> CanonicalMapping:
        path = tmp_path / "mapping.yml"
        path.write_text(text, encoding="utf-8")
        return load_mapping(path)

    return load


def test_an_empty_mapping_file_maps_nothing(mapping_of: Callable[[str], CanonicalMapping]) -> None:
    assert mapping_of("") == mapping_of("# nothing\n") == CanonicalMapping()


def test_columns_words_dates_and_defaults_are_translated(
    imported: Imported, written: Written, mapping_of: Callable[[str], CanonicalMapping]
) -> None:
    mapping = mapping_of(
        'columns: {registration_number: "No", legal_name: Nom, status: État, incorporation_date: Depuis,\n'
        "  alternate_names: Autres}\n"
        'ignored: [Ligne]\nstatuses: {"Radiée": dissolved, in bloom: inactive}\ndate_formats: ["%d/%m/%Y", "%Y%m%d"]\n'
        'list_separator: "|"\nencoding: cp1252\ndelimiter: "\\t"\ndefaults: {country: CA, good_standing: false, city: Dieppe}\n'
    )
    text = (
        "Ligne\tNo\tNom\tÉtat\tDepuis\tAutres\tcity\n"
        "1\t7\tExemple Ltée\tRADIÉE\t31/12/1999\tÀ; B | C\t\n"
        "2\t8\tSample Ltd.\tIn Bloom\t20030405\t\tMoncton\n"
    )
    entries, report = imported(written("a.csv", text.encode("cp1252")), mapping=mapping)
    first, second = entries
    assert (first.legal_name, first.status, first.status_code) == ("Exemple Ltée", "RADIÉE", StatusCode.DISSOLVED)
    assert (first.incorporation_date, second.incorporation_date) == (date(1999, 12, 31), date(2003, 4, 5))
    assert first.alternate_names == ("À; B", "C")
    assert (first.addresses[0].city, second.addresses[0].city) == ("Dieppe", "Moncton")
    assert first.good_standing is False
    assert second.status_code is StatusCode.INACTIVE  # the file's word goes before the source's own vocabulary
    assert not report.unknown_terms


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("in bloom", "active"),
        ("WITHERED", "dissolved"),
        ("Continued Out", "continued_out"),
        ("pending_dissolution", "pending_dissolution"),
    ],
)
def test_a_status_word_is_of_the_sources_vocabulary_or_a_code(imported: Imported, written: Written, word: str, code: str) -> None:
    entries, report = imported(written("a.csv", f"registration_number,legal_name,status\n1,x,{word}\n"))
    assert entries[0].status_code == code
    assert not report.unknown_terms


@pytest.mark.parametrize(
    ("word", "category"),
    [
        ("Gardener", RoleCategory.DIRECTOR),
        ("administratrice", RoleCategory.DIRECTOR),
        ("Vice-President", RoleCategory.OFFICER),
        ("Président", RoleCategory.OFFICER),
        ("ACTIONNAIRE", RoleCategory.SHAREHOLDER),
        ("Sole Proprietor", RoleCategory.OWNER),
        ("Commandité", RoleCategory.PARTNER),
        ("Trustee", RoleCategory.TRUSTEE),
        ("Fondé de pouvoir", RoleCategory.AGENT),
        ("Jester", RoleCategory.OTHER),
    ],
)
def test_a_role_word_has_a_category_in_either_language(
    imported: Imported, written: Written, word: str, category: RoleCategory
) -> None:
    entries, _ = imported(written("a.csv", f"registration_number,legal_name,people\n1,x,Ann Sample [{word}]\n"))
    assert [(detail.category, detail.label) for detail in entries[0].people[0].role_details] == [(category, word)]


def test_a_mapped_column_that_the_file_does_not_have_is_refused(imported: Imported, written: Written) -> None:
    mapping = CanonicalMapping(columns={"legal_name": "Company"})
    with pytest.raises(ParseFailed, match="mapping names a column 'Company', the file has registration_number, legal_name"):
        imported(written("a.csv", "registration_number,legal_name\n"), mapping=mapping)


def test_a_column_cannot_be_filled_from_two(imported: Imported, written: Written) -> None:
    mapping = CanonicalMapping(columns={"legal_name": "Company"})
    with pytest.raises(ParseFailed, match="two columns are mapped to legal_name"):
        imported(written("a.csv", "registration_number,legal_name,Company\n"), mapping=mapping)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("columns: {legal_nam: x}", "mapping.yml: columns.*'legal_nam' is not a column .* most similar one is legal_name"),
        ("defaults: {cuntry: x}", "defaults.*most similar one is country"),
        ("statuses: {Gone: vanished}", "statuses.Gone: .*'dissolved'"),
        ("statuses: {1: active}", "statuses.1.*string; quote it"),
        ("columns: {registration_number: No}", "columns.registration_number: .*string; quote it"),
        ("date_formats: ['%d/%m']", "date_formats.0: .*year, month and day"),
        ("date_formats: ['%Y-%m-%d %Y']", "date_formats.0: .*year, month and day"),
        ("date_formats: ['jj/mm/aaaa']", "date_formats.0: .*year, month and day"),
        ("date_formats: []", "date_formats: .*at least 1"),
        ("list_separator: ','", "list_separator: .*comma"),
        ("encoding: klingon", "encoding: .*'klingon' is not an encoding"),
        ("delimiter: '||'", "delimiter: .*at most 1"),
        ("colums: {}", "colums: Extra inputs are not permitted"),
        ("- a list", "mapping.yml: .*dictionary"),
        ("columns: [", "mapping.yml: not a valid mapping file"),
    ],
)
def test_a_wrong_mapping_file_is_refused_and_says_where(
    mapping_of: Callable[[str], CanonicalMapping], text: str, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"(?s){message}"):
        mapping_of(text)


def test_a_mapping_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"missing\.yml: not a valid mapping file"):
        load_mapping(tmp_path / "missing.yml")
