"""How sure a number is: resampling of counts, intervals, tests of a difference, correlations between measures."""
