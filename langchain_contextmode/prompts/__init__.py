"""One prompt a file; loaded, checked for placeholders, rendered."""
