"""Business reports: obtain, store, sign and print a register's extract."""
