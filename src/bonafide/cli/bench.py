"""`bonafide bench`: the commands that measure, one module each."""

import typer

from bonafide.cli.bench_backup import register_backup
from bonafide.cli.bench_console import register_console
from bonafide.cli.bench_index import register_index
from bonafide.cli.bench_load import register_load
from bonafide.cli.bench_match import register_match
from bonafide.cli.bench_naics import register_naics
from bonafide.cli.bench_pdf import register_pdf
from bonafide.cli.bench_records import register_records
from bonafide.cli.bench_screen import register_screen
from bonafide.cli.bench_search import register_search
from bonafide.cli.bench_website import register_website

app = typer.Typer(help="Measure what the product costs and how well it finds.", no_args_is_help=True)
register_search(app)
register_backup(app)
register_index(app)
register_match(app)
register_naics(app)
register_records(app)
register_screen(app)
register_pdf(app)
register_website(app)
register_console(app)
register_load(app)
