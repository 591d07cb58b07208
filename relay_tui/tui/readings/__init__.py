"""What the screens ask the room and git for, beside the screen's own loop."""
