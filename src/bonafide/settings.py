"""The only reader of the environment: every setting that an operator may change, as `BONAFIDE_<NAME>`.

Per-organization settings are not here; they are rows of the database.
"""

import re
from email.utils import parseaddr
from enum import StrEnum
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

_HOST_OR_NETWORK = re.compile(r"[A-Za-z0-9._:\[\]/-]*")


def _check_networks(text: str) -> str:
    for network in text.split(","):
        if network.strip() != "":
            ip_network(network.strip())
    return text


def _check_host_and_port(text: str) -> str:
    parts = urlsplit(f"//{text}")
    if parts.hostname is None or parts.port is None or parts.netloc != text or parts.username is not None or parts.path != "":
        raise ValueError("must be host:port")
    return text


def _parse_host_and_port(host_and_port: str | None) -> tuple[str, int] | None:
    parts = urlsplit(f"//{host_and_port}") if host_and_port is not None else None
    return (parts.hostname, parts.port) if parts is not None and parts.hostname is not None and parts.port is not None else None


def _check_valkey_address(secret: SecretStr) -> SecretStr:
    address = urlsplit(secret.get_secret_value())
    if address.scheme not in {"valkey", "valkeys", "redis", "rediss"} or not address.hostname:
        raise ValueError("must be valkey://host:port, or valkeys:// for TLS")
    return secret


def _check_domains(text: str) -> str:
    for domain in text.split(","):
        if not set("@/: ").isdisjoint(domain.strip()):
            raise ValueError("must be domains, such as north.example")
    return text


def _check_targets(text: str) -> str:
    for target in text.split(","):
        if not _HOST_OR_NETWORK.fullmatch(target.strip()):
            raise ValueError("must be host names, addresses or networks, such as relay.internal, 10.1.0.0/16")
        if "/" in target:
            ip_network(target.strip())
    return text


def _check_smtp_address(secret: SecretStr) -> SecretStr:
    address = urlsplit(secret.get_secret_value())
    if address.scheme not in {"smtp", "smtps"} or not address.hostname or address.path.strip("/") != "" or address.query != "":
        raise ValueError("must be smtp://user:password@host:587, or smtps:// for TLS from the start")
    if address.port == 0 or (address.username is None) != (address.password is None):
        raise ValueError("must have a port other than 0, and a user and a password or neither")
    return secret


def _check_sender(text: str) -> str:
    address = parseaddr(text)[1]
    if not text.isprintable() or re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", address) is None:
        raise ValueError("must be an e-mail address, such as alerts@example.org or Alerts <alerts@example.org>")
    return text


class RenewalMode(StrEnum):
    """Which sources a worker renews at their cadence."""

    OFF = "off"
    LOADED = "loaded"
    """Those that were loaded once."""
    ALL = "all"


class RateLimitStore(StrEnum):
    """Where requests are counted."""

    AUTO = "auto"
    """In Valkey where one is set; else in the database if that is PostgreSQL; else in memory."""
    MEMORY = "memory"
    """Each process for itself."""
    DATABASE = "database"
    VALKEY = "valkey"


class LanguageModelKind(StrEnum):
    """How a language model is spoken to."""

    OPENAI = "openai"
    """`POST <address>/chat/completions`, as OpenAI, Ollama, vLLM, llama.cpp and many others do."""
    ANTHROPIC = "anthropic"
    """`POST <address>/v1/messages`."""


class Settings(BaseSettings):
    """All settings, with their defaults. Durations are in seconds, sizes in bytes."""

    # An error about several settings would otherwise show all that were given, keys included.
    model_config = SettingsConfigDict(env_prefix="BONAFIDE_", frozen=True, extra="ignore", hide_input_in_errors=True)

    data_dir: Path = Path("bonafide-data")
    """Where the embedded database, the index generations and the downloads live."""
    database_url: str | None = None
    """`postgresql://user:password@host/name`; a SQLite file in the data directory when unset."""
    database_pooled: bool = False
    """Whether a pooler that hands out connections by the transaction stands before it, such as PgBouncer."""
    database_replica_url: str | None = None
    """A streaming replica of it, for the lists that may be a moment old. They come from the database itself when unset."""
    transaction_timeout_s: Annotated[float, Field(gt=0)] = 60.0
    """How long one transaction may take. After this its request is refused with 503, and the database cancels its statement."""
    sqlite_durable: bool = True
    """Whether a change is on the disk before the response. Without it, a power failure can lose the last changes. SQLite only:
    PostgreSQL has its own `synchronous_commit`."""
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8080
    processes: Annotated[int, Field(ge=1, le=256)] = 1
    """That `serve` starts on one address. Each uses one processor."""
    drain_s: Annotated[float, Field(ge=0)] = 0.0
    """How long a service that is told to stop goes on serving while `/readyz` says 503: what a load balancer takes to notice."""
    grace_s: Annotated[int, Field(ge=0)] = 8
    """How long requests under way then have, in whole seconds: container runtimes kill after ten."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    max_requests: Annotated[int, Field(ge=1)] = 1000
    """Requests that a process has under way at once, probes aside; one more is 503."""
    max_concurrent_work: Annotated[int, Field(ge=1)] | None = None
    """Searches, verifications, screenings, reports and prints that a process does at once; sixteen a processor when unset."""
    max_waiting_work: Annotated[int, Field(ge=0)] | None = None
    """And that wait for their turn; twice as many when unset. One more is 503."""
    organization_weights: dict[UUID, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    """Weights of organizations in the sharing of work between them, by organization ID; 1 when unset."""
    max_queued_jobs: Annotated[int, Field(ge=1)] = 1000
    """Unfinished searches (and as many verifications) that were answered with 202, of one organization; one more is 503."""
    max_body_bytes: Annotated[int, Field(ge=1024)] = 1024 * 1024
    max_form_bytes: Annotated[int, Field(ge=1024)] = 16 * 1024 * 1024
    """Of a form of the console with an uploaded file."""
    max_plain_form_bytes: Annotated[int, Field(ge=1024)] = 256 * 1024
    """Of any other form of the console; before sign-in at most 16 KiB."""
    body_timeout_s: Annotated[float, Field(gt=0)] = 30.0
    """Time for the body of a request, from its start to its end."""
    upload_timeout_s: Annotated[float, Field(gt=0)] = 300.0
    """Time for a form with an uploaded file."""
    min_body_rate: Annotated[float, Field(gt=0)] = 1024.0
    """Bytes per second that a body must arrive at on average, after its first five seconds."""
    max_incoming_bodies: Annotated[int, Field(ge=1)] = 1000
    """Bodies that a process receives at once; beyond that the oldest is refused with 503."""
    max_incoming_bodies_per_client: Annotated[int, Field(ge=1)] = 100
    """Of one organization, session of the console, or client address."""
    valkey_url: Annotated[SecretStr, AfterValidator(_check_valkey_address)] | None = None
    """`valkey://user:password@host:6379/0` (`valkeys://` with TLS) for what nodes share; without one the database serves."""
    valkey_cluster: bool = False
    """Whether it is a cluster."""
    valkey_timeout_s: Annotated[float, Field(gt=0, le=10)] = 0.2
    """How long connecting to it, or a command, may take; after that a node goes on by itself."""
    rate_limit_store: RateLimitStore = RateLimitStore.AUTO
    rate_limit_window_s: Annotated[int, Field(ge=1)] = 60
    anonymous_rate_limit: Annotated[int, Field(ge=1)] = 60
    """Requests a window and client address, without a valid key."""
    idempotency_ttl_s: Annotated[int, Field(ge=60)] = 24 * 3600
    trusted_proxies: Annotated[str, AfterValidator(_check_networks)] = "127.0.0.1"
    """Comma-separated addresses or networks whose X-Forwarded-For is believed."""

    lookup_timeout_s: Annotated[float, Field(gt=0)] = 3.0
    """How long sources may take in a search."""
    search_deadline_s: Annotated[float, Field(gt=0)] = 30.0
    """After this a search that has not finished counts as failed."""
    verification_deadline_s: Annotated[float, Field(gt=0)] = 120.0
    """After this a verification whose register has not answered has failed."""
    worker_concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    """Jobs that a worker does at once."""
    worker_niceness: Annotated[int, Field(ge=0, le=19)] = 10
    """How far a worker lowers its priority, so that the service on the same machine uses the processors first."""
    worker_metrics_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """Where a worker answers /metrics, /healthz and /readyz, on `host`; nowhere when unset."""
    trace_url: str | None = None
    """Where traces are sent (`http://collector:4318/v1/traces`); nowhere when unset. Needs the extra `otel`."""
    trace_sample: Annotated[float, Field(ge=0, le=1)] = 1.0
    """Which part of the traces that begin here is sent; those that a caller began are sent as the caller says."""

    ask_live: bool = True
    """Whether sources are asked while somebody waits; without it only what is loaded is looked at."""
    sandbox_url: str | None = None
    """Where a sandbox is served (`http://127.0.0.1:9000`): test keys ask its live registers there. Without one they ask none."""
    live_cache_s: Annotated[float, Field(ge=0, le=3600)] = 60.0
    """For so long the answer of a live source serves the same organization's same question again; 0 turns it off."""
    accepted_terms: dict[str, str] = Field(default_factory=dict)
    """Sources that may be asked because the operator accepts their terms: `{"<source>": "<version of the terms>"}`."""
    terms_accepted_by: Annotated[str, Field(min_length=1)] | None = None
    """Who accepted them, for the record; needed with the setting before."""
    source_keys: dict[str, SecretStr] = Field(default_factory=dict)
    """Keys that publishers have handed out: `{"<source>": "<key>"}`."""
    report_max_age_h: Annotated[float, Field(ge=0)] = 24.0
    """Hours for which a register's report counts as recent; a request may ask for another age."""
    pack_max_items: Annotated[int, Field(ge=1, le=15_000)] = 10_000
    """Checks, decisions and changes of one examiner's pack. With 10,000 a worker needs about 700 MB while it makes the PDF."""
    pack_keep_days: Annotated[int, Field(ge=1, le=3650)] = 30
    """Days after which the files of an examiner's pack are deleted. A pack can be made again."""
    batch_max_bytes: Annotated[int, Field(ge=1024)] = 256 * 1024**2
    """Bytes of the file of a batch."""
    batch_max_rows: Annotated[int, Field(ge=1, le=1_000_000)] = 1_000_000
    """Rows of a batch."""
    batch_keep_days: Annotated[int, Field(ge=1, le=3650)] = 30
    """Days after which the rows and the results of a batch that has ended are deleted."""
    batch_parallelism: Annotated[int, Field(ge=1, le=64)] = 2
    """Partitions of a batch that workers do at once; an organization has one running batch. More than the worker processes gain
    nothing."""
    monitored_register_interval_days: Annotated[int, Field(ge=1, le=365)] = 7
    """Days between two queries of a register that is not loaded about the same monitored record."""
    monitored_register_share: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Largest share of the rate of a live register that monitoring uses; the rest is left for searches and verifications."""
    monitored_websites_per_minute: Annotated[int, Field(ge=1, le=6000)] = 60
    """Websites of monitored records that are read in a minute, by all workers together."""

    public_url: str | None = None
    """The address at which clients reach the service, for links in answers; `http://<host>:<port>` when unset."""
    files_url: str | None = None
    """Where PDFs and raw evidence are kept: `file:///…`, or `s3://bucket/prefix` of an S3-compatible server. A folder of the data
    directory when unset."""
    files_options: dict[str, SecretStr] = Field(default_factory=dict)
    """For S3: `endpoint`, `region`, `access_key_id`, `secret_access_key` and so on, as JSON; what is missing comes from `AWS_…`."""
    index_url: str | None = None
    """Where machines share the generations of their indexes, spelled as `files_url`. Each machine has its own when unset."""
    index_options: dict[str, SecretStr] | None = None
    """For S3, as `files_options`, and the same as those when unset."""
    index_poll_s: Annotated[float, Field(gt=0)] = 5.0
    """Between two looks for what other machines have published."""
    signing_key: SecretStr | None = None
    """Signs addresses of documents. All machines of a service need the same; one is made in the data directory when unset."""
    signed_url_ttl_s: Annotated[int, Field(ge=1, le=7 * 24 * 3600)] = 900

    session_idle_s: Annotated[int, Field(ge=60)] = 12 * 3600
    """A session of the console ends when nobody has used it for so long."""
    session_max_s: Annotated[int, Field(ge=60)] = 7 * 24 * 3600
    """And at the latest so long after it has begun."""
    password_memory_kib: Annotated[int, Field(ge=8)] = 64 * 1024
    """Memory, passes and lanes with which passwords are hashed (argon2id): the second choice of RFC 9106, section 4."""
    password_passes: Annotated[int, Field(ge=1)] = 3
    password_lanes: Annotated[int, Field(ge=1)] = 4
    password_sign_in: bool = True
    """Whether people may sign in with a password; without it only through single sign-on."""
    oidc_issuer: str | None = None
    """An OpenID Connect provider through which people may sign in (`https://login.example.org`). None when unset."""
    oidc_client_id: Annotated[str, Field(min_length=1)] | None = None
    """By what the provider knows this service; needed with the issuer."""
    oidc_client_secret: SecretStr | None = None
    oidc_name: Annotated[str, Field(min_length=1)] = "single sign-on"
    """What stands on the button: `Sign in with …`."""
    oidc_organization: Annotated[str, Field(min_length=1)] | None = None
    """The organization that whoever comes from the provider joins; only known and invited people may come when unset."""
    oidc_default_role: Literal["owner", "analyst", "viewer"] | None = None
    """As what they join it; needed with the organization."""
    oidc_allowed_domains: Annotated[str, AfterValidator(_check_domains)] = ""
    """Comma-separated domains of e-mail addresses that may come; all when empty."""
    oidc_private_address: Annotated[str, AfterValidator(_check_host_and_port)] | None = None
    """`host:port` of the provider where that is not on the public Internet; only this one may be so."""

    llm_url: str | None = None
    """A language model that may rephrase the analyst summary: `https://api.openai.com/v1`, `https://api.anthropic.com`, or another
    address that speaks like one of the two. None when unset. The summary is sent there with the names that are in it."""
    llm_kind: LanguageModelKind = LanguageModelKind.OPENAI
    """Which of the two it speaks like."""
    llm_model: Annotated[str, Field(min_length=1)] | None = None
    """The model's name; needed with the address."""
    llm_key: SecretStr | None = None
    llm_timeout_s: Annotated[float, Field(gt=0, le=60)] = 10.0
    """How long it may take; after that the summary stays as the rules word it."""
    llm_private_address: Annotated[str, AfterValidator(_check_host_and_port)] | None = None
    """`host:port` of the address where that is not on the public Internet (`localhost:11434`); only this one may be so."""

    allow_private_targets: Annotated[str, AfterValidator(_check_targets)] = ""
    """Comma-separated host names, addresses or networks that webhooks and mail may reach although they are not public."""
    smtp_url: Annotated[SecretStr, AfterValidator(_check_smtp_address)] | None = None
    """The server that sends mail: `smtp://user:password@host:587` (STARTTLS is required unless the host is exempt by
    `allow_private_targets`) or `smtps://…` for TLS from the start. No mail is sent when unset."""
    mail_from: Annotated[str, AfterValidator(_check_sender)] | None = None
    """The sender of mail, `alerts@example.org` or `Alerts <alerts@example.org>`; needed with the server."""
    smtp_timeout_s: Annotated[float, Field(gt=0, le=60)] = 20.0
    """How long connecting to the server, or sending one mail, may take."""

    renew: RenewalMode = RenewalMode.LOADED
    """Which sources a worker renews: those that `sync` has loaded once, all that can be downloaded, or none."""

    website_max_pages: Annotated[int, Field(ge=1, le=50)] = 8
    """Pages of one web site that are read."""
    website_max_page_bytes: Annotated[int, Field(ge=1024)] = 2 * 1024**2
    """Of one page, after decompression; what goes beyond is not read."""
    website_timeout_s: Annotated[float, Field(gt=0, le=120)] = 15.0
    """How long the reading of one web site may take in all."""

    user_agent: str = "bonafide/0.1 (business verification; self-hosted)"
    fetch_timeout_s: Annotated[float, Field(gt=0)] = 60.0
    fetch_attempts: Annotated[int, Field(ge=1)] = 4
    max_download_bytes: Annotated[int, Field(ge=1024)] = 2 * 1024**3
    """Maximum size of a file of a source, downloaded or imported."""
    load_limits: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Changes to the limits of a source's loads: `{"<source>": {"rows": 20000000}}`."""

    @model_validator(mode="after")
    def _check_trace_url(self) -> "Settings":
        address = urlsplit(self.trace_url) if self.trace_url is not None else None
        if address is not None and (address.scheme not in {"http", "https"} or address.hostname is None):
            raise ValueError("trace_url must be an http(s) address, such as http://collector:4318/v1/traces")
        return self

    @model_validator(mode="after")
    def _check_rate_limit_store(self) -> "Settings":
        if self.rate_limit_store is RateLimitStore.VALKEY and self.valkey_url is None:
            raise ValueError("rate_limit_store=valkey needs valkey_url")
        return self

    @model_validator(mode="after")
    def _check_mail(self) -> "Settings":
        if self.smtp_url is not None and self.mail_from is None:
            raise ValueError("smtp_url needs mail_from: the sender of the mail")
        return self

    @model_validator(mode="after")
    def _check_accepted_terms(self) -> "Settings":
        if self.accepted_terms and self.terms_accepted_by is None:
            raise ValueError("accepted_terms needs terms_accepted_by: the record says who accepted them")
        return self

    @model_validator(mode="after")
    def _check_llm(self) -> "Settings":
        if self.llm_url is None:
            return self
        address = urlsplit(self.llm_url)
        if (
            address.scheme not in {"http", "https"}
            or address.hostname is None
            or address.query != ""
            or address.username is not None
        ):
            raise ValueError("llm_url must be an http(s) address without a user and without a query")
        if self.llm_model is None:
            raise ValueError("llm_url needs llm_model: the record says which model worded a summary")
        private = self.llm_private_pair
        if address.scheme == "http" and (address.hostname, address.port or 80) != private:
            raise ValueError("llm_url must be https, unless llm_private_address names it: names and addresses are sent there")
        return self

    @model_validator(mode="after")
    def _check_oidc(self) -> "Settings":
        if self.oidc_issuer is None:
            if not self.password_sign_in:
                raise ValueError("without password_sign_in there must be an oidc_issuer: nobody could sign in")
            return self
        issuer = urlsplit(self.oidc_issuer)
        if issuer.scheme not in {"http", "https"} or issuer.hostname is None or issuer.query != "" or issuer.username is not None:
            raise ValueError("oidc_issuer must be an http(s) address without a user and without a query")
        if issuer.scheme == "http" and (issuer.hostname, issuer.port or 80) != self.oidc_private_pair:
            raise ValueError("oidc_issuer must be https, unless oidc_private_address names it")
        if self.oidc_client_id is None:
            raise ValueError("oidc_issuer needs oidc_client_id: the provider must know who asks")
        if (self.oidc_organization is None) != (self.oidc_default_role is None):
            raise ValueError("oidc_organization and oidc_default_role need each other")
        return self

    @property
    def weights_by_organization(self) -> dict[str, float]:
        """The weights of organizations, by the text of their ID."""
        return {str(organization): weight for organization, weight in self.organization_weights.items()}

    @property
    def llm_private_pair(self) -> tuple[str, int] | None:
        """The one host and port of the language model that need not be public; None when there is none."""
        return _parse_host_and_port(self.llm_private_address)

    @property
    def oidc_private_pair(self) -> tuple[str, int] | None:
        """The one host and port of the identity provider that need not be public; None when there is none."""
        return _parse_host_and_port(self.oidc_private_address)

    @property
    def base_url(self) -> str:
        """The address of the service in links, without a slash at its end."""
        return self.public_url.rstrip("/") if self.public_url is not None else f"http://{self.host}:{self.port}"

    @property
    def dsn(self) -> str:
        """The SQLAlchemy address of the database, with its async driver."""
        if self.database_url is None:
            return f"sqlite+aiosqlite:///{(self.data_dir / 'bonafide.sqlite3').resolve()}"
        return self.build_dsn(self.database_url)

    @staticmethod
    def build_dsn(address: str) -> str:
        """An address of a database with its async driver."""
        scheme, _, rest = address.partition("://")
        driver = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg", "sqlite": "sqlite+aiosqlite"}
        return f"{driver.get(scheme, scheme)}://{rest}"
