"""A site's domain: which part of a host is registered, and how old its registry says that it is."""
