"""Reading the calls that providers send."""
