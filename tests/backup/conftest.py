"""Installations that tests make, and the one of each database that is filled once; read that only."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import URL

from bonafide.settings import Settings
from tests.support.backup.installations import Filled, NewPlace, Place, fill
from tests.support.servers.postgres import PostgresServer


@pytest.fixture(scope="session")
def new_database(postgres_server: PostgresServer) -> Iterator[Callable[[], str]]:
    """Makes empty databases of PostgreSQL's, by their address."""
    made: list[URL] = []

    def make() -> str:
        made.append(postgres_server.create_database())
        return made[-1].render_as_string(hide_password=False)

    yield make
    for url in made:
        postgres_server.drop_database(url)


@pytest.fixture(scope="session")
def new_place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewPlace:
    """Makes installations with an empty database: `new_place("postgresql")`."""

    def make(kind: str, **settings: Any) -> Place:
        address = request.getfixturevalue("new_database")() if kind == "postgresql" else None
        return Place(Settings(data_dir=tmp_path_factory.mktemp("place"), database_url=address, **settings))

    return make


@pytest.fixture(scope="session")
def filled(new_place: NewPlace, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Filled]:
    """The filled installation of a kind, made once."""
    made: dict[str, Filled] = {}

    def get(kind: str) -> Filled:
        if kind not in made:
            made[kind] = fill(new_place(kind), tmp_path_factory.mktemp("backup") / "whole")
        return made[kind]

    return get
