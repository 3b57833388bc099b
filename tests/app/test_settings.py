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


PROVIDER = {"oidc_issuer": "https://login.example", "oidc_client_id": "bonafide"}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"oidc_issuer": "https://login.example"}, "oidc_client_id"),
        ({**PROVIDER, "oidc_issuer": "login.example"}, "http"),
        ({**PROVIDER, "oidc_issuer": "ftp://login.example"}, "http"),
        ({**PROVIDER, "oidc_issuer": "https://login.example/?tenant=1"}, "without a query"),
        ({**PROVIDER, "oidc_issuer": "https://ann@login.example"}, "without a user"),
        ({**PROVIDER, "oidc_issuer": "http://login.example"}, "must be https"),
        ({**PROVIDER, "oidc_issuer": "http://login.example", "oidc_private_address": "login.example:8080"}, "must be https"),
        ({**PROVIDER, "oidc_organization": "North"}, "oidc_default_role"),
        ({**PROVIDER, "oidc_default_role": "viewer"}, "oidc_organization"),
        ({**PROVIDER, "oidc_organization": "North", "oidc_default_role": "king"}, "oidc_default_role"),
        ({**PROVIDER, "oidc_allowed_domains": "ann@north.example"}, "oidc_allowed_domains"),
        ({**PROVIDER, "oidc_private_address": "login.example"}, "oidc_private_address"),
        ({"password_sign_in": False}, "nobody could sign in"),
    ],
)
def test_an_identity_provider_that_could_not_be_used_is_refused(given: dict[str, object], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Settings.model_validate(given)


def test_an_identity_provider_inside_may_be_without_https_if_it_is_named() -> None:
    given = {**PROVIDER, "oidc_issuer": "http://login.example:8080", "oidc_private_address": "login.example:8080"}
    assert Settings.model_validate(given).oidc_private_pair == ("login.example", 8080)
    settings = Settings.model_validate({**PROVIDER, "oidc_client_secret": "hush", "password_sign_in": False})
    assert settings.oidc_private_pair is None
    assert "hush" not in repr(settings)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"smtp_url": "smtp://mail.example"}, "needs mail_from"),
        ({"smtp_url": "https://mail.example", "mail_from": "a@b.example"}, "smtp://"),
        ({"smtp_url": "smtp://mail.example/inbox", "mail_from": "a@b.example"}, "smtp://"),
        ({"smtp_url": "smtp://ann@mail.example", "mail_from": "a@b.example"}, "a password"),
        ({"smtp_url": "smtp://mail.example:99999", "mail_from": "a@b.example"}, "smtp_url"),
        ({"mail_from": "alerts"}, "e-mail address"),
        ({"mail_from": "Alerts <a@b.example>\nBcc: c@d.example"}, "e-mail address"),
        ({"allow_private_targets": "10.0.0.1/8"}, "host bits"),
        ({"allow_private_targets": "relay@host"}, "host names"),
    ],
)
def test_a_mail_server_that_could_not_be_used_is_refused(given: dict[str, object], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Settings.model_validate(given)


def test_the_password_of_the_mail_server_is_not_shown() -> None:
    given = {"smtp_url": "smtp://relay:hush@mail.example", "mail_from": "Alerts <a@b.example>"}
    settings = Settings.model_validate({**given, "allow_private_targets": "relay.internal, 10.0.0.0/8"})
    assert "hush" not in repr(settings)
