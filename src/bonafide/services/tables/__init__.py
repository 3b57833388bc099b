"""Tables in memory (pyarrow): screened as a batch is, and linked with each other by the names of their rows."""
