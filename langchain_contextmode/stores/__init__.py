"""Memory stores: the interface, one in memory, one on Chroma."""
