"""Reconciliation: find the registrations that the rows of a table are about, in loaded registers alone."""
