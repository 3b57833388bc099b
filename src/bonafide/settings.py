"""The only reader of the environment: every setting that an operator may change, as `BONAFIDE_<NAME>`.

Per-organization settings are not here; they are rows of the database.
"""

from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


def _networks(text: str) -> str:
    for network in text.split(","):
        if network.strip() != "":
            ip_network(network.strip())
    return text


class Settings(BaseSettings):
    """All settings, with their defaults. Durations are in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(env_prefix="BONAFIDE_", frozen=True, extra="ignore")

    data_dir: Path = Path("bonafide-data")
    """Where the embedded database, the index generations and the downloads live."""
    database_url: str | None = None
    """`postgresql://user:password@host/name`; a SQLite file in the data directory when unset."""
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8080
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    max_body_bytes: Annotated[int, Field(ge=1024)] = 1024 * 1024
    rate_limit_window_s: Annotated[int, Field(ge=1)] = 60
    anonymous_rate_limit: Annotated[int, Field(ge=1)] = 60
    """Requests a window and client address, without a valid key."""
    idempotency_ttl_s: Annotated[int, Field(ge=60)] = 24 * 3600
    trusted_proxies: Annotated[str, AfterValidator(_networks)] = "127.0.0.1"
    """Comma-separated addresses or networks whose X-Forwarded-For is believed."""

    lookup_timeout_s: Annotated[float, Field(gt=0)] = 3.0
    """How long sources may take in a search."""
    search_deadline_s: Annotated[float, Field(gt=0)] = 30.0
    """After this a search that has not finished counts as failed."""

    user_agent: str = "bonafide/0.1 (business verification; self-hosted)"
    fetch_timeout_s: Annotated[float, Field(gt=0)] = 60.0
    fetch_attempts: Annotated[int, Field(ge=1)] = 4
    max_download_bytes: Annotated[int, Field(ge=1024)] = 2 * 1024**3

    @property
    def dsn(self) -> str:
        """The SQLAlchemy address of the database, with its async driver."""
        if self.database_url is None:
            return f"sqlite+aiosqlite:///{(self.data_dir / 'bonafide.sqlite3').resolve()}"
        scheme, _, rest = self.database_url.partition("://")
        driver = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg", "sqlite": "sqlite+aiosqlite"}
        return f"{driver.get(scheme, scheme)}://{rest}"
