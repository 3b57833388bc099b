"""Risk rules: versions, the draft and its replay on past results, and ratings on other pages."""
