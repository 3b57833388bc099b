"""The console: pages for people over the same services as the API.

Every form and link works without JavaScript; scripts only improve it.
"""
