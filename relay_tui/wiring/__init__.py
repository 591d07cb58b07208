"""How clients of agents are wired to relay: which of their files say what. Knows no room and no door."""
