"""Canada's Business Registries: one search over eight registers, asked only where the operator may."""
