"""British Columbia's registry: its licence forbids copying it, and live look-ups are not in this release; it can be imported."""
