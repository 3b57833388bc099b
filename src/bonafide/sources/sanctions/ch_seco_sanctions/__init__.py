"""Swiss sanctions: State Secretariat for Economic Affairs (SECO)."""
