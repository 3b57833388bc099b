"""`bonafide bench`: benchmarks of speed, memory and match quality, run on one machine.

Results are for comparison by people. The benchmarks assert nothing, and no test asserts a time.
"""

COMMANDS = {"bench": ("bonafide_bench.commands.bench:bench", "Measure speed, memory and match quality.")}
"""The commands that this package adds to the command line: target and help of each (`bonafide.cli.command_table`)."""
