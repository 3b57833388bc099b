"""Find out whether a Canadian business is who it says it is.

The package is laid out in layers that import downwards only; ARCHITECTURE.md draws them.
"""

__version__ = "0.1.0"
