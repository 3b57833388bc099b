# bonafide, and the pooler that a fleet puts before PostgreSQL (docs/howto/run-a-fleet.md).
# Build with `docker build .`; an index other than the public one is named to pip by PIP_INDEX_URL at build time, never in here.

FROM python:3.12.10-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
# The compiler of the C extensions; the service's image has none.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/bonafide
# What is installed is what was tested: every file has its hash in the lock.
COPY requirements.lock ./
RUN /opt/bonafide/bin/pip install --require-hashes --no-deps -r requirements.lock
COPY pyproject.toml README.md LICENSE hatch_build.py ./
COPY native native
COPY docs docs
COPY src src
RUN BONAFIDE_BUILD_EXTENSIONS=always /opt/bonafide/bin/pip install --no-deps --no-build-isolation . \
 && /opt/bonafide/bin/pip uninstall --yes pip

FROM debian:12.11-slim AS pgbouncer
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends pgbouncer postgresql-client \
 && rm -rf /var/lib/apt/lists/*
USER postgres
EXPOSE 6432
CMD ["/usr/sbin/pgbouncer", "/etc/bonafide/pgbouncer.ini"]

FROM python:3.12.10-slim-bookworm AS service
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin bonafide \
 && install --directory --owner=bonafide --group=bonafide /data \
 && pip uninstall --yes pip setuptools wheel 2>/dev/null || true
COPY --from=build /opt/bonafide /opt/bonafide
ENV PATH=/opt/bonafide/bin:$PATH PYTHONUNBUFFERED=1 BONAFIDE_DATA_DIR=/data BONAFIDE_HOST=0.0.0.0
USER bonafide
VOLUME /data
EXPOSE 8080
# Whether the process lives; whether requests should come here is for the balancer to ask (/readyz).
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz', timeout=2)"]
ENTRYPOINT ["bonafide"]
CMD ["serve"]
