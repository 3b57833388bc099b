"""The measurements: searches, screening, loads, reports and other parts of the service."""
