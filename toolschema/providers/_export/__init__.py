"""Tools, written as providers take them."""
