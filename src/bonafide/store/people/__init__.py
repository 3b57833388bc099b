"""Rows of users, memberships, sessions and sign-in attempts."""
