"""Patterns of ECMA-262, in the words of the verdict engine."""
