"""Corrections of a key: the file in which a page saves them, and the key with them. Others import `correct`."""
