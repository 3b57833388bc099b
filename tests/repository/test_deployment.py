"""What `deploy/`, `compose.yaml` and `Dockerfile` say is true of the program: its settings, and what the proxy understands."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from bonafide.settings import Settings
from tests.support.paths import ROOT
from tests.support.servers.haproxy import CONFIGURATION, MISSING, program

FILES = ("compose.yaml", "Dockerfile", "deploy/haproxy.cfg", "deploy/pgbouncer.ini", "deploy/fleet.env.example")
BUILD_VARIABLES = {"BUILD_EXTENSIONS"}  # read by hatch_build.py
SERVER = ROOT / "deploy" / "server"
SECRET = re.compile(r"PASSWORD|KEY|ROOT_USER|STORAGE_USER")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(read("compose.yaml"))
    return found


@pytest.mark.parametrize(
    "name",
    [
        *FILES,
        *(file.relative_to(ROOT).as_posix() for file in sorted(SERVER.iterdir())),
        "docs/faq.md",
        "docs/howto/deploy-on-a-server.md",
        "docs/howto/run-a-fleet.md",
        "docs/howto/troubleshooting.md",
    ],
)
def test_every_variable_of_ours_is_a_setting(name: str) -> None:
    used = {variable for variable in re.findall(r"BONAFIDE_([A-Z_0-9]+)", read(name)) if not variable.endswith("_")}
    assert sorted(used - {field.upper() for field in Settings.model_fields} - BUILD_VARIABLES) == []


def test_every_image_is_pinned_to_a_version(compose: dict[str, Any]) -> None:
    stages = set(re.findall(r"^FROM \S+ AS (\S+)", read("Dockerfile"), re.MULTILINE))
    bases = [image for image in re.findall(r"^FROM (\S+)", read("Dockerfile"), re.MULTILINE) if image not in stages]
    images = [*bases, *(service["image"] for service in compose["services"].values())]
    assert [image for image in images if re.search(r":[\w.-]*\d+[\w.-]*$", image) is None] == []


def test_no_secret_has_a_default(compose: dict[str, Any]) -> None:
    example = dict(
        line.split("=", 1) for line in read("deploy/fleet.env.example").splitlines() if line and not line.startswith("#")
    )
    assert {name: value for name, value in example.items() if SECRET.search(name) and value} == {}
    wanted = set(re.findall(r"\$\{([A-Z_]+)", read("compose.yaml")))
    assert wanted == set(example)
    # Each stops compose when it is not set.
    assert re.findall(r"\$\{[A-Z_]+(?!:\?|[A-Z_])", read("compose.yaml")) == []
    for service in compose["services"].values():
        plain = {name: str(value) for name, value in service.get("environment", {}).items() if SECRET.search(name)}
        assert {name for name, value in plain.items() if "${" not in value} == set()


def test_the_fleet_is_what_the_how_to_says(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert set(services) == {"migrate", "api-1", "api-2", "worker", "balancer", "postgres", "pgbouncer", "valkey", "storage"}
    assert [name for name, service in services.items() if "ports" in service] == ["balancer"]
    for name in ("api-1", "api-2", "worker"):
        assert services[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
        settings = services[name]["environment"]
        stopping_s = float(settings["BONAFIDE_DRAIN_S"]) + float(settings["BONAFIDE_GRACE_S"])
        assert stopping_s < float(services[name]["stop_grace_period"].removesuffix("s"))
        ours = {key.removeprefix("BONAFIDE_").lower(): re.sub(r"\$\{[^}]*\}", "given", value) for key, value in settings.items()}
        known = {key: value for key, value in ours.items() if key in Settings.model_fields and "options" not in key}
        Settings.model_validate(known)


def test_the_lock_is_installed_with_its_hashes_and_names_no_index() -> None:
    text = read("Dockerfile")
    assert "--require-hashes --no-deps -r requirements.lock" in text
    assert "USER bonafide" in text
    assert "HEALTHCHECK" in text
    for name in FILES:
        assert re.search(r"index-url|extra-index|https?://(?!127\.0\.0\.1|storage:9000)", read(name)) is None, name


def test_haproxy_understands_its_configuration() -> None:
    environment = {**os.environ, "PROXY_BIND": "127.0.0.1:8080", "NODE_1": "127.0.0.1:8081", "NODE_2": "127.0.0.1:8082"}
    command = [program("haproxy", MISSING), "-c", "-f", str(CONFIGURATION)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    assert ended.returncode == 0, ended.stderr
    assert "[WARNING]" not in ended.stderr


def server_settings() -> dict[str, str]:
    """The settings of the example as a shell reads them, with the commented ones."""
    lines = [re.sub(r"^# (?=BONAFIDE_)", "", line) for line in (SERVER / "bonafide.env.example").read_text("utf-8").splitlines()]
    script = "\n".join(["set -a", *lines, "env -0"])
    command = ["/bin/sh", "-euc", script]
    ended = subprocess.run(command, env={}, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    variables = dict(entry.split("=", 1) for entry in ended.stdout.split("\0") if entry)
    return {name: value for name, value in variables.items() if name.startswith("BONAFIDE_")}


def test_the_settings_of_a_server_are_valid() -> None:
    settings = {name.removeprefix("BONAFIDE_").lower(): value for name, value in server_settings().items()}
    assert set(settings) - set(Settings.model_fields) == set()
    files_options = settings.pop("files_options")
    assert files_options.startswith('{"region"')
    Settings.model_validate(settings)


def test_systemd_and_a_shell_read_the_same_settings() -> None:
    """systemd takes a value as it is, without the single quotes around it."""
    lines = re.findall(r"^(?:# )?(BONAFIDE_\w+)=(.*)$", (SERVER / "bonafide.env.example").read_text("utf-8"), re.MULTILINE)
    plain = re.compile(r"[\w./:@-]+")
    assert [name for name, value in lines if not plain.fullmatch(value) and re.fullmatch("'[^']*'", value) is None] == []
    last = {name: value.strip("'") for name, value in lines}
    assert server_settings() == last


def test_a_server_stops_only_after_its_requests() -> None:
    unit = (SERVER / "bonafide@.service").read_text("utf-8")
    settings = server_settings()
    found = re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert found is not None
    assert float(found[1]) > float(settings["BONAFIDE_DRAIN_S"]) + float(settings["BONAFIDE_GRACE_S"])
    # The processes that the service has started get no signal of systemd's: the second signal ends open requests.
    assert "KillMode=mixed" in unit


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    program_path = shutil.which("systemd-analyze")
    if program_path is None:
        pytest.skip("systemd is not installed: apt-get install systemd")
    names = {"bonafide@.service": "bonafide@8080.service"}
    for file in [*SERVER.glob("*.service"), *SERVER.glob("*.timer")]:
        text = re.sub(r"^(ExecStart=)\S+", r"\1/bin/true", file.read_text("utf-8"), flags=re.MULTILINE)
        (tmp_path / names.get(file.name, file.name)).write_text(re.sub(r"^User=.*\n", "", text, flags=re.MULTILINE), "utf-8")
    command = [program_path, "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    ours = [line for line in ended.stderr.splitlines() if str(tmp_path) in line or "bonafide" in line]
    assert ours == []


def test_the_alerts_of_a_server_are_those_of_the_documentation() -> None:
    page = (ROOT / "docs" / "howto" / "operations.md").read_text("utf-8")
    block = next(block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if block.startswith("groups:"))
    assert yaml.safe_load((SERVER / "alerts.yml").read_text("utf-8")) == yaml.safe_load(block)


def test_prometheus_and_the_proxies_know_every_process() -> None:
    """The ports of the tutorial, and no more."""
    page = (ROOT / "docs" / "howto" / "deploy-on-a-server.md").read_text("utf-8")
    ports = set(re.findall(r"bonafide@(\d+)", page))
    for name in ("Caddyfile", "nginx.conf", "prometheus.yml"):
        found = set(re.findall(r"127\.0\.0\.1:(80\d+)", (SERVER / name).read_text("utf-8")))
        assert found == ports, name
    scraped = yaml.safe_load((SERVER / "prometheus.yml").read_text("utf-8"))["scrape_configs"]
    targets = [target for job in scraped for group in job["static_configs"] for target in group["targets"]]
    assert f"127.0.0.1:{server_settings()['BONAFIDE_WORKER_METRICS_PORT']}" in targets
