"""Business records that an organization keeps, and their audit log."""
