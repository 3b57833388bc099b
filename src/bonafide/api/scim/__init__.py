"""SCIM 2.0 (RFC 7643 and 7644): the endpoints through which identity providers provision people and groups."""
