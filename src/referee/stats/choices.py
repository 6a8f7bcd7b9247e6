"""The choices of intervals and tests. They are apart from the code so that the command can show them without importing it."""

INTERVALS = ("percentile", "bca", "linear")
TESTS = ("randomization", "bootstrap")
UNITS = ("document", "sentence", "entity")

MANY = 100_000
"""Units above which intervals are linear, unless another method is named."""

MOST = 1_000_000
"""The largest number of resamples, all of which are kept in memory."""
