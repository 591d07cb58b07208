"""The MCP server, `relay mcp` (DESIGN §9). The SDK is imported here and nowhere else, and never by `door`."""
