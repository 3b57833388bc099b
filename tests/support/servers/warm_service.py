"""What the process that services are forked from does before: imported there, so that no service does it again.

Before a service serves, it reads the descriptions of all sources, imports their modules, and collects garbage among everything that
it has loaded: most of the time of its start.
"""

import gc

from bonafide.sources.framework.discovery import discover_sources

discover_sources()
gc.collect()
gc.freeze()
