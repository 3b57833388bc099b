"""What libraries say of their failures, as the service logs it: their messages carry what logs must not.

Each is made to fail for real and logged with its traceback; `log_watch` looks at the line as at every other, and here its words are
looked for by name.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from pydantic import ValidationError
from sqlalchemy import URL, text
from sqlalchemy.exc import IntegrityError

from bonafide.errors import ConfigurationError
from bonafide.model.query import SearchRequest
from bonafide.net.fetch import Fetcher
from bonafide.observability.log import get_logger
from bonafide.settings import Settings
from bonafide.store.blobs.file_store import FileStore
from bonafide.store.database.engine import Store
from tests.support.servers.postgres import PostgresServer

pytestmark = pytest.mark.anyio
SECRET = "hunter2-hunter2"
PERSON = "Jane Quillwander"
Told = Callable[[Awaitable[object]], Awaitable[str]]
_log = get_logger("test")


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Waits for what must fail; gives all that was logged of it, with the traceback of the failure."""

    async def tell(failing: Awaitable[object]) -> str:
        capsys.readouterr()
        try:
            await failing
        except Exception as error:  # noqa: BLE001 - whatever a library raises
            _log.error("it failed", exc_info=error, problem=error)
        else:
            raise AssertionError("it did not fail")
        line = capsys.readouterr().err
        assert "it failed" in line
        return line

    return tell


async def test_a_database_that_refuses_the_password(postgres_server: PostgresServer, told: Told) -> None:
    url: URL = postgres_server.create_database().set(username="nobody", password=SECRET)
    store = Store.open(url.render_as_string(hide_password=False))
    line = await told(store.ping())
    assert SECRET not in line
    await store.close()


async def test_a_row_that_breaks_a_rule(store: Store, told: Told) -> None:
    async def insert_twice() -> None:
        async with store.write() as connection:
            await connection.execute(text("CREATE TEMPORARY TABLE t (name TEXT PRIMARY KEY)"))
            for _ in range(2):
                await connection.execute(text("INSERT INTO t VALUES (:name)"), {"name": PERSON})

    with pytest.raises(IntegrityError):
        await insert_twice()
    assert PERSON not in await told(insert_twice())


async def test_an_address_that_names_a_user(told: Told, tmp_path: Path) -> None:
    fetcher = Fetcher(Settings(data_dir=tmp_path, fetch_attempts=1), lambda: datetime.now(UTC))
    address = f"https://clerk:{SECRET}@127.0.0.1:9/x?token={SECRET}"
    line = await told(fetcher.read(address))
    assert SECRET not in line
    await fetcher.close()


async def test_a_bucket_that_can_not_be_reached(told: Told) -> None:
    options = {"endpoint": "http://127.0.0.1:9", "access_key_id": "AKIAQUILL", "secret_access_key": SECRET, "region": "x"}
    files = FileStore.open("s3://bucket/prefix", options)

    async def put() -> None:
        await files.put(uuid4(), "a.pdf", b"x", "application/pdf")

    line = await told(put())
    assert SECRET not in line


async def test_a_request_that_is_not_valid(told: Told) -> None:
    async def validate() -> None:
        SearchRequest.model_validate({"name": {"of": PERSON}, "businessId": PERSON})

    with pytest.raises(ValidationError):
        await validate()
    assert PERSON not in await told(validate())


def test_settings_that_are_not_valid_say_nothing_of_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BONAFIDE_SIGNING_KEY", SECRET)
    monkeypatch.setenv("BONAFIDE_LLM_KEY", SECRET)
    monkeypatch.setenv("BONAFIDE_LLM_URL", f"ftp://clerk:{SECRET}@x.example")
    monkeypatch.setenv("BONAFIDE_DATABASE_URL", f"postgresql://clerk:{SECRET}@x.example/b")
    with pytest.raises(ValidationError) as refusal:
        Settings()
    assert SECRET not in str(refusal.value)


@pytest.mark.parametrize("dsn", [f"mysql://clerk:{SECRET}@x/y", f"postgresql://clerk:{SECRET}@x:port/y", f"nothing {SECRET}"])
def test_a_database_address_that_is_none_is_not_repeated(dsn: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        Store.open(dsn)
    assert SECRET not in str(refusal.value)
