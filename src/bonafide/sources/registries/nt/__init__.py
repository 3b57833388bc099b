"""The Northwest Territories' corporate registries: nothing here can be read by a machine; it can be imported."""
