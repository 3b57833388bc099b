"""`kill -9` in the middle of requests with an idempotency key: each is done exactly once when it is repeated."""

from pathlib import Path

import pytest

from tests.support.fleet.killed_server import KeyedRequest, KilledServer
from tests.support.sampling import WHOLE

pytestmark = pytest.mark.slow
COMPARED = 100
KILLS = 250 if WHOLE else 20
"""Of each of the two databases."""
REFUSE_RESPONSES = {
    "sqlite": (
        """CREATE TRIGGER refuse BEFORE UPDATE OF status ON idempotency_keys WHEN NEW.status IS NOT NULL
           BEGIN SELECT RAISE(ABORT, 'refused from outside'); END""",
    ),
    "postgresql": (
        """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'refused from outside'; END $$""",
        """CREATE TRIGGER refuse BEFORE UPDATE OF status ON idempotency_keys FOR EACH ROW WHEN (NEW.status IS NOT NULL)
           EXECUTE FUNCTION refuse()""",
    ),
}
ACCEPT_RESPONSES = {"sqlite": ("DROP TRIGGER refuse",), "postgresql": ("DROP FUNCTION refuse CASCADE",)}


@pytest.fixture
def server(tmp_path: Path, empty_database_url: str) -> KilledServer:
    return KilledServer.on(tmp_path, empty_database_url)


def test_requests_in_flight_when_the_server_is_killed_are_done_once(server: KilledServer) -> None:
    for _ in range(KILLS):
        server.kill_in_the_middle()
    server.answer_all()
    done = server.count_effects()
    assert {key: number for key, number in done.items() if number != 1} == {}
    assert set(done) == {request.key for request in server.answered}
    assert server.repeated >= KILLS
    server.compare(COMPARED)
    assert server.count_effects() == done


def test_a_record_is_stored_with_its_response_or_not_at_all(server: KilledServer) -> None:
    """What stores the response is refused from outside; then the server is killed, and the request repeated."""
    request, backend = KeyedRequest("/v1/businesses"), server.database.get_backend_name()
    with server.running() as (process, client):
        server.execute(*REFUSE_RESPONSES[backend])
        assert client.post(request.path, json=request.body, headers=request.headers).status_code == 500
        process.kill()
    server.execute(*ACCEPT_RESPONSES[backend])
    with server.running() as (_, client):
        assert client.post(request.path, json=request.body, headers=request.headers).status_code == 201
    assert server.count_effects() == {request.key: 1}
