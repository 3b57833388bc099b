"""The page that people see first."""
