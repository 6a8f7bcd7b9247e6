"""Label tables of any size: items with their entities as columns, counted by one of several engines.

Other packages import `counting`, `engine`, `gathered`, `paired`, `rows` and `sampled`.
"""
