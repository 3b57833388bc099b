"""Settings from the environment: what they are by default, and that a wrong one is refused by name."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from bonafide.settings import Settings


def test_the_embedded_database_lies_in_the_data_directory(tmp_path: Path) -> None:
    assert Settings(data_dir=tmp_path).dsn == f"sqlite+aiosqlite:///{tmp_path / 'bonafide.sqlite3'}"


@pytest.mark.parametrize(
    ("address", "dsn"),
    [
        ("postgresql://u@h/n", "postgresql+psycopg://u@h/n"),
        ("postgres://u@h/n", "postgresql+psycopg://u@h/n"),
        ("sqlite:///x.db", "sqlite+aiosqlite:///x.db"),
        ("postgresql+psycopg://u@h/n", "postgresql+psycopg://u@h/n"),
    ],
)
def test_a_database_address_gets_its_driver(address: str, dsn: str) -> None:
    assert Settings(database_url=address).dsn == dsn


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONAFIDE_PORT", "9000")
    assert Settings().port == 9000


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "0"),
        ("port", "http"),
        ("log_level", "loud"),
        ("trusted_proxies", "zz"),
        ("lookup_timeout_s", "-1"),
        ("max_body_bytes", "1"),
    ],
)
def test_a_wrong_value_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"BONAFIDE_{name.upper()}", value)
    with pytest.raises(ValidationError, match=name):
        Settings()
