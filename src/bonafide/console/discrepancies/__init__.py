"""Pages of ownership discrepancies: compare with the register, follow each discrepancy, decide."""
