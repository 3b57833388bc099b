"""Engine, tables, migrations and the building blocks of statements."""
