"""Business licences: City of Vancouver."""
