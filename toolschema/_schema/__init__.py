"""What schemas say: dialects, references, patterns, and what a tool reaches. Judges nothing."""
