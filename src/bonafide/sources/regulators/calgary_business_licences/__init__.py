"""Business licences: City of Calgary."""
