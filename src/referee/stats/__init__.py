"""Statistics of numbers alone: resampling of counts, intervals, tests of a difference, correlations between metrics."""
