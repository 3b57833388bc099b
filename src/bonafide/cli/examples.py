"""Examples of each command for the end of its help. A test parses them."""

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "search": (
        'bonafide search "Sandbox Bakery" --sandbox',
        'bonafide search "Sandbox Bakery" -j ON -j FED --sanctions --json',
    ),
    "screen": (
        'bonafide screen "Sandbox Sanctioned Trading" --sandbox --fail-on hits',
        "bonafide screen --file names.csv --limit 3 > screened.csv",
    ),
    "batch": (
        "bonafide batch customers.csv --kind screen --out results.parquet",
        "bonafide batch suppliers.xlsx --kind verify --map name=Company --map registrationNumber=No --out results.xlsx",
        "bonafide batch names.jsonl --kind search -j ON -j FED --limit 1 --out results.jsonl --sandbox",
    ),
    "compare": (
        'bonafide compare "Sandbox Bakery Inc." "Sandbox Bakeries Ltd."',
        'bonafide compare "Bob Tremblay" "Robert Tremblay" --kind person',
    ),
    "verify": (
        'bonafide verify "Sandbox Bakery Inc." -j ON --number 1000017 --city Toronto --sandbox',
        'bonafide verify "Sandbox Bakery Inc." -j ON --number 1000017 --person "Luc Beauvallon:Secretary" --fail-on discrepancies',
    ),
    "sync": (
        "bonafide sync",
        "bonafide sync fed cbr",
        "bonafide sync ns --file registrations.csv --mapping registrations.yml --as-of 2026-11-20",
    ),
    "sources": ("bonafide sources", "bonafide sources --sandbox --json"),
    "serve": ("bonafide serve --host 0.0.0.0 --port 8080 --processes 2",),
    "mcp": ("bonafide mcp --sandbox", "bonafide mcp --url https://bonafide.example"),
    "worker": ("bonafide worker --metrics-port 9100",),
    "migrate": ("bonafide migrate",),
    "backup": ("bonafide backup /backups/2026-11-22", "bonafide backup /backups/2026-11-22 --check"),
    "restore": ("bonafide restore /backups/2026-11-22 --data-dir ./restored",),
    "keys create": (
        "bonafide keys create --organization North --owner ops@north.example --expires-in 90d",
        "bonafide keys create --organization North --scopes search:read,search:write --test",
    ),
    "keys list": ("bonafide keys list --json",),
    "keys revoke": ("bonafide keys revoke 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11",),
    "keys rotate": ("bonafide keys rotate 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11 --overlap 24h",),
    "keys set": ("bonafide keys set 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11 --rate-limit 120",),
    "users create": ("bonafide users create --organization North --email ann@north.example --role owner",),
    "users list": ("bonafide users list --organization North",),
    "users link": ("bonafide users link ann@north.example",),
    "users role": ("bonafide users role ann@north.example viewer --organization North",),
    "users disable": ("bonafide users disable ann@north.example",),
    "users enable": ("bonafide users enable ann@north.example",),
    "users unbind": ("bonafide users unbind ann@north.example",),
    "scim token create": ('bonafide scim token create --organization North --label "Entra ID" --expires-in 365d',),
    "scim token list": ("bonafide scim token list --json",),
    "scim token revoke": ("bonafide scim token revoke 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11",),
    "scim group list": ("bonafide scim group list --organization North",),
    "scim group role": ('bonafide scim group role "Compliance" analyst --organization North',),
    "businesses import": (
        "bonafide businesses import records.csv --organization North --dry-run",
        "bonafide businesses import records.jsonl --organization North",
    ),
    "businesses export": ("bonafide businesses export records.csv --organization North --delimiter ';' --bom",),
    "export": (
        "bonafide export screenings --organization Acme --since 2026-11-01 --out screenings.parquet",
        "bonafide export events --organization Acme --test --format jsonl > events.jsonl",
    ),
    "ownership import": (
        "bonafide ownership import own.csv --business 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11 --organization North --as-of 2026-11-01",
        "bonafide ownership import statements.json --business 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11 --organization North",
    ),
    "ownership export": (
        "bonafide ownership export 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11 owners.json --organization North --format bods",
    ),
    "risk rules": ("bonafide risk rules --organization North",),
    "risk save": ("bonafide risk save rules.yml --organization North",),
    "risk replay": ("bonafide risk replay 2 --organization North --since 2026-10-01",),
    "risk activate": ("bonafide risk activate 2 --organization North",),
    "monitor run": ("bonafide monitor run",),
    "monitor status": ("bonafide monitor status --organization North",),
    "mail test": ("bonafide mail test ann@north.example",),
    "mail list": ("bonafide mail list --organization North -n 50",),
    "settings show": ("bonafide settings show --organization North",),
    "settings set": ("bonafide settings set search.sanctionsScreening=true branding.logo=@logo.png --organization North",),
    "events tail": (
        "bonafide events tail --organization North --follow",
        "bonafide events tail --organization North -n 100 --json",
    ),
    "webhooks list": ("bonafide webhooks list --organization North",),
    "webhooks add": (
        "bonafide webhooks add https://hooks.example.com/bonafide --organization North --min-severity medium",
        "bonafide webhooks add https://hooks.example.com/hits --organization North --type screening.hit_found --test",
    ),
    "webhooks rotate": ("bonafide webhooks rotate 5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d --organization North --overlap 24h",),
    "webhooks pause": ("bonafide webhooks pause 5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d --organization North",),
    "webhooks resume": ("bonafide webhooks resume 5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d --organization North",),
    "webhooks remove": ("bonafide webhooks remove 5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d --organization North",),
    "webhooks test": ("bonafide webhooks test 5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d --organization North",),
    "webhooks deliveries": ("bonafide webhooks deliveries 5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d --organization North -n 50",),
    "webhooks replay": ("bonafide webhooks replay 5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d --organization North --since 2026-11-20",),
    "webhooks listen": (
        "bonafide webhooks listen --organization North --forward http://127.0.0.1:3000",
        "bonafide webhooks listen --url https://bonafide.example --forward http://127.0.0.1:3000",
    ),
    "retention run": ("bonafide retention run --dry-run", "bonafide retention run --organization North --json"),
    "retention hold": (
        "bonafide retention hold 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11 --organization North --reason 'Court file 118'",
    ),
    "retention lift-hold": (
        "bonafide retention lift-hold 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11 --organization North --reason 'Settled'",
    ),
    "retention vacuum": ("bonafide retention vacuum",),
    "retention erase": (
        "bonafide retention erase business 6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11 --organization North --reason 'File 2026-118'",
    ),
    "audit verify": (
        "bonafide audit verify",
        "bonafide audit verify --organization North --json",
        "bonafide audit verify --pack examiners-pack.zip",
    ),
}
"""By the words of the command."""
