"""Business licences: City of Edmonton."""
