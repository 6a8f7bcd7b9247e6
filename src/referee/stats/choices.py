"""What may be chosen of intervals and tests; the command shows it, and has no use for more before it needs intervals."""

INTERVALS = ("percentile", "bca", "linear")
TESTS = ("randomization", "bootstrap")
UNITS = ("document", "sentence")

MANY = 100_000
"""Units above which intervals are linear, unless another method is named."""

MOST = 1_000_000
"""The largest number of resamples, all of which are kept in memory."""
