"""From a key and a response to an `Evaluation`.

Other packages import `by`, `datasets`, `entity_units`, `evaluation`, `groupings`, `groups`, `intervals`,
`limits`, `other_scorers`, `paper_table`, `score`, `scores_in`, `signature`, `signed_options`, `stored`, `submissions`,
`systems`, `task_file` and `units`.
"""
