"""Migration 0007 on a database that has searches and verifications already: what stands in their documents is read out of them."""

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import SelectionStatus
from bonafide.model.verification.results import ResultStatus
from bonafide.store.database.engine import Store
from bonafide.store.database.schema_migration import MIGRATIONS
from bonafide.store.records import searches, verifications
from tests.support.store.rows import NOW

pytestmark = pytest.mark.anyio
BEFORE = "0006"
ONE, TWO = str(uuid4()), str(uuid4())
MATCHES = [{"matchId": ONE, "jurisdiction": "ON"}, {"matchId": TWO, "jurisdiction": "QC"}]
SEARCH = """INSERT INTO searches (organization_id, id, query, folded_query, request, status, archived, searched_at, searched_by,
    deadline_at, finished_at, document)
    VALUES (:organization, :id, 'x', :folded, '{}', 'completed', :archived, :at, 'ann', :at, :at, :document)"""
VERIFICATION = """INSERT INTO verifications (organization_id, id, state, request, created_at, deadline_at, finished_at, document)
    VALUES (:organization, :id, 'completed', '{}', :at, :at, :at, :document)"""


def _migrate(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _selection(status: str, chosen: str | None = None) -> dict[str, Any]:
    return {"businesses": MATCHES, "matchSelection": {"status": status, "selectedMatchId": chosen}}


DOCUMENTS: list[tuple[dict[str, Any] | None, SelectionStatus | None, Jurisdiction | None]] = [
    (_selection("selected", TWO), SelectionStatus.SELECTED, Jurisdiction.QC),
    (_selection("auto_selected", ONE), SelectionStatus.AUTO_SELECTED, Jurisdiction.ON),
    (_selection("needs_review"), SelectionStatus.NEEDS_REVIEW, Jurisdiction.ON),
    (_selection("no_match_found"), SelectionStatus.NO_MATCH_FOUND, None),
    ({"businesses": MATCHES}, None, Jurisdiction.ON),
    ({"businesses": []}, None, None),
    ({"businesses": None}, None, None),
    (None, None, None),
]


def _kept_as(connection: Connection, organization_id: UUID) -> dict[str, object]:
    """How this database keeps what the rows of the test have."""
    is_sqlite = connection.dialect.name == "sqlite"
    at = NOW.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if is_sqlite else NOW
    return {"organization": organization_id.hex if is_sqlite else organization_id, "at": at, "archived": 0 if is_sqlite else False}


def _fill(connection: Connection, organization_id: UUID, ids: list[UUID]) -> None:
    kept = _kept_as(connection, organization_id)
    connection.execute(
        text("INSERT INTO organizations (id, name, world, created_at) VALUES (:organization, 'north', 'sandbox', :at)"), kept
    )
    for id_, (document, _, _) in zip(ids, DOCUMENTS, strict=True):
        row_id = id_.hex if connection.dialect.name == "sqlite" else id_
        stored = json.dumps(document) if document is not None else None
        connection.execute(text(SEARCH), {**kept, "id": row_id, "document": stored, "folded": "x" * 600})
    result = json.dumps({"results": {"status": "inactive"}})
    connection.execute(text(VERIFICATION), {**kept, "id": kept["organization"], "document": result})


async def test_existing_rows_are_filled_from_their_documents(empty_database_url: str) -> None:
    store = Store.open(empty_database_url)
    organization_id, ids = uuid4(), [uuid4() for _ in DOCUMENTS]
    async with store.write() as connection:
        await connection.run_sync(_migrate, BEFORE)
        await connection.run_sync(_fill, organization_id, ids)
    await store.migrate()
    async with store.read() as connection:
        rows = [await searches.get(connection, organization_id, id_) for id_ in ids]
        verification = await verifications.get(connection, organization_id, organization_id)
        longest = (await connection.execute(text("SELECT max(length(folded_query)) FROM searches"))).scalar_one()
    assert [(row.selection, row.jurisdiction) for row in rows if row is not None] == [found[1:] for found in DOCUMENTS]
    assert {(row.decided_by, row.decided_at) for row in rows if row is not None} == {(None, None)}
    assert verification is not None
    assert verification.outcome is ResultStatus.INACTIVE
    assert longest == searches.FOLDED_CHARACTERS
    await store.close()
