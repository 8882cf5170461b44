"""Issues, said for a model."""
