"""Money services business registry: Financial Transactions and Reports Analysis Centre of Canada (FINTRAC)."""
