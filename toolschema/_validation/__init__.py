"""Whether arguments satisfy a tool, and why not."""
