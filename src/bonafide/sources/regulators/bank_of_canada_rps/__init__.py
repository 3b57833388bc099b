"""Registry of payment service providers: Bank of Canada."""
