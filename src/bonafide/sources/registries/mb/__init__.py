"""Manitoba's Companies Office: nothing here can be read by a machine; it can be imported."""
