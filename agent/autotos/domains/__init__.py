"""The search spaces that functions can be judged on: one module each in this folder, or a file of the user's own."""

from __future__ import annotations

import copyreg
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from agent.autotos.domain import Domain
from agent.errors import DomainError, UsageError


def names() -> tuple[str, ...]:
    """Return the names of the domains that are shipped: those of the modules in this folder.

    >>> "crossword" in names()
    True
    """
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@lru_cache(maxsize=32)
def load(name: str) -> Domain:
    """Return the domain of a name, or the one that a Python file defines, which takes the file's name.

    The file is executed, with all rights: name only files that you trust. Raises UsageError for an unknown name,
    DomainError for a file that does not define exactly one domain.

    >>> load("crossword").functions["goal"]
    'is_goal_state'
    """
    if name in names():
        return _only(importlib.import_module(f"{__name__}.{name}"), name)
    if not name.endswith(".py"):
        raise UsageError(
            f"unknown domain {name}; choose from {', '.join(names())}, or name a .py file that defines one"
        )
    return _only(_executed(Path(name)), name)


def _executed(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{__name__}.of_the_user.{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise DomainError(f"{path}: no such file; expected a Python file that defines a domain")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # annotations are looked up there
    try:
        spec.loader.exec_module(module)
    except DomainError as error:
        raise DomainError(f"{path}: {error}") from None
    except Exception as error:
        raise DomainError(f"{path}: {type(error).__name__}: {error}, while the file was executed") from error
    return module


def _only(module: ModuleType, name: str) -> Domain:
    found = [value for value in vars(module).values() if isinstance(value, Domain)]
    if len(found) != 1:
        raise DomainError(f"{name}: expected one Domain at the top level, found {len(found)}")
    return found[0] if found[0].name == name else replace(found[0], name=name)


def _by_name(domain: Domain) -> tuple[Callable[[str], Domain], tuple[str]]:
    return load, (domain.name,)


copyreg.pickle(Domain, _by_name)  # a domain crosses the border of a process by its name: functions cannot
