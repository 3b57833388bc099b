"""Generate the sandbox, a fictional Canada, from a seed, write it in each publisher's file format, and serve it over HTTP.

This package does not know how the files are parsed. Sources and sandbox share only the file formats.
"""

COMMANDS = {
    "demo": ("bonafide_sandbox.commands:demo", "Run the service and a worker with sandbox data, and print how to call the API."),
    "sandbox": (
        "bonafide_sandbox.commands:sandbox",
        "Generate sandbox data: each source's files in its publisher's own format.",
    ),
}
"""The commands that this package adds to the CLI, with target and help text (see `bonafide.cli.command_table`)."""
