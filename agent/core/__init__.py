"""Search over plain functions: knows no puzzle, imports the standard library only."""

from agent.core.clock import Clock
from agent.core.outcome import Budget, Event, OnEvent, Outcome, Termination, limit
from agent.core.search import best_first, depth_first

__all__ = ["Budget", "Clock", "Event", "OnEvent", "Outcome", "Termination", "best_first", "depth_first", "limit"]
