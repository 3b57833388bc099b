"""`bonafide bench`: the commands that measure, one module each."""

import typer

from bonafide_bench.commands.backup import register_backup
from bonafide_bench.commands.console import register_console
from bonafide_bench.commands.index import register_index
from bonafide_bench.commands.load import register_load
from bonafide_bench.commands.match import register_match
from bonafide_bench.commands.naics import register_naics
from bonafide_bench.commands.pdf import register_pdf
from bonafide_bench.commands.records import register_records
from bonafide_bench.commands.screen import register_screen
from bonafide_bench.commands.search import register_search
from bonafide_bench.commands.website import register_website

bench_app = typer.Typer(help="Measure what the product costs and how well it finds.", no_args_is_help=True)
register_search(bench_app)
register_backup(bench_app)
register_index(bench_app)
register_match(bench_app)
register_naics(bench_app)
register_records(bench_app)
register_screen(bench_app)
register_pdf(bench_app)
register_website(bench_app)
register_console(bench_app)
register_load(bench_app)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(bench_app, name="bench")
