"""Prince Edward Island's business registry: nothing here can be read by a machine; it can be imported."""
