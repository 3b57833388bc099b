"""What `deploy/`, `compose.yaml` and `Dockerfile` say is true of the program: its settings, and what the proxy understands."""

import os
import re
import subprocess
from typing import Any

import pytest
import yaml

from bonafide.settings import Settings
from tests.support.paths import ROOT
from tests.support.servers.haproxy import CONFIGURATION, MISSING, program

FILES = ("compose.yaml", "Dockerfile", "deploy/haproxy.cfg", "deploy/pgbouncer.ini", "deploy/fleet.env.example")
BUILD_VARIABLES = {"BUILD_EXTENSIONS"}  # read by hatch_build.py
SECRET = re.compile(r"PASSWORD|KEY|ROOT_USER|STORAGE_USER")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(read("compose.yaml"))
    return found


@pytest.mark.parametrize("name", [*FILES, "docs/howto/run-a-fleet.md"])
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
