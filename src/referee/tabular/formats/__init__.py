"""The formats of tables: one file a format."""
