"""Locaux commerciaux: Ville de Montréal."""
