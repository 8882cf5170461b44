"""Writing tools in the formats that providers accept."""
