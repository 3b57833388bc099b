"""Extract what pages state about the business behind them, each value with its evidence. Pure functions."""
