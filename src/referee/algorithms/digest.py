"""Digests of text: BLAKE2b, without the OpenSSL that `hashlib` loads, which takes as long as reading a small file."""

try:
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

__all__ = ["blake2b"]
