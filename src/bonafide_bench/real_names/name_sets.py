"""The table of all sets: what each part is made of, where it comes from, and under which licence.

A set is split by source: the parts of one set never share a list or a register of origin. No name of these files is in the
repository. All data is read from the folder of `--real-data`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bonafide.model.entry import EntityKind
from bonafide_bench.real_names import sanctions_lists as lists
from bonafide_bench.real_names.keying_errors import drop_in_short_word, replace_in_short_word, swap_in_short_word
from bonafide_bench.real_names.labelled_files import read_labelled
from bonafide_bench.real_names.listed_sets import ReadList, pair_across_lists, pair_aliases, pair_keyed_in, pair_with_error
from bonafide_bench.real_names.name_pairs import NamePair, PairSet, PairSource, ReadPairs, SetPart
from bonafide_bench.real_names.register_sets import (
    pair_bilingual_names,
    pair_former_names,
    pair_near_names,
    pair_variants,
    read_federal,
    read_ontario,
    read_yukon,
)

_PERSON, _ORGANIZATION = EntityKind.PERSON, EntityKind.ORGANIZATION
_US, _EU, _UK, _UN = "OFAC, United States", "European Union", "OFSI, United Kingdom", "United Nations Security Council"
_UA = "War and Sanctions, Ukraine, by OpenSanctions"
_LICENCES = {
    _US: "public domain (United States federal work)",
    _EU: "European Union law; CC BY-NC 4.0 as extracted by OpenSanctions",
    _UK: "Open Government Licence v3.0",
    _UN: "public United Nations document",
    _UA: "CC BY-NC 4.0",
}
_READERS: dict[str, ReadList] = {
    _US: lists.ofac, _EU: lists.european_union, _UK: lists.united_kingdom, _UN: lists.united_nations, _UA: lists.ukraine,
}  # fmt: skip
_YUKON = "Corporate registry of Yukon, January 2023"
_YUKON_LICENCE = "public register; no licence stated, so that no row is redistributed"
_ONTARIO_LICENCE = "Apache-2.0 (bcgov/TheOrgBook); public register"
_BENCHMARK = "labelled names of public benchmarks (opensanctions/nomenklatura, opensanctions/yente)"
_MIT = "MIT"
_HOMES = {
    SetPart.TRAIN: ("YUKON",),
    SetPart.TEST: ("CANADA",),
    SetPart.CONTROL: ("-", "YUKON", "CANADA"),
}
"""The homes of firms in the register of Yukon: each home accepted the names of its own."""
_WESTERN = ("BRITISH COLUMBIA", "ALBERTA", "YUKON")
_BILINGUAL_HOMES = {SetPart.TRAIN: _WESTERN, SetPart.TEST: ("CANADA",), SetPart.CONTROL: ("-", *_WESTERN, "CANADA")}

MakePairs = Callable[[Path, Sequence[ReadList], EntityKind], list[NamePair]]


def _from_lists(part: SetPart, make: MakePairs, kind: EntityKind, *names: str) -> PairSource:
    readers = [_READERS[name] for name in names]
    licence = "; ".join(dict.fromkeys(_LICENCES[name] for name in names))
    return PairSource(part, ", ".join(names), licence, partial(_read_listed, make=make, readers=readers, kind=kind))


def _read_listed(data: Path, make: MakePairs, readers: Sequence[ReadList], kind: EntityKind) -> list[NamePair]:
    return make(data, readers, kind)


def _labelled(name: str, *kinds: EntityKind) -> PairSource:
    return PairSource(SetPart.TRAIN, _BENCHMARK, _MIT, read_labelled(name, *kinds))


def _from_yukon(part: SetPart, homes: tuple[str, ...], read: ReadPairs) -> PairSource:
    stated = ("others than " if homes[0] == "-" else "") + ", ".join(home.title() for home in homes if home != "-")
    return PairSource(part, f"{_YUKON}; home: {stated}", _YUKON_LICENCE, read)


def _join(*reads: ReadPairs) -> ReadPairs:
    def read(data: Path) -> Iterator[NamePair]:
        for one in reads:
            yield from one(data)

    return read


def _read_variants(data: Path) -> list[NamePair]:
    return pair_variants((row.name for row in read_yukon(data, *_HOMES[SetPart.TRAIN])), "variants train", most=800)


def _read_test_variants(data: Path) -> list[NamePair]:
    return pair_variants([*read_ontario(data), *read_federal(data)], "variants test")


def _read_control_variants(data: Path) -> list[NamePair]:
    return pair_variants((row.name for row in read_yukon(data, *_HOMES[SetPart.CONTROL])), "variants control", most=500)


def _read_near_firms(data: Path, part: SetPart) -> list[NamePair]:
    return pair_near_names((row.name for row in read_yukon(data, *_HOMES[part])), f"firms {part}", most=800)


def _read_bilingual(data: Path, homes: tuple[str, ...]) -> list[NamePair]:
    return pair_bilingual_names(data, *homes)


def _read_former(data: Path, homes: tuple[str, ...]) -> list[NamePair]:
    return pair_former_names(data, *homes)


def _listed_set(key: str, goal: str, kind: EntityKind, make: MakePairs, train: PairSource, *held_out: tuple[str, ...]) -> PairSet:
    parts = (_from_lists(part, make, kind, *names) for part, names in zip((SetPart.TEST, SetPart.CONTROL), held_out, strict=False))
    return PairSet(key, goal, (train, *parts))


def _error_set(key: str, error: MakePairs) -> PairSet:
    goal = "share at .7: one slip in a word of three or four letters"
    return _listed_set(key, goal, _PERSON, error, _from_lists(SetPart.TRAIN, error, _PERSON, _US), (_EU,), (_UK, _UN))


SETS: tuple[PairSet, ...] = (
    PairSet("decided pairs", "F1: pairs that analysts decided", (_labelled("entity_checks"),)),
    PairSet("benchmark, people", "best F1: hard by design", (_labelled("name_pairs_benchmark", _PERSON),)),
    PairSet("benchmark, organizations", "best F1: hard by design", (_labelled("name_pairs_benchmark", _ORGANIZATION),)),
    _listed_set("aliases, people", "best F1: aliases within a list against names with a common word", _PERSON, pair_aliases,
                _from_lists(SetPart.TRAIN, pair_aliases, _PERSON, _US), (_EU,), (_UK, _UN)),
    _listed_set("aliases, organizations", "best F1: aliases within a list against names with a common word", _ORGANIZATION,
                pair_aliases, _from_lists(SetPart.TRAIN, pair_aliases, _ORGANIZATION, _US), (_EU,), (_UK, _UN)),
    PairSet("two lists, people", "best F1: one person on two lists, and near namesakes", (
        PairSource(SetPart.TRAIN, _BENCHMARK + " and official lists", _MIT, _join(
            read_labelled("same_party_on_two_lists", _PERSON), read_labelled("near_namesakes_on_lists", _PERSON))),
        _from_lists(SetPart.TEST, pair_across_lists, _PERSON, _EU, _US),
        _from_lists(SetPart.CONTROL, pair_across_lists, _PERSON, _UN, _UK),
    )),
    PairSet("two lists, organizations", "best F1: one organization on two lists, and near namesakes", (
        PairSource(SetPart.TRAIN, _BENCHMARK + " and official lists", _MIT, _join(
            read_labelled("same_party_on_two_lists", _ORGANIZATION), read_labelled("near_namesakes_on_lists", _ORGANIZATION))),
        _from_lists(SetPart.TEST, pair_across_lists, _ORGANIZATION, _EU, _US),
        _from_lists(SetPart.CONTROL, pair_across_lists, _ORGANIZATION, _US, _UA),
    )),
    PairSet("keyed in, people", "recall at .85: listed people as keyed in", (
        PairSource(SetPart.TRAIN, _BENCHMARK, _MIT, read_labelled("listed_people_as_keyed_in")),
        _from_lists(SetPart.TEST, pair_keyed_in, _PERSON, _EU),
        _from_lists(SetPart.CONTROL, pair_keyed_in, _PERSON, _US),
    )),
    _listed_set("keyed in, organizations", "recall at .85: listed organizations as keyed in", _ORGANIZATION, pair_keyed_in,
                _from_lists(SetPart.TRAIN, pair_keyed_in, _ORGANIZATION, _US), (_EU,), (_UK, _UN)),
    _error_set("short word, swap", pair_with_error(swap_in_short_word)),
    _error_set("short word, drop", pair_with_error(drop_in_short_word)),
    _error_set("short word, replace", pair_with_error(replace_in_short_word)),
    PairSet("bilingual names", "share at .85: the English and French names of one firm", tuple(
        _from_yukon(part, homes, partial(_read_bilingual, homes=homes)) for part, homes in _BILINGUAL_HOMES.items())),
    PairSet("former names", "share at .85: former and present names of one firm", tuple(
        _from_yukon(part, homes, partial(_read_former, homes=homes)) for part, homes in _HOMES.items())),
    PairSet("company variants", "best F1: names as written by people against near names", (
        _from_yukon(SetPart.TRAIN, _HOMES[SetPart.TRAIN], _read_variants),
        PairSource(SetPart.TEST, "Registers of Ontario and of Corporations Canada, samples",
                   f"{_ONTARIO_LICENCE}; Open Government Licence - Canada", _read_test_variants),
        _from_yukon(SetPart.CONTROL, _HOMES[SetPart.CONTROL], _read_control_variants),
    )),
    PairSet("near firms", "share at .85: different firms with near names", tuple(
        _from_yukon(part, homes, partial(_read_near_firms, part=part)) for part, homes in _HOMES.items())),
)  # fmt: skip
"""All sets, in the order in which they are printed."""


def get_set(key: str) -> PairSet:
    """The set with this key. Raises `KeyError`."""
    return {one.key: one for one in SETS}[key]
