"""What the product costs and how well it finds, measured on one machine in one run: `bonafide bench`.

Figures are for people to compare. Nothing is asserted here, and no test asserts a time.
"""

COMMANDS = {"bench": ("bonafide_bench.commands.bench:bench", "Measure what the product costs and how well it finds.")}
"""What the package adds to the command line: the target and the help of each command (`bonafide.cli.command_table`)."""
