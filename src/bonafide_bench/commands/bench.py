"""`bonafide bench`: the group of benchmark commands, one module each."""

from bonafide.cli.command_table import CommandEntry, CommandTable, create_lazy_group

COMMANDS = {
    "all": CommandEntry(
        "bonafide_bench.commands.all_benches:all_benches",
        "Run the performance benchmarks: index, screening, PDF reports, ownership, commits, search, load.",
    ),
    "search": CommandEntry(
        "bonafide_bench.commands.search:search", "Measure each part of a search, relative to a baseline in the same run."
    ),
    "batch": CommandEntry(
        "bonafide_bench.batches.command:batch",
        "Measure batches: rows per second on one core for each kind, and searches without and with a batch beside them.",
    ),
    "backup": CommandEntry(
        "bonafide_bench.commands.backup:backup", "Measure backup, verification and restore of the configured database."
    ),
    "commits": CommandEntry(
        "bonafide_bench.commands.commits:commits",
        "Measure commits on SQLite: not durable, with a write-out for each, and with shared write-outs, as the service does.",
    ),
    "index": CommandEntry(
        "bonafide_bench.commands.index:index",
        "Compare the name index with baseline engines: build, memory, latency, recall, worst cases, growth.",
    ),
    "match": CommandEntry(
        "bonafide_bench.commands.match:match",
        "Measure the score: precision and recall on labelled pairs by category, and false matches of unregistered names.",
    ),
    "fit": CommandEntry(
        "bonafide_bench.commands.fit:fit",
        "Fit the numbers of the score to the training parts of real names, within their ranges.",
    ),
    "naics": CommandEntry(
        "bonafide_bench.commands.naics:naics",
        "Measure industry classification: how often the class of a held-out phrase is the first candidate or in the first five.",
    ),
    "monitor": CommandEntry(
        "bonafide_bench.commands.monitor:monitor",
        "Measure the monitoring of parties: a day's changes in one process, and a reload in which every entry is new in several.",
    ),
    "ownership": CommandEntry(
        "bonafide_bench.commands.ownership:ownership",
        "Measure the roll-up of ownership structures with chains, cycles, bands, control without shares and unknown owners.",
    ),
    "records": CommandEntry(
        "bonafide_bench.commands.records:records",
        "Measure business records: upserts, and pages of the change feed at its start and at its end.",
    ),
    "screen": CommandEntry(
        "bonafide_bench.commands.screen:screen",
        "Measure screening: time per name, names per second on one core, recall of listed names, and false positives.",
    ),
    "pdf": CommandEntry(
        "bonafide_bench.commands.pdf:pdf",
        "Measure PDF reports: the time from the stored result to the PDF, and the size.",
    ),
    "website": CommandEntry(
        "bonafide_bench.commands.website:website",
        "Measure website analysis: recall and precision by kind of fact, and the time for a site that responds immediately.",
    ),
    "webhooks": CommandEntry(
        "bonafide_bench.commands.webhooks:webhooks",
        "Measure webhooks: deliveries per second of one worker process, and the delay of an event, with slow receivers beside.",
    ),
    "console": CommandEntry(
        "bonafide_bench.commands.console:console",
        "Measure the response times of the console and documentation pages, relative to a baseline in the same run.",
    ),
    "load": CommandEntry(
        "bonafide_bench.commands.load:load",
        "Measure the service under load: read throughput relative to a minimal application, searches at a given rate, memory.",
    ),
}
bench = create_lazy_group("bench", "Measure speed, memory and match quality.", CommandTable(COMMANDS))
