"""Load sources and the industry classification, and schedule reloads."""
