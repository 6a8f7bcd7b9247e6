"""What may be chosen of intervals and tests; the command shows it, and has no use for more before it needs intervals."""

INTERVALS = ("percentile", "bca")
TESTS = ("randomization", "bootstrap")
UNITS = ("document", "sentence")

MOST = 1_000_000
"""The largest number of resamples, all of which are kept in memory."""
