"""Context mode: decide before every answer what the model sees."""
