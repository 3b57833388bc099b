"""A command imports what it needs and no other command.

What a process has imported is looked at in a process of its own.
"""

import subprocess
import sys

import pytest

HEAVY = (
    *("sqlalchemy", "alembic", "numpy", "fastapi", "pyarrow", "xlwt"),
    *("bonafide.runtime", "bonafide.settings", "bonafide_sandbox.writers"),
)
AFTER = """
import atexit, sys
from bonafide.cli import main
atexit.register(lambda: print("imported:", *sorted(sys.modules)))
sys.argv = ["bonafide", *sys.argv[1:]]
main()
"""


def _run(*words: str) -> tuple[str, set[str]]:
    """What a command prints, and the modules that it has imported."""
    done = subprocess.run([sys.executable, "-c", AFTER, *words], capture_output=True, text=True, check=True)  # noqa: S603 - our own words
    printed, _, modules = done.stdout.partition("imported:")
    return printed, set(modules.split())


def test_the_help_imports_no_command_and_none_of_the_service() -> None:
    printed, modules = _run("--help")
    assert "compare" in printed
    assert "demo" in printed
    assert "bonafide.cli.command_table" in modules
    assert modules.isdisjoint((*HEAVY, "rich", "pydantic"))
    assert {name for name in modules if name.startswith("bonafide.cli.")} == {
        "bonafide.cli.command_table",
        "bonafide.cli.examples",
        "bonafide.cli.translation",
    }
    assert {name for name in modules if name.startswith(("bonafide_sandbox", "bonafide_bench"))} == {
        "bonafide_sandbox",
        "bonafide_bench",
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["business", "person"])
def test_comparing_names_imports_none_of_the_service(kind: str) -> None:
    printed, modules = _run("compare", "Northern Lights Ltd", "Northern Light Limited", "--kind", kind)
    assert printed.startswith("0.")
    assert modules.isdisjoint((*HEAVY, "rich", "bonafide_sandbox", "bonafide_bench"))


def test_a_command_of_another_package_is_not_imported_with_its_neighbours() -> None:
    printed, modules = _run("bench", "--help")
    assert "website" in printed
    assert modules.isdisjoint(HEAVY)
    assert {name for name in modules if name.startswith("bonafide_bench.commands.")} == {"bonafide_bench.commands.bench"}


ABSENT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("bonafide_sandbox", "bonafide_bench", "xlwt", "tantivy"):
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
"""


def _run_without_the_other_packages(program: str, *words: str) -> str:
    done = subprocess.run([sys.executable, "-c", ABSENT + program, *words], capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout


@pytest.mark.slow
def test_without_the_sandbox_and_the_benchmarks_the_service_starts() -> None:
    program = "import bonafide.app.application, bonafide.asgi, bonafide.runtime\nprint(bonafide.runtime.load_failure_simulator())"
    assert "NoSimulatedFailures" in _run_without_the_other_packages(program)


def test_without_the_sandbox_and_the_benchmarks_their_commands_are_not_there() -> None:
    program = "from bonafide.cli import main\nsys.argv = ['bonafide', *sys.argv[1:]]\nmain()"
    printed = _run_without_the_other_packages(program, "--help")
    assert "compare" in printed
    assert "demo" not in printed
    assert "bench" not in printed
