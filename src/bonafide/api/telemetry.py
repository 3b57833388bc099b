"""That FastAPI's own telemetry stays off: it would tell of queries and of exceptions' messages, where names of people stand.

What is told of a request is for `access_log` to say.
"""

from fastapi.telemetry import TelemetryConfig

OFF: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "operation_spans": False, "auto_configure": False}
"""Whatever the environment's `OTEL_` and `FASTAPI_OTEL_` variables say."""
