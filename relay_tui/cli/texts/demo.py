"""Text of the demo: what needs attention once it was played."""

from relay_tui.cli.texts.attention import attention as demo

__all__ = ["demo"]
