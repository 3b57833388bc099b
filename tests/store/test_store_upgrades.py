"""Databases of every release there was, with rows in every table, brought up to date: nothing is lost, all of it is readable."""

import json
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Connection, inspect, text

from bonafide.errors import ConfigurationError
from bonafide.i18n.language import Language
from bonafide.matching.connections.connection_keys import list_record_traits
from bonafide.model.accounts.organizations import World
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import CallerFields, MainAddress, RecordPerson
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.verification.results import ResultStatus, VerifyResponse
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.accounts import api_access, members, organizations
from bonafide.services.loading import load_history
from bonafide.services.records import audit_check, business_records, change_feed
from bonafide.services.reports import business_reports
from bonafide.services.screening import dismissals
from bonafide.services.search import execution, history
from bonafide.services.verification import lifecycle
from bonafide.settings import Settings
from bonafide.store.database.engine import parse_database_url
from bonafide.store.database.schema_migration import create_migration_engine, downgrade, list_revisions, migrate, upgrade
from bonafide.store.database.tables import metadata
from bonafide.store.records import businesses
from bonafide.store.records.businesses import RecordFilter
from bonafide.store.records.searches import HistoryFilter
from bonafide.store.tenants import key_usage
from tests.support.sampling import mark_sample
from tests.support.store.earlier_releases import KEY, filled_up_to, stored

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
ADDED_SCOPES = ("events:read", "cases:read", "cases:write", "risk:read", "risk:write", "batches:read", "batches:write")
"""What a key with every scope gets by later revisions."""


def contents(connection: Connection) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table, as the database spells it, by what comes first in it."""
    found = {}
    for name in set(inspect(connection).get_table_names()) - {"alembic_version"}:
        rows = connection.execute(text(f"SELECT * FROM {name}")).mappings()  # noqa: S608 - our own tables
        found[name] = sorted(map(dict, rows), key=str)
    return found


def test_every_revision_that_creates_tables_gets_rows_in_all_of_them(empty_database_url: str) -> None:
    with create_migration_engine(parse_database_url(empty_database_url)).begin() as connection:
        there: set[str] = {"alembic_version"}
        for revision in list_revisions():
            migrate(connection, revision)
            created = set(inspect(connection).get_table_names()) - there
            there |= created
            assert created == set(stored().get(revision, {})), f"what did a release of {revision} write? Add it here"
    assert there - {"alembic_version"} == set(metadata.tables)


@pytest.mark.slow
def test_step_by_step_and_at_once_give_the_same(empty_database_url: str) -> None:
    """Rows of the first release, which met every migration."""
    url = parse_database_url(empty_database_url)
    outcomes = []
    for steps in (list_revisions()[1:], list_revisions()[-1:]):
        filled_up_to(parse_database_url(empty_database_url), list_revisions()[0])
        for revision in steps:
            upgrade(url, revision)
        with create_migration_engine(url).begin() as connection:
            outcomes.append(contents(connection))
            downgrade(connection, "base")
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]["searches"]


@pytest.mark.slow
@pytest.mark.parametrize("revision", mark_sample(list_revisions(), 4))
def test_no_migration_loses_a_row_or_a_value_whatever_release_it_comes_from(revision: str, empty_database_url: str) -> None:
    """But for what is cut to fit an index, which 0007 does, and for keys with every scope, which get those that are added."""
    url = parse_database_url(empty_database_url)
    filled_up_to(parse_database_url(empty_database_url), revision)
    with create_migration_engine(url).begin() as connection:
        before = contents(connection)
        migrate(connection)
        after = contents(connection)
    for name, rows in before.items():
        kept = [{column: _migrate_value(column, value) for column, value in row.items()} for row in rows]
        columns = list(rows[0])
        assert sorted(kept, key=str) == sorted(({column: row[column] for column in columns} for row in after[name]), key=str), name


def _migrate_value(column: str, value: Any) -> Any:
    if column == "scopes":
        return " ".join([value, *(scope for scope in ADDED_SCOPES if scope not in value.split())])
    return value[:500] if column == "folded_query" else value


async def test_a_key_gets_the_new_scopes_of_what_it_could_read_and_do(empty_database_url: str) -> None:
    url = parse_database_url(empty_database_url)
    filled_up_to(parse_database_url(empty_database_url), "0018")
    with create_migration_engine(url).begin() as connection:
        every = connection.execute(text("SELECT scopes FROM api_keys")).scalar_one()
        connection.execute(text("UPDATE api_keys SET scopes = 'search:read search:write'"))
        migrate(connection)
        assert connection.execute(text("SELECT scopes FROM api_keys")).scalar_one() == "search:read search:write"
        downgrade(connection, "0018")
        connection.execute(text("UPDATE api_keys SET scopes = :every"), {"every": every})
        migrate(connection)
        assert connection.execute(text("SELECT scopes FROM api_keys")).scalar_one().split() == [*every.split(), *ADDED_SCOPES]
        downgrade(connection, "0018")
        assert connection.execute(text("SELECT scopes FROM api_keys")).scalar_one() == every
        reader = "search:read verify:read businesses:read sanctions:read events:read"
        connection.execute(text("UPDATE api_keys SET scopes = :reader"), {"reader": reader})
        migrate(connection)
        assert connection.execute(text("SELECT scopes FROM api_keys")).scalar_one() == f"{reader} cases:read batches:read"


@pytest.mark.slow
def test_each_migration_can_be_taken_back_over_rows(empty_database_url: str) -> None:
    """What later revisions added is gone; what was there before them stays, and goes up again to what it was."""
    url = parse_database_url(empty_database_url)
    filled_up_to(parse_database_url(empty_database_url), list_revisions()[-1])
    with create_migration_engine(url).begin() as connection:
        full = contents(connection)
        for revision in reversed(list_revisions()[:-1]):
            downgrade(connection, revision)
            for name, rows in contents(connection).items():
                assert len(rows) == len(full[name]), (revision, name)
        migrate(connection)
        again = contents(connection)
        assert again["searches"] == full["searches"]
        assert again["api_keys"] == full["api_keys"]


@pytest.mark.slow
def test_records_of_earlier_releases_get_the_keys_of_what_they_share(empty_database_url: str) -> None:
    organization, business = UUID(int=1).hex, UUID(int=2).hex
    # Earlier releases accepted invisible characters.
    address = MainAddress(street="9 Elm\u200b Street", city="Guelph", province="ON")
    record = CallerFields(phone_number="416 555 0123", people=(RecordPerson(name="Ada Okafor"),), address=address)
    with create_migration_engine(parse_database_url(empty_database_url)).begin() as connection:
        migrate(connection, "0017")
        connection.execute(
            text("INSERT INTO organizations (id, name, world, created_at) VALUES (:id, 'North', 'live', :at)"),
            {"id": organization, "at": NOW.isoformat()},
        )
        columns = "organization_id, id, is_monitored, is_archived, updated_at, document"
        connection.execute(
            text(f"INSERT INTO businesses ({columns}) VALUES (:of, :id, false, false, :at, :document)"),  # noqa: S608 - ours
            {"of": organization, "id": business, "at": NOW.isoformat(), "document": record.to_json()},
        )
        migrate(connection, "0018")
        kept = connection.execute(text("SELECT key FROM business_traits")).scalars().all()
        assert sorted(kept) == sorted(key for trait in list_record_traits(record) for key in trait.keys)
        assert len(kept) == 3


async def test_a_migration_that_fails_over_rows_leaves_them_as_they_were(empty_database_url: str) -> None:
    url = parse_database_url(empty_database_url)
    filled_up_to(parse_database_url(empty_database_url), "0006")
    with create_migration_engine(url).begin() as connection:
        connection.execute(text("UPDATE verifications SET document = '{' WHERE document IS NOT NULL"))
        before = contents(connection)
    with pytest.raises(Exception, match=r"(?i)json"):
        upgrade(url)
    with create_migration_engine(url).begin() as connection:
        assert contents(connection) == before
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "0006"


def test_an_upgrade_to_a_revision_that_nobody_knows_is_refused(empty_database_url: str) -> None:
    with pytest.raises(ConfigurationError, match="7777"):
        upgrade(parse_database_url(empty_database_url), "7777")


# ------------------------------------------------------------------------------------------------------------ today's services


@pytest.fixture
async def runtime(empty_database_url: str, tmp_path: Path) -> AsyncIterator[Runtime]:
    """Today's release on a database that was used at every revision there was."""
    filled_up_to(parse_database_url(empty_database_url), list_revisions()[-1])
    settings = Settings(data_dir=tmp_path, database_url=empty_database_url)
    async with open_runtime(settings, clock=lambda: NOW) as opened:
        yield opened


def of(revision: str, table: str) -> Iterator[tuple[UUID, dict[str, Any]]]:
    return ((UUID(row["id"]), row) for row in stored()[revision][table])


async def test_todays_services_read_what_every_release_has_written(runtime: Runtime) -> None:
    principal = await api_access.authenticate(runtime, KEY)
    mine = principal.organization_id
    assert principal.world is World.SANDBOX
    await check_searches(runtime, mine)
    await check_records(runtime, mine)
    ((verification_id, done),) = [found for found in of("0005", "verifications") if found[1]["document"] is not None]
    verified = await lifecycle.read_verification(runtime, mine, verification_id, Language.ENGLISH)
    assert isinstance(verified, VerifyResponse)
    assert verified.meta.verification_id == verification_id
    listed = await lifecycle.list_past_verifications(runtime, mine, 25)
    assert {item.id for item in listed.verifications} == {found for found, _ in of("0005", "verifications")}
    assert ResultStatus(json.loads(done["document"])["results"]["status"]) in {item.outcome for item in listed.verifications}
    ((report_id, row),) = of("0002", "extracts")
    assert (await business_reports.read_report(runtime, mine, report_id)).legal_name == json.loads(row["document"])["legalName"]
    for dismissal_id, _ in of("0004", "dismissals"):
        assert (await dismissals.read_dismissal(runtime, mine, dismissal_id)).id == dismissal_id
    assert (await organizations.read_settings(runtime, mine)).search.sanctions_screening is True
    (run,) = await load_history.list_runs(runtime, World.SANDBOX, "on")
    assert run.entries == 1000
    async with runtime.store.read() as connection:
        (usage,) = (await key_usage.list_daily_requests(connection, mine, date(2026, 11, 1), date(2026, 11, 30))).values()
    assert usage[date(2026, 11, 21)].made == 2**40
    (user,) = await members.list_users(runtime, None)
    assert (user.user.email, user.user.name) == ("ann@north.example", "Ann É.")


async def check_searches(runtime: Runtime, mine: UUID) -> None:
    for search_id, row in of("0001", "searches"):
        document = await execution.read_search(runtime, mine, search_id)
        assert row["document"] is None or document.body == row["document"]
        opened = await execution.open_search(runtime, mine, search_id)
        assert opened.result.meta.search_id == search_id or row["document"] is None
    listed = await history.list_search_history(runtime, mine, HistoryFilter(), 25, 0)
    assert {item.id for item in listed.searches} == {search_id for search_id, _ in of("0001", "searches")}
    found = await history.list_past_searches(runtime, mine, HistoryFilter("bakery", jurisdiction=Jurisdiction.ON), 25)
    assert [(past.item.status, past.selection) for past in found.searches] == [
        (SearchStatus.COMPLETED, SelectionStatus.AUTO_SELECTED)
    ]


async def check_records(runtime: Runtime, mine: UUID) -> None:
    trail = await audit_check.verify_audit_log(runtime, mine)
    assert (trail.is_whole, trail.entries) == (True, len(stored()["0003"]["audit_entries"]))
    for business_id, row in of("0003", "businesses"):
        record = await business_records.find_record(runtime, mine, business_id=business_id)
        assert record.external_id == row["external_id"]
        assert (await change_feed.read_audit_log(runtime, mine, business_id, 25, 0)).pagination.total > 0
    # By what 0009 has written beside the records.
    async with runtime.store.read() as connection:
        documents = await businesses.list_page(connection, mine, RecordFilter("CLIENT-1043"), 25, None)
    assert [json.loads(document)["externalId"] for document in documents] == ["client-1043"]
