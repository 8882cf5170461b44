"""JSON itself: text, plain values, pointers, equality, types, numbers, limits; no schemas."""
