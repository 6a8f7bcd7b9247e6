"""The page of `referee app`: a static site that runs Referee in a browser."""
