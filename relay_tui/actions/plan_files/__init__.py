"""A plan file: which it is, read, compared with what the room knows, taken in, written back, followed."""
