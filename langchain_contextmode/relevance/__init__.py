"""Relevance: how strongly a block of the history bears on the request, on a scale of 0..10."""
