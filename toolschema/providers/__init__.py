"""What each provider of models takes and sends, in its own shapes."""
