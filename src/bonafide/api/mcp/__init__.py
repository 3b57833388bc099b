"""The MCP server: tools with which language models use the service (Model Context Protocol)."""
