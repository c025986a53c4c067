"""The start of the command `gridwright`, also as `python -m gridwright`.

This file is installed as the module `gridwright`, not in this package: another package called `agent` or `lexicon` may
stand where ours should be, or have written its files among ours, and then only a module of another name can say so.
"""

from importlib import import_module
from importlib.util import find_spec


def main() -> None:
    """Run the command line; if a package is not ours, name its folder and end with exit code 1."""
    for name in ("agent", "lexicon"):
        spec = find_spec(name)
        if spec is None:
            raise SystemExit(f"gridwright: the package {name} is missing: install gridwright again")
        try:
            ours = getattr(import_module(name), "PROJECT", None) == "gridwright"
        except Exception:  # noqa: BLE001  # another package may raise anything; ours imports nothing that can fail
            ours = False
        if not ours:
            place = next(iter(spec.submodule_search_locations or ()), spec.origin)
            raise SystemExit(
                f"gridwright: {place} holds another package called {name}: "
                "install gridwright into an environment of its own, such as with pipx"
            )
    from agent.cli import main as run

    run()


if __name__ == "__main__":
    main()
