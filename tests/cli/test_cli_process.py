"""What only a process of its own shows: exit status, pipes, and a machine without a network."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.cli_commands import Command
from tests.support.waiting import TIMEOUT_S

STORES = "License Number,Municipality or First Nation,Store Name,Address,Store Application Status,Website\n"
OFFLINE = ("unshare", "--map-root-user", "--net")
"""A network of its own for one process, without any way out."""


def process(
    data_dir: Path, *words: str | Path, stdin: str = "", before: Sequence[str] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    """`python -m bonafide`, its data directory given by the environment."""
    return subprocess.run(  # noqa: S603 - our own command
        [*before, sys.executable, "-m", "bonafide", *map(str, words)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
        check=False,
        env={**os.environ, "BONAFIDE_DATA_DIR": str(data_dir), **environment},
    )


@pytest.mark.slow
def test_a_failure_is_one_sentence_and_status_1(tmp_path: Path) -> None:
    ended = process(tmp_path / "data", "sync", "atlantis")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("bonafide: There is no source 'atlantis'. The sources are ")
    assert ended.stderr.count("\n") == 1


def test_names_travel_through_pipes_in_any_locale(tmp_path: Path) -> None:
    line = json.dumps({"a": "Société Été", "b": "東京"}, ensure_ascii=False) + "\n"
    ended = process(tmp_path, "compare", "--jsonl", stdin=line, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout) == {"a": "Société Été", "b": "東京", "score": 0}


def test_a_reader_that_goes_away_is_no_error_of_ours(tmp_path: Path) -> None:
    lines = '{"a": "Acme", "b": "Akme"}\n' * 20_000
    shell = ("sh", "-c", '"$@" | head -n 1', "sh")
    ended = process(tmp_path, "compare", "--jsonl", stdin=lines, before=shell)
    assert (ended.stdout.count("\n"), ended.stderr) == (1, "")


@pytest.fixture
def offline() -> Sequence[str]:
    """The words before a command that take the network from it; skips where the system does not let us."""
    tried = shutil.which(OFFLINE[0]) and subprocess.run([*OFFLINE, "true"], capture_output=True, check=False)  # noqa: S603 - fixed words
    if not tried or tried.returncode != 0:
        pytest.skip("this system does not let a process give up its network (unshare --map-root-user --net)")
    return OFFLINE


@pytest.mark.slow
def test_without_a_network_each_download_names_its_host_and_nothing_loaded_is_lost(
    bonafide: Command, data_dir: Path, tmp_path: Path, offline: Sequence[str]
) -> None:
    stores = tmp_path / "stores.csv"
    stores.write_text(f"{STORES}CRSA9000001,TORONTO,Maple Leaf Cannabis,1 Example St,Authorized to Open,\n", encoding="utf-8")
    assert bonafide("sync", "agcoCannabis", "--file", stores, "--force").status == 0
    ended = process(data_dir, "sync", before=offline, BONAFIDE_FETCH_ATTEMPTS="1")
    assert (ended.returncode, ended.stdout) == (1, "")
    sentences = ended.stderr.splitlines()
    rows = {row["source"]: row for row in bonafide("sources", "--json").json()}
    failed = [row for row in rows.values() if row["state"] == "failed"]
    assert len(sentences) == len(failed) > 1
    assert all("can’t be reached" in sentence for sentence in sentences)
    assert any(sentence.startswith("www.agco.ca ") for sentence in sentences)
    assert rows["agcoCannabis"]["entries"] == 1
    assert "can’t be reached" in rows["agcoCannabis"]["note"]
