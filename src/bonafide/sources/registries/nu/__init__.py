"""Nunavut's legal registries: nothing here can be read by a machine; it can be imported."""
