"""`bonafide bench index` on few names: every figure is there, what can't be measured says why, and what was kept is used again."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli_commands import Command

pytestmark = pytest.mark.slow


ENGINES = ["index", "index and score", "prototype", "tantivy trigrams", "rapidfuzz scan"]
QUICKLY = ("--rounds", "1", "--count", "60")
SETS = {"within the smallest", "anywhere"}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which what is built is kept."""
    return tmp_path_factory.mktemp("kept")


def test_all_engines_are_measured_on_the_same_names_and_queries(bonafide: Command, kept: Path) -> None:
    report = bonafide("bench", "index", "--sizes", "0.001,0.002", *QUICKLY, "--keep", kept, "--json").json()
    assert [size["names"] for size in report["sizes"]] == [1_000, 2_000]
    for size in report["sizes"]:
        engines = {engine["engine"]: engine for engine in size["engines"]}
        assert list(engines) == ENGINES
        assert engines["prototype"]["missing"] == "no --prototype FOLDER was named"
        own = engines["index"]
        assert own["missing"] is None
        assert set(own["builds"]) == {"1", "2"}
        assert all(built["wall_s"] > 0 and built["cpu_s"] > 0 for built in own["builds"].values())
        assert own["disk_bytes"] > size["names"]
        assert len(own["hostile"]) > 10
        assert {"2 characters", "last word, 1"} <= set(own["typeahead"])
        for name in SETS:
            asked = [engine["sets"][name]["recall"]["asked"] for engine in (own, engines["index and score"])]
            assert asked[0] == asked[1] == own["sets"][name]["times"]["count"] > 30
        figures = [each for engine in engines.values() for each in (engine["sets"] or {}).values()]
        assert all(is_in_order(each) for each in figures)
    assert set(report["growth"]) == {"index", "index and score", "rapidfuzz scan"} | set(report["growth"]) & {"tantivy trigrams"}


def is_in_order(figures: dict[str, Any]) -> bool:
    """Whether percentiles and shares rise as they must, and every query is of one kind."""
    times, shares = figures["times"], figures["recall"]["at"]
    rising = [times[name] for name in ("p50", "p95", "p99", "max")]
    found = [0, *(shares[depth] for depth in ("1", "5", "20")), 1]
    asked = sum(kind["asked"] for kind in figures["kinds"].values())
    return rising == sorted(rising) and found == sorted(found) and asked == figures["recall"]["asked"]


def test_what_was_kept_is_used_again_and_shown_as_tables(bonafide: Command, kept: Path) -> None:
    words = ("bench", "index", "--sizes", "0.002", *QUICKLY, "--engines", "index", "--keep", kept, "--kinds")
    bonafide(*words)
    found = bonafide(*words)
    assert found.status == 0
    assert "2,000 names" in found.out
    assert "build" not in found.err
    for part in ("names/s, 1 core", "Queries: within the smallest", "R@20", "one slip", "eight frequent words", "Typeahead, ms"):
        assert part in found.out


def test_given_names_and_queries_are_measured_and_leave_nothing_behind(bonafide: Command, data_dir: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.tsv"
    names.write_text("".join(f"{n}\tOsprey {n:04} Bakery Inc.\n" for n in range(1, 1201)), encoding="utf-8")
    queries = tmp_path / "mine.jsonl"
    rows = [{"q": "osprey 0007 bakry", "kind": "mine", "truth": [7]}, {"q": "elsewhere", "kind": "mine", "truth": [5000]}]
    queries.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    given = ("--names", names, "--queries", queries, "--engines", "index", *QUICKLY)
    before = set(data_dir.iterdir())
    report = bonafide("bench", "index", "--sizes", "0.001", *given, "--json").json()
    assert set(data_dir.iterdir()) == before
    figures = report["sizes"][0]["engines"][0]["sets"]["mine"]
    assert figures["recall"] == {"asked": 1, "at": {"1": 1.0, "5": 1.0, "20": 1.0}}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sizes", "many"), "no numbers of millions"),
        (("--sizes", "0.0005"), "from 0.001 to 10 million"),
        (("--sizes", "11"), "from 0.001 to 10 million"),
        (("--engines", "grep"), "the engines are index, index and score"),
        (("--queries", __file__), "need the names"),
    ],
)
def test_what_can_not_be_measured_is_wrong_usage(bonafide: Command, words: tuple[str, ...], said: str) -> None:
    found = bonafide("bench", "index", *words)
    assert found.status == 2
    assert said in " ".join(found.said.replace("│", " ").split())


@pytest.mark.parametrize(
    ("names", "queries", "said"),
    [
        ("no tab here\n", "", "the names can't be read: "),
        ("1\tOsprey Bakery\n", "", "the names can't be read: there are 1, not 1,000"),
        ("1\tOsprey Bakery\n" * 1000, '{"q": "osprey"}', "can't be read: KeyError('kind')"),
    ],
)
def test_files_that_can_not_be_used_are_told_in_one_sentence(
    bonafide: Command, tmp_path: Path, names: str, queries: str, said: str
) -> None:
    names_file, queries_file = tmp_path / "names.tsv", tmp_path / "queries.jsonl"
    names_file.write_text(names, encoding="utf-8")
    queries_file.write_text(queries, encoding="utf-8")
    found = bonafide("bench", "index", "--sizes", "0.001", "--names", names_file, "--queries", queries_file)
    assert found.status == 1
    assert said in " ".join(found.said.split())
