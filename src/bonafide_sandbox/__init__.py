"""Generate the sandbox, a fictional Canada, from a seed, write it in each publisher's file format, and serve it over HTTP.

This package does not know how the files are parsed. Sources and sandbox share only the file formats.
"""

COMMANDS = {
    "demo": ("bonafide_sandbox.commands:demo", "Run the service and a worker with sandbox data, and print how to call the API."),
    "sandbox": (
        "bonafide_sandbox.sandbox_group:sandbox",
        "Generate sandbox data, or let days pass in the sandbox of the demo.",
    ),
}
"""The commands that this package adds to the CLI, with target and help text (see `bonafide.cli.command_table`)."""
