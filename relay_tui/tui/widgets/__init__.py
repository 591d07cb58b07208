"""Widgets, and what draws in them: rows, columns, text, glyphs. They know nothing of the room."""
