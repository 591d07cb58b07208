"""relay: the room that one operator and several coding agents share on one workstation."""

__version__ = "0.1.0"
