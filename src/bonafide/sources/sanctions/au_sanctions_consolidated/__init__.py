"""Australian consolidated list: Department of Foreign Affairs and Trade (Australia)."""
