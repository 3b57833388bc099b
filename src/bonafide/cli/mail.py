"""`bonafide mail`: send a test mail, and list the mail of an organization."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out, print_table
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World

if TYPE_CHECKING:
    from bonafide.runtime import Runtime
    from bonafide.services.mail.log import MailRecord
    from bonafide.services.mail.sending import SentTestMail

app = typer.Typer(help=Message("Send a test mail, and list the mail about events."), no_args_is_help=True)
MAX_LISTED = 1000


@app.command("test")
def send_test(
    address: Annotated[str, typer.Argument(help=Message("The address to send the mail to."))],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Send a test mail through the configured mail server, and print what happened. Exit status 1 if it was not accepted."""
    from bonafide.model.accounts.users import is_email  # noqa: PLC0415 - slow imports, not needed for `--help`
    from bonafide.net.mail_client import MailResult  # noqa: PLC0415

    if not is_email(address):
        raise typer.BadParameter(localize(Message("'{text}' is not an email address.", text=address)))
    sent = run_with_runtime(data_dir, lambda runtime: _send_test(runtime, address))
    attempt = sent.attempt
    if as_json:
        print_json(
            {
                "result": attempt.result.value,
                "code": attempt.code,
                "response": attempt.problem,
                "encrypted": sent.is_encrypted,
            }
        )
    else:
        results = {
            MailResult.ACCEPTED: Message("The mail server accepted the mail."),
            MailResult.DEFERRED: Message("The mail server deferred the mail: try again later."),
            MailResult.REFUSED: Message("The mail server refused the mail."),
        }
        encryption = Message("The connection was encrypted.") if sent.is_encrypted else Message("The connection was not encrypted.")
        response = Message("Response: {response}", response=f"{attempt.code or ''} {attempt.problem}".strip())
        for line in (results[attempt.result], encryption, response):
            out.print(escape(localize(line)), highlight=False)
    if attempt.result is not MailResult.ACCEPTED:
        raise typer.Exit(1)


async def _send_test(runtime: "Runtime", address: str) -> "SentTestMail":
    from bonafide.console.mail.composition import compose_test_mail  # noqa: PLC0415 - as in `send_test`
    from bonafide.services.mail.sending import send_test_mail  # noqa: PLC0415

    return await send_test_mail(runtime, address, compose_test_mail)


@app.command("list")
def list_mail(
    organization: Annotated[str, typer.Option("--organization", help=Message("The organization."))],
    test: Annotated[bool, typer.Option("--test", help=Message("Use its sandbox organization."))] = False,
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, max=MAX_LISTED, help=Message("The number of mails."))] = 20,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List the last mails of an organization, newest first, with the last attempt of each."""
    world = World.SANDBOX if test else World.LIVE
    found = run_with_runtime(data_dir, lambda runtime: _list(runtime, organization, world, limit))
    if as_json:
        for mail in found:
            typer.echo(mail.to_json())
        return
    print_table(
        (
            *(Message("Prepared"), Message("Kind"), Message("Recipient")),
            *(Message("State"), Message("Attempts"), Message("Last response")),
        ),
        [
            (
                f"{mail.prepared_at:%Y-%m-%d %H:%M}",
                mail.kind.value,
                escape(mail.recipient if mail.recipient is not None else ""),
                mail.state,
                str(len(mail.attempts)),
                escape(f"{mail.attempts[-1].code or ''} {mail.attempts[-1].problem}".strip() if mail.attempts else ""),
            )
            for mail in found
        ],
    )


async def _list(runtime: "Runtime", name: str, world: World, limit: int) -> "list[MailRecord]":
    from bonafide.services.accounts.organizations import find_organization  # noqa: PLC0415 - as in `send_test`
    from bonafide.services.mail.log import list_mail_records  # noqa: PLC0415

    organization = await find_organization(runtime, name, world)
    return await list_mail_records(runtime, organization.id, limit)
