"""Databases as earlier releases left them, with rows in every table that there was at the time.

`earlier_releases.json` holds rows as the code of then wrote them (of SQLite, with flags as JSON knows them; documents are
shortened), by the revision whose tables they are in. What the console's revisions brought stands here. A revision that creates
tables needs rows in them, here or there.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import URL, Connection, text

from bonafide.store.database.schema_migration import create_migration_engine, list_revisions, migrate

STORED = Path(__file__).with_suffix(".json")
KEY = "bf_test_EOdLhbzHvWyKY6Vib7zS4MLE4Dh0FqmjL2UaS4PMxjm0e0HxZ"
"""What the key of those rows is the digest of; nothing else knows it."""
USER, SESSION = UUID(int=20).hex, UUID(int=21).hex
AT, LATER = "2026-11-21T08:00:00.000001Z", "2031-01-01T00:00:00.000000Z"
OWNERSHIP = (
    '{"claimedBy":"declared","asOf":"2026-11-01","declaredBy":null,"parties":'
    '[{"id":"jane","kind":"person","name":"Jane Doe"}],"interests":[]}'
)
EVENT = (
    '{"business":null,"subject":{"kind":"business","id":null,"name":"Prairie Widgets Ltd.","jurisdiction":null,'
    '"registrationNumber":null,"source":null,"entryId":null},"changes":[],"source":null,"data":{},"resource":null}'
)
RISK_RULES = (
    '{"version":1,"status":"active","bands":[{"name":"low","from":0}],"rules":[{"id":"inactive","title":"Inactive",'
    '"when":"!registry.active","points":40,"unknownPoints":null,"reason":"The business is not active."}]}'
)
Rows = dict[str, list[dict[str, Any]]]


@cache
def stored() -> dict[str, Rows]:
    """The rows that each revision gets when it is reached."""
    earlier: dict[str, Rows] = json.loads(STORED.read_text("utf-8"))
    key = earlier["0001"]["api_keys"][0]
    demo = key["organization_id"]
    accounts_rows: Rows = {
        "users": [
            {"id": USER, "email": "ann@north.example", "name": "Ann É.", "language": "fr", "shortcuts": True, "created_at": AT},
        ],
        "identities": [{"issuer": "https://login.example", "subject": "ann", "user_id": USER, "bound_at": AT}],
        "memberships": [{"organization_id": demo, "user_id": USER, "role": "owner", "joined_at": AT}],
        "sessions": [
            {"id": SESSION, "digest": "a" * 64, "user_id": USER, "organization_id": demo, "browser": "Firefox"}
            | dict.fromkeys(("begun_at", "last_seen_at"), AT)
            | {"expires_at": LATER}
        ],
        "links": [
            {"id": UUID(int=22).hex, "digest": "b" * 64, "organization_id": demo, "email": "bob@north.example", "role": "viewer"}
            | {"made_by": "ann@north.example", "made_at": AT, "expires_at": LATER}
        ],
        "sign_in_attempts": [{"subject": "c" * 64, "failures": 3, "failed_at": AT, "paused_until": LATER}],
        "sign_ons": [{"state": "d" * 64, "browser": "e" * 64, "nonce": "n", "verifier": "v", "link": None, "expires_at": LATER}],
    }
    console: Rows = {
        "source_runs": [
            {"world": "sandbox", "source": "on", "finished_at": AT, "id": UUID(int=23).hex, "started_at": AT, "outcome": "loaded"}
            | {"entries": 1000, "rejected": 0, "note": None}
        ],
        "key_usage": [{"organization_id": demo, "key_id": key["id"], "day": "2026-11-21", "requests": 2**40, "refused": 1}],
    }
    shared: Rows = {
        "rate_windows": [{"caller": "f" * 64, "resets_at": 1_795_000_000, "used": 7}],
        "paces": [
            {"world": "live", "source": "bc", "free_at": 1.5, "rests_until": 0.0}
            | {"is_silent": False, "refusals": 1, "failures": 0}
        ],
    }
    published: Rows = {
        "published_generations": [
            {"world": "live", "source": "on", "sequence": 3, "description": "a" * 64, "previous": "b" * 64}
            | {"published_at": AT, "published_by": "north"}
        ],
        "leases": [{"name": "index live/on", "holder": "north", "until": LATER}],
    }
    screenings: Rows = {
        "screenings": [
            {"organization_id": demo, "id": UUID(int=24).hex, "query": "Zoë Ltd.", "folded_query": "zoe ltd.", "outcome": "clear"}
            | {"open_hits": 0, "subjects": 1, "screened_at": AT, "screened_by": "ann@north.example", "business_id": None}
            | {"document": "{}", "messages": None}
        ],
    }
    business = earlier["0003"]["businesses"][0]
    ownership: Rows = {
        "ownership_statements": [
            {"organization_id": demo, "business_id": business["id"], "claimed_by": "declared", "recorded_at": AT}
            | {"recorded_by": "ann@north.example", "document": OWNERSHIP}
        ],
    }
    of_business = {"organization_id": demo, "business_id": business["id"], "document": "{}"}
    reviews: Rows = {
        "business_documents": [{**of_business, "id": UUID(int=25).hex, "uploaded_at": AT}],
        "ownership_reviews": [{**of_business, "id": UUID(int=26).hex, "reviewed_at": AT}],
        "discrepancies": [
            {**of_business, "id": UUID(int=27).hex, "status": "open", "opened_at": AT, "due_at": LATER}
            | {"decided_at": None, "reminder_at": AT}
        ],
    }
    # Beside those that the migration computes from the record's document.
    traits: Rows = {"business_traits": [{"organization_id": demo, "key": "f" * 32, "business_id": business["id"]}]}
    events: Rows = {
        "event_heads": [{"organization_id": demo, "sequence": 1, "occurred_at": AT}],
        "events": [
            {"organization_id": demo, "sequence": 1, "id": UUID(int=28).hex, "type": "business.updated", "severity": "info"}
            | {"occurred_at": AT, "business_id": business["id"], "document": EVENT}
        ],
    }
    endpoint = {"organization_id": demo, "endpoint_id": UUID(int=30).hex}
    webhooks: Rows = {
        "webhook_endpoints": [
            {"organization_id": demo, "id": UUID(int=30).hex, "created_at": AT, "enabled": True, "is_failure_reported": False}
            | {"position": 1, "deliveries": 1, "due_at": LATER, "secret": {"hex": "0a0b"}, "document": "{}"}
        ],
        "webhook_deliveries": [
            {**endpoint, "number": 1, "id": UUID(int=31).hex, "sequence": 1, "event_id": UUID(int=28).hex}
            | {"event_type": "business.updated", "status": "failed", "created_at": AT, "attempts": 1, "next_attempt_at": LATER}
            | {"finished_at": None, "document": "[]"}
        ],
    }
    monitored = {"organization_id": demo, "business_id": UUID(int=32).hex}
    list_of_canada = {"source": "ca-sanctions-autonomous"}
    monitoring: Rows = {
        "monitored_records": [{**monitored, "watched_at": AT, "evaluated_at": AT, "parties": "{}", "evaluation": "{}"}],
        "monitored_hits": [{**monitored, **list_of_canada, "entry_hash": -7}],
        "monitored_entries": [{**monitored, "source": "on", "number": "1000017", "content_hash": 7, "snapshot": "{}"}],
        "monitoring_gaps": [{**monitored, **list_of_canada, "since": AT, "reason": "not loaded"}],
        "monitoring_runs": [
            {"world": "live", **list_of_canada, "number": 1, "id": UUID(int=33).hex, "generation": "a", "loaded_at": AT}
            | {"retrieved_at": AT, "started_at": AT, "finished_at": AT, "changes": 1, "hashes": {"hex": "0a0b"}}
        ],
        "monitoring_chunks": [{"organization_id": demo, "run_id": UUID(int=33).hex, "number": 1}],
        "monitoring_targets": [{**monitored, "run_id": UUID(int=33).hex, "queued_at": AT, "due_at": LATER, "attempts": 0}],
    }
    mail: Rows = {
        # The migration adds a position for each organization with events, which this one has none of.
        "mail_positions": [
            {"organization_id": earlier["0001"]["organizations"][1]["id"], "alert_position": 3, "digest_position": 2}
            | {"digested_at": AT}
        ],
        "mail_outbox": [
            {"organization_id": demo, "id": UUID(int=29).hex, "user_id": USER, "kind": "alert", "after_sequence": 0}
            | {"until_sequence": 1, "state": "pending", "created_at": AT, "due_at": LATER, "worker": None, "attempts": 1}
            | {"finished_at": None, "content": "{}", "log": "[]"}
        ],
    }
    announced: Rows = {
        "source_conditions": [{"world": "live", "source": "on", "problem": "failed", "is_stale": True}],
        "announcements": [
            {"id": UUID(int=34).hex, "world": "live", "number": 1, "announced_at": AT, "type": "source.failed", "document": "{}"}
        ],
        "alerts": [{"organization_id": demo, "sequence": 1, "acknowledged_at": AT, "acknowledged_by": USER, "note": "Known"}],
        "announced_releases": [{"day": "2026-11-21", "announced_at": AT}],
        "open_hits": [{"organization_id": demo, "business_id": business["id"], "key": "f" * 64, "document": "{}"}],
    }
    queried: Rows = {
        "monitored_queries": [
            {**monitored, "kind": "registry", "source": "ns", "target": "3001234", "planned_at": AT, "due_at": LATER}
            | {"overdue_at": LATER, "queried_at": AT, "attempts": 1, "problem": "unavailable", "has_changed": False}
        ],
        "monitoring_turns": [{"world": "live", "source": "ns", "next_at": AT}],
    }
    group = UUID(int=36).hex
    provisioned: Rows = {
        "provisioning_tokens": [
            {"organization_id": demo, "id": UUID(int=35).hex, "digest": "9" * 64, "label": "Entra", "prefix": "bf_scim_abcd"}
            | {"last4": "wxyz", "created_at": AT, "created_by": "ann@north.example"}
        ],
        "provisioned_users": [
            {"organization_id": demo, "user_id": USER, "user_name": "ann@north.example", "external_id": "a1", "created_at": AT}
            | {"modified_at": AT, "document": '{"userName":"ann@north.example","externalId":"a1"}'}
        ],
        "provisioned_groups": [
            {"organization_id": demo, "id": group, "display_name": "Owners", "folded_name": "owners", "role": "owner"}
            | {"created_at": AT, "modified_at": AT}
        ],
        "provisioned_group_members": [{"organization_id": demo, "group_id": group, "user_id": USER}],
    }
    case = {"organization_id": demo, "case_id": UUID(int=35).hex}
    part = {"created_at": AT, "document": "{}"}
    cases: Rows = {
        # The migration adds a position for each organization with events, which this one has none of.
        "case_positions": [
            {"organization_id": earlier["0001"]["organizations"][1]["id"], "position": 3, "last_number": 1},
        ],
        "cases": [
            {"organization_id": demo, "id": UUID(int=35).hex, "number": 1, "business_id": business["id"], "subject": business["id"]}
            | {"status": "in_second_review", "priority": "high", "assignee": "ann@north.example", "opened_at": AT, "due_at": LATER}
            | {"reminder_at": LATER, "updated_at": AT, "pending_decision_id": UUID(int=39).hex, "document": "{}"}
        ],
        "case_items": [
            {**case, "id": UUID(int=36).hex, "kind": "alert", "cause": "alert:1", "status": "open", "opened_at": AT}
            | {"sequence": 1, "document": "{}"}
        ],
        "case_notes": [{**case, "id": UUID(int=37).hex, **part}],
        "case_attachments": [{**case, "id": UUID(int=38).hex, **part}],
        "case_decisions": [{**case, "id": UUID(int=39).hex, **part}],
    }
    risk: Rows = {
        "risk_rules": [
            {"organization_id": demo, "version": 1, "status": "active", "saved_at": AT, "saved_by": "ann@north.example"}
            | {"activated_at": AT, "activated_by": "ann@north.example", "document": RISK_RULES}
        ],
        "risk_facts": [{"organization_id": demo, "business_id": business["id"], "document": '{"facts":[]}'}],
    }
    checks: Rows = {
        "manual_checks": [
            {"organization_id": demo, "id": UUID(int=50).hex, "subject": business["id"], "business_id": business["id"]}
            | {"source": "nl", "jurisdiction": "NL", "number": "77001", "seen_number": "77001", "status": "done"}
            | {"opened_at": AT, "due_at": LATER, "closed_at": AT, "seen_at": AT, "expires_at": LATER, "renew_at": LATER}
            | {"updated_at": AT, "document": "{}"}
        ],
        "manual_check_files": [
            {"organization_id": demo, "id": UUID(int=51).hex, "check_id": UUID(int=50).hex, "created_at": AT, "document": "{}"}
        ],
        "accepted_discrepancies": [
            {"organization_id": demo, "id": UUID(int=52).hex, "verification_id": UUID(int=53).hex, "field": "legalName"}
            | {"accepted_at": AT, "document": "{}"}
        ],
    }
    views: Rows = {
        "saved_views": [
            {
                "organization_id": demo,
                "id": UUID(int=60).hex,
                "list": "searches",
                "user_id": USER,
                "name": "Mine",
                "query": "text=a",
            }
            | {"is_default": True, "created_at": AT, "created_by": "ann@north.example"}
        ],
        "bulk_actions": [
            {"organization_id": demo, "id": UUID(int=61).hex, "kind": "screen", "requested_by": "ann@north.example"}
            | {"request_id": None, "language": "fr", "created_at": AT, "finished_at": AT}
        ],
        "bulk_items": [
            {"organization_id": demo, "action_id": UUID(int=61).hex, "position": 0, "business_id": business["id"]}
            | {"status": "done", "reason": None, "result_id": UUID(int=62).hex}
        ],
    }
    packs: Rows = {
        "packs": [
            {"organization_id": demo, "id": UUID(int=70).hex, "business_id": business["id"], "from_at": None, "to_at": None}
            | {"status": "ready", "requested_at": AT, "requested_by": "ann@north.example", "ready_at": AT, "expires_at": LATER}
            | {"build_id": UUID(int=71).hex, "purge_at": LATER, "problem": None, "document": "{}"}
        ],
    }
    batch = UUID(int=90).hex
    batched: Rows = {
        "batches": [
            {"organization_id": demo, "id": batch, "kind": "screen", "format": "csv", "status": "running", "created_at": AT}
            | {"created_by": "ann@north.example", "epoch": 1, "rows": 2, "partitions": 2, "partitions_done": 1, "done": 1}
            | {
                "last_enqueued": 1,
                "failed": 0,
                "started_at": AT,
                "resumed_at": AT,
                "finished_at": None,
                "purge_at": None,
                "problem": None,
            }
            | {"document": "{}"}
        ],
        "batch_partitions": [
            {"organization_id": demo, "batch_id": batch, "number": 0, "rows": 1}
            | {"attempt": UUID(int=91).hex, "failed": 0, "finished_at": AT},
            {"organization_id": demo, "batch_id": batch, "number": 1, "rows": 1}
            | {"attempt": None, "failed": None, "finished_at": None},
        ],
    }
    erasure = UUID(int=80).hex
    erased: Rows = {
        "erasures": [{"organization_id": demo, "id": erasure, "requested_at": AT, "requested_by": "ann@north.example"}],
        "erased_subjects": [{"organization_id": demo, "erasure_id": erasure, "subject": UUID(int=81).hex}],
        "file_deletions": [{"organization_id": demo, "name": f"pdf/{UUID(int=81)}/", "due_at": LATER, "attempts": 1}],
    }
    later = {"0014": screenings, "0015": ownership, "0016": reviews, "0018": traits, "0019": events}
    latest = {"0020": webhooks, "0021": monitoring, "0022": mail, "0023": announced, "0024": queried}
    latest |= {"0025": provisioned, "0026": cases, "0027": risk, "0029": checks}
    latest["0028"] = erased
    latest["0030"] = views
    latest["0031"] = packs
    latest["0033"] = {
        "legal_holds": [
            {"organization_id": demo, "business_id": business["id"], "reason": "File 118", "set_at": AT}
            | {"set_by": "ann@north.example"}
        ]
    }
    latest["0034"] = batched
    return {**earlier, "0006": accounts_rows, "0008": console, "0010": shared, "0011": published, **later, **latest}


def insert_stored(connection: Connection, revision: str) -> None:
    """What was written when this revision was the newest, as the driver takes it."""
    for table, rows in stored().get(revision, {}).items():
        for row in rows:
            values = {name: bytes.fromhex(value["hex"]) if isinstance(value, dict) else value for name, value in row.items()}
            columns, places = ", ".join(values), ", ".join(f":{name}" for name in values)
            connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({places})"), values)  # noqa: S608 - ours


def filled_up_to(url: URL, last: str) -> None:
    """A database that has lived through all revisions up to this one, and was used at each."""
    with create_migration_engine(url).begin() as connection:
        for revision in list_revisions():
            migrate(connection, revision)
            insert_stored(connection, revision)
            if revision == last:
                return
