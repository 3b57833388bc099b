"""Commands that verify audit logs and examiner's packs."""
