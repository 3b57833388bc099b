"""Compare a claim with what a register states, field by field."""
