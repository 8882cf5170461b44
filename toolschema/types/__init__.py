"""Types of arguments, written as Python from the schemas of tools."""

from toolschema.types._generate import generate_types

__all__ = ["generate_types"]
