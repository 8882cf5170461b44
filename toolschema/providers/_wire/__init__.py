"""Calls, read as providers send them."""
