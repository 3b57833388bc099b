"""How long a test waits for what must come.

It only ends what hangs: no test asserts how long anything took, for a machine may be slow, or busy with something else.
"""

TIMEOUT_S = 600.0
LOOKUP_S = 120.0
"""A service's own patience, where a test doesn't want it to end: a look-up, a visit, a request that waits for another."""
