"""`bonafide bench`: the commands that measure, one module each."""

from bonafide.cli.command_table import CommandEntry, CommandTable, create_lazy_group

COMMANDS = {
    "search": CommandEntry(
        "bonafide_bench.commands.search:search", "Measure each part of a search, as a ratio to a yardstick in the same run."
    ),
    "backup": CommandEntry(
        "bonafide_bench.commands.backup:backup", "Measure a backup of the configured database, its check, and its restore."
    ),
    "index": CommandEntry(
        "bonafide_bench.commands.index:index",
        "Measure the name index beside its yardsticks: build, memory, latency, recall, worst cases, growth.",
    ),
    "match": CommandEntry(
        "bonafide_bench.commands.match:match",
        "Measure the score: precision and recall on labelled pairs by category, and false matches of names in no register.",
    ),
    "naics": CommandEntry(
        "bonafide_bench.commands.naics:naics",
        "Measure the industry: how often the class of an official phrase is the first found, and among the first five.",
    ),
    "records": CommandEntry(
        "bonafide_bench.commands.records:records",
        "Measure business records: upserts, and pages of the change feed at its start and at its end.",
    ),
    "screen": CommandEntry(
        "bonafide_bench.commands.screen:screen",
        "Measure screening: time a name, names a second on one core, listed names found, and false alarms.",
    ),
    "pdf": CommandEntry(
        "bonafide_bench.commands.pdf:pdf",
        "Measure reports in print: the time of each, from the stored result to the bytes, and its size.",
    ),
    "website": CommandEntry(
        "bonafide_bench.commands.website:website",
        "Measure the reading of web sites: facts found and invented by kind, and the time of a site that answers at once.",
    ),
    "console": CommandEntry(
        "bonafide_bench.commands.console:console",
        "Measure the pages of the console and the documentation, as a ratio to a yardstick in the same run.",
    ),
    "load": CommandEntry(
        "bonafide_bench.commands.load:load",
        "Measure the service under load: reads as a share of what a bare application answers, searches at a given rate, memory.",
    ),
}
bench = create_lazy_group("bench", "Measure what the product costs and how well it finds.", CommandTable(COMMANDS))
