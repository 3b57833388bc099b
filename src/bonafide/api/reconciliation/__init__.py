"""The reconciliation service of OpenRefine and similar tools: Reconciliation Service API 0.2."""
