"""Disable the telemetry of FastAPI, which would record queries and exception messages.

What is told of a request is for `access_log` to say.
"""

from fastapi.telemetry import TelemetryConfig

TELEMETRY_OFF: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""Whatever the environment's `OTEL_` and `FASTAPI_OTEL_` variables say."""
