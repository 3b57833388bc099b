"""The documented programs of the client libraries run against the demo, with the libraries installed as users do."""

import json
import sys
import time
from pathlib import Path

import pytest

from bonafide.docs_site.api_reference import load_reference
from bonafide.docs_site.client_samples import render_typescript
from bonafide.model.webhooks import SigningMethod
from bonafide.services.webhooks.signatures import build_signed_headers, generate_secret
from tests.support.client_packages import (
    CLIENTS,
    TypescriptProject,
    find_python,
    install_python_client,
    install_typescript_client,
    require_node,
    run_program,
)
from tests.support.documented_examples import LOCAL, blocks
from tests.support.paths import ROOT
from tests.support.servers.service_processes import FirstRun, Service
from tests.support.session_cache import cached_folder

PAGE = ROOT / "docs" / "howto" / "client-libraries.md"
ONBOARDING = PAGE.with_name("onboard-a-customer.md")
README = {language: CLIENTS / language / "README.md" for language in ("python", "typescript")}
SIGNING = generate_secret(SigningMethod.ED25519)
RECEIVE = """
body, headers = DELIVERY
print("received", receive(body, headers), receive(body + b" ", headers))
"""
"""The continuation of the page: its receiver is called with a delivery, and with one that was changed."""


def read_programs(page: Path, language: str) -> list[str]:
    return [block.text for block in blocks(page) if block.language == language]


def read_whole_page(language: str) -> str:
    """The programs of the page, which continue each other. Languages write the same JSON differently: each has a key of its own."""
    return "\n".join(read_programs(PAGE, language)).replace("customer-1042", f"customer-1042-{language}")


def sign_delivery() -> tuple[bytes, dict[str, str]]:
    event = json.loads((ROOT / "src" / "bonafide" / "api" / "examples" / "event.json").read_text("utf-8"))
    body = json.dumps({"type": event["type"], "timestamp": event["occurredAt"], "data": event}).encode()
    return body, build_signed_headers(event["id"], int(time.time()), body, [SIGNING.stored])


def point_to(program: str, service: Service) -> str:
    return program.replace(LOCAL, service.url.removesuffix("/v1"))


@pytest.fixture
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with nothing but the Python client."""
    return find_python(cached_folder(tmp_path_factory, "python_client", install_python_client))


@pytest.fixture
def typescript(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> TypescriptProject:
    require_node()
    return TypescriptProject(tmp_path, cached_folder(tmp_path_factory, "typescript_client", install_typescript_client))


def check_quickstart(output: str) -> None:
    lines = output.splitlines()
    assert any(line.endswith("Sandbox Bakery Inc.") for line in lines)
    assert "discrepancies 1" in lines
    assert any(line.startswith("1 ") and "Sandbox Sanctioned Trading Ltd." in line for line in lines)


def check_page(output: str, folder: Path) -> None:
    lines = output.splitlines()
    assert any(line.endswith("Sandbox Bakery Inc.") for line in lines)
    assert any("search.completed" in line for line in lines)
    assert any(line.startswith("Continue at ") for line in lines)
    assert "completed 1" in lines
    assert any("VALIDATION_ERROR" in line or "NOT_FOUND" in line for line in lines)
    assert "Batch completed 2 0" in lines
    assert "Sandbox Sanctioned Trading Ltd." in (folder / "results.csv").read_text("utf-8")
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert "North Holdings Inc." in (folder / "ownership.svg").read_text("utf-8")


def run_python(python: Path, program: str, folder: Path, **variables: str) -> str:
    """What a program prints in an environment that does not have the packages of the tests."""
    return run_program([str(python), "-c", program], folder, PYTHONPATH="", **variables)


def check_onboarding(output: str) -> None:
    lines = output.splitlines()
    assert "Verification: discrepancies" in lines
    assert "To review: people.1: same name; found as President, not as Director" in lines
    assert "To review: Munir Marsoudan: 5 hits" in lines
    assert any(line.startswith("Still to review:") and "Munir" not in line for line in lines)
    assert "Case: approved" in lines
    assert any(line.startswith("Pack: ready ") for line in lines)


def test_the_programs_in_python_are_typed(python: Path, tmp_path: Path) -> None:
    programs = [*read_programs(README["python"], "python"), read_whole_page("python"), *read_programs(ONBOARDING, "python")]
    for number, program in enumerate(programs):
        (tmp_path / f"program_{number}.py").write_text(program, "utf-8")
    files = [path.name for path in tmp_path.glob("*.py")]
    run_program([sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python), *files], tmp_path, MYPYPATH="")


def test_the_quickstart_runs_in_python(python: Path, running_demo: Service, first_run: FirstRun, tmp_path: Path) -> None:
    quickstart, in_event_loop = (point_to(program, running_demo) for program in read_programs(README["python"], "python"))
    check_quickstart(run_python(python, quickstart, tmp_path, KEY=first_run.key))
    assert "Sandbox Cannabis Co. 1" in run_python(python, in_event_loop, tmp_path, KEY=first_run.key).splitlines()


def test_the_page_runs_in_python(python: Path, running_demo: Service, first_run: FirstRun, tmp_path: Path) -> None:
    program = point_to(read_whole_page("python"), running_demo) + RECEIVE.replace("DELIVERY", repr(sign_delivery()))
    output = run_python(python, program, tmp_path, KEY=first_run.key, WEBHOOK_KEY=str(SIGNING.public_key))
    check_page(output, tmp_path)
    assert "Sandbox Twin Holdings Inc. 2" in output.splitlines()
    assert "received 204 401" in output.splitlines()


def test_the_onboarding_runs_in_python(python: Path, running_demo: Service, first_run: FirstRun, tmp_path: Path) -> None:
    (program,) = read_programs(ONBOARDING, "python")
    check_onboarding(run_python(python, point_to(program, running_demo), tmp_path, KEY=first_run.key))


def test_the_programs_of_the_documentation_run_in_typescript(
    typescript: TypescriptProject, running_demo: Service, first_run: FirstRun
) -> None:
    (quickstart,) = read_programs(README["typescript"], "typescript")
    (onboarding,) = read_programs(ONBOARDING, "typescript")
    programs = {"quickstart": quickstart, "page": read_whole_page("typescript"), "onboarding": onboarding}
    typescript.compile({name: point_to(program, running_demo) for name, program in programs.items()})
    check_quickstart(typescript.start("quickstart", KEY=first_run.key))
    check_page(typescript.start("page", KEY=first_run.key), typescript.folder)
    check_onboarding(typescript.start("onboarding", KEY=first_run.key))


def test_the_examples_of_the_reference_are_typed_in_typescript(typescript: TypescriptProject) -> None:
    samples = [operation.sample for group in load_reference().groups for operation in group.operations]
    typescript.compile({sample.operation_id: render_typescript(sample, LOCAL) for sample in samples})
