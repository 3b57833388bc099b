"""Batches: many searches, verifications or screenings of the rows of one file."""
