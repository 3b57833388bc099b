"""Verifications: the claim, the register's report and the comparison of the two."""
