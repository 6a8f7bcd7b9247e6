"""What other scorers count where a mention is repeated."""
