"""Saskatchewan's corporate registry: nothing here can be read by a machine; it can be imported."""
