"""Monitor business records: evaluate them against sanctions lists, registers and regulators, and record what has changed."""
