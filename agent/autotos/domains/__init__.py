"""The kinds of puzzle that functions can be judged on, by name."""

from agent.autotos.domain import Domain
from agent.autotos.domains.crossword import CROSSWORD
from agent.autotos.domains.fillin import FILLIN

DOMAINS: dict[str, Domain] = {domain.name: domain for domain in (CROSSWORD, FILLIN)}

__all__ = ["CROSSWORD", "DOMAINS", "FILLIN"]
