"""Canada's Business Registries: one search over eight registers, queried only with permission."""
