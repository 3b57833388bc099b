"""Delete records as the organization's retention policy says, and erase businesses and checks on request."""
