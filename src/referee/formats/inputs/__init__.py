"""A corpus from Python values and from the objects of other libraries."""
