"""United Nations Security Council Consolidated List: United Nations Security Council."""
