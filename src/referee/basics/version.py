"""The version."""

VERSION = "0.3.0"
