"""`python -m agent` is the command `gridwright`."""

from agent.cli import main

main()
