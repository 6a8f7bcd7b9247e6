"""Tables of values, and the forms in which they are written; they know nothing of scores.

Other packages import `cells`, `colours`, `csv`, `figures`, `forms`, `json`, `listing`, `numbers`, `on_pages`, `result`,
`shell`, `text`, `verdict` and `who`.
"""
