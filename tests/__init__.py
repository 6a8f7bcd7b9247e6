"""Tests of Referee; they mirror the packages."""
