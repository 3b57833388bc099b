"""The command line: each command parses its options, calls one service and prints the result.

Output is text in the language of the locale or, with `--json`, JSON in English. Commands contain no business rules. A command's
module is imported when the command runs (`command_table`).
"""

import sys
from typing import NoReturn

from bonafide import __version__
from bonafide.cli.command_table import CommandEntry, CommandTable, create_lazy_group
from bonafide.cli.translation import localize
from bonafide.errors import BonafideError
from bonafide.i18n.message import Message
from bonafide.server.private_files import restrict_new_files

COMMANDS = {
    "search": CommandEntry("bonafide.cli.lookup:search", Message("Search business registers and regulators for a name.")),
    "screen": CommandEntry("bonafide.cli.lookup:screen", Message("Screen a name, or a file of names, against sanctions lists.")),
    "batch": CommandEntry("bonafide.cli.tables.batch:batch", Message("Search, verify or screen the rows of a file.")),
    "compare": CommandEntry("bonafide.cli.compare:compare", Message("Compare two names and explain the score.")),
    "verify": CommandEntry(
        "bonafide.cli.verify:verify", Message("Verify a business's name, number, address and people against its register.")
    ),
    "sync": CommandEntry(
        "bonafide.cli.loading:sync", Message("Load sources, or the industry classification (naics), from publishers or from files.")
    ),
    "sources": CommandEntry(
        "bonafide.cli.loading:sources", Message("List every source: loaded data, its age, and unavailable sources.")
    ),
    "serve": CommandEntry("bonafide.cli.serving.serve:serve", Message("Serve the HTTP API, the console and the documentation.")),
    "mcp": CommandEntry(
        "bonafide.cli.serving.mcp_server:mcp",
        Message("Serve the tools for language models over standard input and output (Model Context Protocol)."),
    ),
    "worker": CommandEntry(
        "bonafide.cli.serving.worker:worker", Message("Run queued searches, verifications and loads, and end overdue ones.")
    ),
    "migrate": CommandEntry("bonafide.cli.serving.worker:migrate", Message("Upgrade the database to this release.")),
    "backup": CommandEntry(
        "bonafide.cli.backup:backup", Message("Back up the database, the stored files and the signing key while the service runs.")
    ),
    "restore": CommandEntry(
        "bonafide.cli.backup:restore", Message("Restore a backup into an empty database. No service may be running on it.")
    ),
    "keys": CommandEntry("bonafide.cli.keys:app", Message("Create, list, revoke, rotate and change API keys.")),
    "users": CommandEntry("bonafide.cli.users:app", Message("Create, list, change and disable users of the console.")),
    "scim": CommandEntry(
        "bonafide.cli.scim:app",
        Message("Tokens for the identity provider of an organization, and the roles that its groups give."),
    ),
    "businesses": CommandEntry(
        "bonafide.cli.businesses:app", Message("Import and export the business records of an organization.")
    ),
    "export": CommandEntry(
        "bonafide.cli.tables.export:export",
        Message("Export searches, verifications, screenings, business records or events as a table."),
    ),
    "ownership": CommandEntry("bonafide.cli.ownership:app", Message("Import and export who owns and controls a business.")),
    "settings": CommandEntry("bonafide.cli.settings:app", Message("Show and change the default settings of an organization.")),
    "audit": CommandEntry("bonafide.cli.auditing.audit_logs:app", Message("Check the audit logs of records and settings.")),
    "retention": CommandEntry(
        "bonafide.cli.retention:app", Message("Delete old records, erase businesses and checks, and give space back.")
    ),
    "events": CommandEntry("bonafide.cli.events.tail:app", Message("Print what changes in an organization.")),
    "risk": CommandEntry("bonafide.cli.risk.rules:app", Message("Show, save, replay and activate risk rules.")),
    "monitor": CommandEntry("bonafide.cli.monitor:app", Message("Evaluate monitored records, and show the state of monitoring.")),
    "mail": CommandEntry("bonafide.cli.mail:app", Message("Send a test mail, and list the mail about events.")),
    "webhooks": CommandEntry(
        "bonafide.cli.events.webhooks:app",
        Message("Manage webhook endpoints and their deliveries; forward events to a local receiver."),
    ),
}
app = create_lazy_group(
    "bonafide",
    Message("Verify Canadian businesses: search registers, screen sanctions lists, compare customer data."),
    CommandTable(COMMANDS, "bonafide.commands"),
    __version__,
)


def main() -> None:
    """Run the command line. An expected failure, or one of the file system, becomes one sentence and exit status 1."""
    restrict_new_files()
    try:
        app(prog_name="bonafide")
    except BonafideError as error:
        fail(localize(error.message))
    except OSError as error:
        if error.strerror is None:
            raise
        fail(f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror)


def fail(sentence: str) -> NoReturn:
    """Print this sentence to standard error and end the process with status 1."""
    from rich.markup import escape  # noqa: PLC0415 - the help needs neither

    from bonafide.cli.output import err  # noqa: PLC0415

    err.print(f"[bold red]bonafide:[/] {escape(sentence)}", highlight=False, soft_wrap=True)
    sys.exit(1)
