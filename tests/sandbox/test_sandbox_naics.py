"""The sandbox's classification of industries: official columns, all five levels, both languages, the same classes in each."""

from pathlib import Path

import pytest

from bonafide.website.industry.naics_tables import NaicsEdition, NaicsTable, PhraseKind, build_editions, read_naics_table
from bonafide_sandbox.generator.data_tables import read_table as read_yaml
from bonafide_sandbox.writers.naics import write_naics


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[NaicsEdition, ...]:
    folder = tmp_path_factory.mktemp("naics")
    return build_editions([read_naics_table(folder / target.path, target.resource) for target in write_naics(folder)])


def test_every_official_table_is_written_and_read_by_the_code_of_real_ones(found: tuple[NaicsEdition, ...], tmp_path: Path) -> None:
    assert [edition.language.value for edition in found] == ["en", "fr"]
    assert {target.resource for target in write_naics(tmp_path)} == {table.value for table in NaicsTable}


def test_every_class_stands_below_its_sector_and_has_phrases_in_both_languages(found: tuple[NaicsEdition, ...]) -> None:
    english, french = found
    assert english.codes == french.codes
    assert english.titles.keys() == french.titles.keys()
    for edition in found:
        assert {phrase.code for phrase in edition.phrases} == set(edition.codes)
        assert {phrase.kind for phrase in edition.phrases} == {PhraseKind.EXAMPLE}
        assert all(code[:digits] in edition.titles for code in edition.codes for digits in (3, 4, 5))
        assert all(edition.definitions[code] for code in edition.codes)


def test_every_trade_of_the_made_up_sites_has_its_class(found: tuple[NaicsEdition, ...]) -> None:
    trades = read_yaml("sites")["trades"]
    assert {trade["naics"] for trade in trades.values()} <= set(found[0].codes)
