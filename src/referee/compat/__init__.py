"""Functions that take the place of those of other packages: same names, same arguments, same results.

Other packages import `programs`.
"""
