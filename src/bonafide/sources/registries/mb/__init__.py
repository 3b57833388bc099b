"""Manitoba's Companies Office: weekly listings of filings."""
