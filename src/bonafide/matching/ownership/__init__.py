"""Roll ownership up: from direct interests to ultimate owners and to ownership by listed parties (ADR 22)."""
