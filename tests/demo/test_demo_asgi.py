"""The ASGI application under a server that starts its own processes."""

import signal
from pathlib import Path

import httpx2

from tests.support.servers.service_processes import FirstRun, client, run, server, wait_until

APPLICATION = "bonafide.asgi:application"


def test_it_opens_what_the_environment_names_and_closes_it(data_dir: Path, first_run: FirstRun) -> None:
    environment = {"BONAFIDE_DATA_DIR": str(data_dir), "BONAFIDE_DRAIN_S": "3600"}
    with server(APPLICATION, module="uvicorn", **environment) as service:
        root = service.url.removesuffix("/v1")
        assert httpx2.get(f"{root}/healthz").json() == {"status": "ok"}
        with client(service, first_run.key) as caller:
            found = caller.post("/search", json={"name": "Sandbox Bakery"}).raise_for_status().json()
        assert found["businesses"][0]["legalName"]["name"] == "Sandbox Bakery Inc."
        # The first signal drains, though the server by itself would stop to listen; the second one is the server's.
        service.process.send_signal(signal.SIGTERM)
        wait_until(lambda: httpx2.get(f"{root}/readyz").status_code == 503)
        # In our form, though the server has a form of its own.
        assert '{"event": "Application shutdown complete."' in service.stop().err


def test_what_can_not_be_opened_ends_the_server_with_the_reason(tmp_path: Path) -> None:
    environment = {"BONAFIDE_DATA_DIR": str(tmp_path), "BONAFIDE_DATABASE_URL": "mysql://localhost/bonafide"}
    ended = run(APPLICATION, "--port", "0", module="uvicorn", **environment)
    assert ended.status != 0
    assert "The database address must be sqlite:///file or postgresql://" in ended.err
    assert "Traceback" not in ended.err
