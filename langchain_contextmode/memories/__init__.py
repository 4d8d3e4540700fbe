"""Memory level: what is known about a user, where it comes from, when it comes back, when it stops being true."""
