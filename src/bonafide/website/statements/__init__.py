"""What pages state of who is behind them, each value with its place, and that held against a registry match. Pure."""
