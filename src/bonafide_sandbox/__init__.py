"""The made-up Canada: businesses from one seed, written in each publisher's own file format, and a server that publishes them.

Nothing here knows how the files are read: sources and sandbox meet in the formats alone.
"""

COMMANDS = {
    "demo": ("bonafide_sandbox.commands:demo", "Run the service and a worker on a made-up Canada, and print how to call it."),
    "sandbox": (
        "bonafide_sandbox.commands:sandbox",
        "Write a made-up Canada: each source's files in its publisher's own format.",
    ),
}
"""What the package adds to the command line: the target and the help of each command (`bonafide.cli.command_table`)."""
