"""`python -m agent.cli` is the command `gridwright`."""

from agent.cli import main

main()
