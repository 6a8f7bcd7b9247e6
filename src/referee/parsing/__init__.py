"""From plain text to trees: paragraphs, sentences and words, their tags, and trees of Universal Dependencies.

`referee.parse` parses a text. The command is `referee parse`.
"""
