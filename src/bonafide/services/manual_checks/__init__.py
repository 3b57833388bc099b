"""Manual checks: open them, record what a person has seen in a register, and use that instead of the register's data."""
