"""The documented receivers of webhooks, as they stand on the page: they accept what the service signs, once, and nothing else."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bonafide.model.webhooks import SigningMethod
from bonafide.services.webhooks.signatures import SIGNATURE, build_signed_headers, generate_secret
from tests.support.documented_examples import blocks
from tests.support.node.packages import install_packages
from tests.support.paths import ROOT
from tests.support.servers.ports import HOST, free_port
from tests.support.waiting import TIMEOUT_S

PAGE = ROOT / "docs" / "howto" / "receive-webhooks.md"
EVENT_ID = "4b1d9c5e-7a2f-4c3d-8e6b-1f0a9d8c7b6e"
EVENT = {"id": EVENT_ID, "type": "webhook.test", "sequence": 7, "severity": "info", "data": {"name": "Érablière Ltée"}}
BODY = json.dumps({"type": "webhook.test", "timestamp": "2026-11-20T14:33:00.125Z", "data": EVENT}, ensure_ascii=False).encode()
UNAUTHORIZED = 401


@dataclass(frozen=True)
class Receiver:
    """A running receiver, and the secret that it was given."""

    address: str
    secret: str
    folder: Path

    def send(self, body: bytes, headers: dict[str, str]) -> int:
        """The status of the answer."""
        return httpx2.post(self.address, content=body, headers=headers, timeout=TIMEOUT_S).status_code

    def sign(self, *secrets: str, event_id: str = EVENT_ID, age_s: int = 0) -> dict[str, str]:
        """The headers of a delivery of `BODY`."""
        return build_signed_headers(event_id, int(time.time()) - age_s, BODY, secrets or [self.secret])


def new_secret() -> str:
    return str(generate_secret(SigningMethod.HMAC).shared)


def example(language: str) -> str:
    (block,) = (block.text for block in blocks(PAGE) if block.language == language)
    return block


def prepare_python(folder: Path) -> list[str]:
    program = folder / "receiver.py"
    program.write_text(example("python"), "utf-8")
    return [sys.executable, "-u", str(program)]


def prepare_typescript(folder: Path) -> list[str]:
    """The compiled program. Its types are checked too."""
    (folder / "node_modules").symlink_to(install_packages())
    program = folder / "receiver.ts"
    program.write_text(example("typescript"), "utf-8")
    compiler = folder / "node_modules" / "typescript" / "bin" / "tsc"
    options = ["--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "--outDir", "out"]
    command = ["node", str(compiler), *options, program.name]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    assert ended.returncode == 0, ended.stdout
    return ["node", str(folder / "out" / "receiver.js")]


@pytest.fixture(params=["python", pytest.param("typescript", marks=pytest.mark.slow)])
def receiver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Receiver]:
    command = {"python": prepare_python, "typescript": prepare_typescript}[request.param](tmp_path)
    port, secret = free_port(), new_secret()
    environment = {**os.environ, "WEBHOOK_SECRET": secret, "PORT": str(port), "DATABASE": str(tmp_path / "events.sqlite3")}
    with (tmp_path / "output").open("w") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output)  # noqa: S603 - our own program
        try:
            wait_for(port, process)
            yield Receiver(f"http://{HOST}:{port}/bonafide", secret, tmp_path)
        finally:
            process.terminate()
            process.wait()


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        try:
            socket.create_connection((HOST, port), timeout=TIMEOUT_S).close()
        except OSError:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        else:
            return


def test_a_documented_receiver_accepts_what_is_signed_and_nothing_else(receiver: Receiver) -> None:
    assert receiver.send(BODY, receiver.sign()) == 204
    assert receiver.send(BODY, receiver.sign()) == 204  # the same event again
    assert receiver.send(BODY, receiver.sign(new_secret(), receiver.secret)) == 204  # during a rotation
    refused: list[tuple[bytes, dict[str, str]]] = [
        (BODY, {}),
        (BODY, receiver.sign(new_secret())),
        (BODY.replace(b"info", b"high"), receiver.sign()),
        (BODY, receiver.sign(age_s=600)),
        (BODY, {**receiver.sign(), "webhook-id": "another"}),
        (BODY, {**receiver.sign(), SIGNATURE: "v1,bm90aGluZw=="}),
    ]
    assert [receiver.send(body, headers) for body, headers in refused] == [UNAUTHORIZED] * len(refused)
    assert stored(receiver) == [(EVENT_ID, 7)]


def stored(receiver: Receiver) -> list[tuple[str, Any]]:
    """The ID and number of what the receiver has stored: in its table, or as it has printed."""
    database = receiver.folder / "events.sqlite3"
    if database.exists():
        with sqlite3.connect(database) as connection:
            return list(connection.execute("SELECT id, sequence FROM events"))
    printed = (receiver.folder / "output").read_text("utf-8").split()
    return [(EVENT_ID, int(printed[0]))] if printed == ["7", "webhook.test"] else []
