"""Sign-in, one-time links and the profile."""
