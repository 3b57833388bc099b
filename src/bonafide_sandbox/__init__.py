"""Generate a fictional Canada from a seed, write it in each publisher's file format, and serve it over HTTP.

This package does not know how the files are parsed. Sources and sandbox share only the file formats.
"""

COMMANDS = {
    "demo": ("bonafide_sandbox.commands:demo", "Run the service and a worker on a made-up Canada, and print how to call it."),
    "sandbox": (
        "bonafide_sandbox.commands:sandbox",
        "Write a made-up Canada: each source's files in its publisher's own format.",
    ),
}
"""The commands that this package adds to the CLI, with target and help text (see `bonafide.cli.command_table`)."""
