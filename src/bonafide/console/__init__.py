"""The console: pages for people over the services that the API stands on.

Everything is a form or a link that works by itself; scripts only make it smoother. Nothing is decided here that a service decides.
"""
