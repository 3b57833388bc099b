"""Corporations under federal statutes, from Corporations Canada's open data."""
