"""Tests of Referee, in folders with the names of packages."""
