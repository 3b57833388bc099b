"""The console: pages for people over the services that the API stands on.

Every form and link works without JavaScript; scripts only improve it.
"""
