"""Manual checks: registers that a person looks at, because no program may query them."""
