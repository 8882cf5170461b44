"""JSON itself: text, plain values, pointers, numbers, limits. Knows no schema."""
