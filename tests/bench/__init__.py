"""Measurements, never assertions: `python -m tests.bench` times relay against its floor in one run."""
