"""Risk rating: versions of rules, ratings of results and business records, and replays of rules on past results."""
