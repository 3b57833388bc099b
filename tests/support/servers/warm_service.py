"""Preparations of the process that services are forked from. The import runs them once, so that no service repeats them.

Most of the time in which a service starts is for these: to read the descriptions of all sources, import their modules, and search
everything that is loaded for garbage.
"""

import gc

from bonafide.sources.framework.discovery import discover_sources

discover_sources()
gc.collect()
gc.freeze()
