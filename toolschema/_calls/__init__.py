"""From a call to its result."""
