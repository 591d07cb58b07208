"""Doors for agents: what their clients call. Nothing else in relay imports them (DESIGN §9)."""
