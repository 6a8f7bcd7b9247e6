"""The page of `referee page`: a static site that runs Referee in a browser."""
