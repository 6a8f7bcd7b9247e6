"""Plain text split into paragraphs, sentences and words, by rules and by what was learnt of a language."""
