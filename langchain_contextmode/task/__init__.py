"""Task level: a declared task, what its fields hold, and the board that shows it."""
