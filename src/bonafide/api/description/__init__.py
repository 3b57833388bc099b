"""The OpenAPI description: declarations of operations, shared components, comparison of two descriptions."""
