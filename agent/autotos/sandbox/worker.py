"""The child process that runs untrusted functions. Standard library only; started as a script, never imported.

Arguments: file descriptor of the requests, of the answers, and a JSON configuration. Frames both ways are a 4-byte
big-endian length and UTF-8 JSON. Every answer is a claim: the parent checks it (see supervisor.py). This is the only
file of the package that executes what a model wrote.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import runpy
import sys
import types
from collections.abc import Callable
from typing import Any

# All that such functions may import is imported before the lock-down: afterwards no file can be opened.
PRELOADED = """
__future__ _strptime abc array base64 binascii bisect calendar cmath codecs collections collections.abc
contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib dis encodings.ascii
encodings.cp1252 encodings.idna encodings.latin_1 encodings.raw_unicode_escape encodings.rot_13
encodings.unicode_escape encodings.utf_16 encodings.utf_32 enum errno fnmatch fractions functools gc graphlib
hashlib heapq hmac inspect io itertools json keyword linecache locale logging math numbers operator pickle
platform pprint queue random re reprlib sched secrets signal statistics string struct textwrap threading time
timeit tokenize traceback types typing unicodedata uuid warnings weakref zlib
"""
for _name in PRELOADED.split():
    __import__(_name)
for _name in hashlib.algorithms_guaranteed:  # the first use of one loads its provider
    hashlib.new(_name)

SETTINGS: dict[str, Any] = {}
"""The two descriptors (`requests`, `answers`) and the configuration, filled by `main`."""
WIRE: dict[str, Any] = {}
"""The names of wire.py, filled by `main`: the worker is a script, and has no package to import from."""

EMPTY = " "
"""An empty cell in the packed form of a state, which is one character per cell, row by row."""

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_decode = json.loads
_read, _write, _exit = os.read, os.write, os._exit
_islice = itertools.islice
_trace = sys.settrace


def receive() -> Any:
    """Read the next request; end quietly when the parent is gone."""

    def exactly(count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = _read(SETTINGS["requests"], count - len(data))
            if not piece:
                _exit(0)
            data += piece
        return data

    return _decode(exactly(int.from_bytes(exactly(4), "big")))


def send(message: Any) -> None:
    """Write one frame."""
    body = _encode(message).encode()
    frame = memoryview(len(body).to_bytes(4, "big") + body)
    while frame:
        frame = frame[_write(SETTINGS["answers"], frame[: 1 << 20]) :]


def describe(error: BaseException) -> dict[str, Any]:
    """Return an exception and its line in the untrusted source, without trusting the exception's own methods."""
    try:
        message = str(error.msg if isinstance(error, SyntaxError) else error)[:500]
    except BaseException:  # noqa: BLE001 - an exception's __str__ is untrusted code too
        message = ""
    line = role = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in ("<successor>", "<goal>"):
            line, role = trace.tb_lineno, trace.tb_frame.f_code.co_filename[1:-1]
        trace = trace.tb_next
    if isinstance(error, SyntaxError):
        line = error.lineno
    return {"error": type(error).__name__, "message": message, "line": line, "role": role}


MODULES: dict[str, types.ModuleType] = {}
FUNCTIONS: dict[str, Any] = {}
BOUND: dict[str, Any] = {}
KEPT: dict[int, tuple[Any, list[Any]]] = {}
"""The arguments and the successors of each call, if it was to be kept: a later call may change them."""


def names_of(module: types.ModuleType) -> list[str]:
    """Return the names of the functions that a module defines itself, in their order; what acts like one counts."""
    own = (module.__name__, "functools")  # partial objects and caches
    return [
        name
        for name, value in vars(module).items()
        if callable(value)
        and (value.__module__ if isinstance(value, types.FunctionType) else type(value).__module__) in own
    ]


def load(request: dict[str, Any]) -> dict[str, Any]:
    """Execute the source for a role in a namespace of its own, and return the names of its functions."""
    random.seed(SETTINGS["seed"])
    role = request["role"]
    MODULES[role] = module = sys.modules[role] = types.ModuleType(role)  # dataclasses look their module up by name
    exec(compile(request["source"], f"<{role}>", "exec"), vars(module))  # noqa: S102 - what the sandbox is for
    return {"functions": names_of(module)}


def appoint(request: dict[str, Any]) -> dict[str, Any]:
    """Have the named function of a loaded source play its role."""
    FUNCTIONS[request["role"]] = vars(MODULES[request["role"]])[request["name"]]
    return {"appointed": True}


def drain(result: Any, limit: int) -> list[Any]:
    """Make a list of an iterable, at most one item longer than the limit."""
    if result is None or isinstance(result, (bool, int, float)):
        raise WIRE["Unfit"](f"is {result!r}, not an iterable of states")
    try:
        items = iter(result)
    except TypeError:
        raise WIRE["Unfit"](f"is a {type(result).__name__}, not an iterable of states") from None
    return list(_islice(items, limit + 1))


def parts(value: Any) -> set[int]:
    """Return the identities of the lists, sets and dictionaries in a state."""
    kind = type(value)
    if kind not in (list, tuple, dict, set):
        return set()
    found = set() if kind is tuple else {id(value)}
    for item in value.values() if kind is dict else value if kind in (list, tuple) else ():
        if type(item) in (list, tuple, dict, set):
            found |= parts(item)
    return found


def sharing(state: Any, children: list[Any]) -> bool:
    """Return whether two states share an object that can be written into, so that changing one would change the other.

    A state returned twice shares all of itself, which is another remark.
    """
    own = parts(state)
    for child in {id(child): child for child in children}.values():
        others = parts(child)
        if own & others:
            return True
        own |= others
    return False


def call(request: dict[str, Any]) -> dict[str, Any]:
    """Call a function once on fresh arguments (as wire.py writes them); `iterable`: a sequence of states is expected.

    The arguments go back as they are afterwards: whether they were changed is for the parent to see.
    """
    encode = WIRE["encode"]
    arguments = WIRE["decode"](request["arguments"])
    result = FUNCTIONS[request["role"]](*arguments)
    answer: dict[str, Any] = {"type": type(result).__name__, "shared": False}
    if request["iterable"]:
        result = drain(result, request["limit"])
        if len(result) > request["limit"]:
            return {"error": "TooMany", "message": f"more than {request['limit']} successors", "line": None}
    answer["value"] = encode(result)
    if request["iterable"]:
        answer["shared"] = sharing(arguments[0], result)
    try:
        answer["arguments"] = encode(arguments)
    except WIRE["Unfit"]:
        answer["arguments"] = None
    if request.get("keep") is not None and sum(len(result) for _, result in KEPT.values()) < request["room"]:
        KEPT[request["keep"]] = (arguments, result)
        answer["kept"] = True
    return answer


def look(request: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments and the result of an earlier call as they are now."""
    arguments, result = KEPT[request["place"]]
    return {"arguments": WIRE["encode"](arguments), "wire": WIRE["encode"](result)}


class Exhausted(BaseException):
    """The steps of a request are used up."""


def metered(operation: Callable[[dict[str, Any]], dict[str, Any]], request: dict[str, Any]) -> dict[str, Any]:
    """Serve a request and count its steps: the lines that are executed and the calls of functions written in Python.

    Counts are the same on every machine, however busy; time is not. Work inside functions written in C is not counted.
    A function may catch Exhausted, and Python drops it in a generator that is being closed: only the count decides.
    """
    steps, most = 0, request["steps"]
    exhausted = {"error": "Exhausted", "message": "", "line": None}

    def count(_frame: Any, _event: str, _argument: Any) -> Any:
        nonlocal steps
        steps += 1
        if steps > most:
            raise Exhausted
        return count

    _trace(count)
    try:
        answer = operation(request)
    except Exhausted:
        answer = exhausted
    finally:
        _trace(None)
    return {**(exhausted if steps > most else answer), "steps": steps}


def bind(request: dict[str, Any]) -> dict[str, Any]:
    """Keep the arguments of each role that follow the state, and the width of a grid's rows, for `expand`."""
    BOUND["arguments"] = {role: WIRE["decode"](arguments) for role, arguments in request["arguments"].items()}
    BOUND["width"] = request["width"]
    return {"bound": True}


def unpack(packed: str, width: int) -> Any:
    """Return a packed state: a character per cell if it is a grid of that width, else what wire.py wrote."""
    if not width:
        return WIRE["from_text"](packed)
    cells = [None if cell == EMPTY else cell for cell in packed]
    return [cells[at : at + width] for at in range(0, len(cells), width)]


def pack(children: list[Any], width: int, size: int) -> Any:
    """Return states packed: grids in one text of `size` characters each, others as a list of texts."""
    if not width:
        return [WIRE["to_text"](child) for child in children]
    parts = ["".join([cell or EMPTY for row in child for cell in row]) for child in children]
    if any(len(part) != size for part in parts):
        raise WIRE["Unfit"]("successor does not have one character per cell")
    return "".join(parts)


def expand(request: dict[str, Any]) -> dict[str, Any]:
    """Return for each of a batch of packed states the result of the goal test and its packed successors."""
    goal, successors = FUNCTIONS["goal"], FUNCTIONS["successor"]
    arguments, width, limit = BOUND["arguments"], BOUND["width"], request["limit"]
    answers: list[Any] = []
    for packed in request["states"]:
        state = unpack(packed, width)
        found = goal(state, *arguments["goal"])
        if type(found) is not bool:
            raise WIRE["Unfit"](f"goal test returned a {type(found).__name__}")
        children = [] if found else drain(successors(state, *arguments["successor"]), limit)  # a goal is not expanded
        if len(children) > limit:
            raise WIRE["Unfit"](f"has more than {limit} successors")
        answers.append([found, pack(children, width, len(packed))])
    return {"answers": answers}


OPERATIONS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "load": load,
    "appoint": appoint,
    "call": call,
    "look": look,
    "bind": bind,
    "expand": expand,
    "ping": lambda _request: {"pong": True},
}


def main() -> None:
    """Lock down, report it, and serve requests until the parent closes the pipe."""
    SETTINGS.update(json.loads(sys.argv[3]), requests=int(sys.argv[1]), answers=int(sys.argv[2]))
    WIRE.update(runpy.run_path(SETTINGS["wire"]))
    applied: dict[str, Any] = {}
    if SETTINGS["lock_down"]:
        tools = runpy.run_path(SETTINGS["native"])
        applied = tools["lock_down"](SETTINGS["memory"], SETTINGS["cpu"], SETTINGS["without"])
        for name in ("ctypes", "_ctypes", "resource", "runpy"):
            sys.modules.pop(name, None)
    sys.argv[1:] = []
    send({"id": "ready", "applied": applied})
    while True:
        request = receive()
        try:
            operation = OPERATIONS[request["op"]]
            answer = metered(operation, request) if "steps" in request else operation(request)
        except MemoryError:
            answer = {"error": "MemoryError", "message": "", "line": None}
        except BaseException as error:  # noqa: BLE001 - untrusted code may raise anything, also SystemExit
            answer = describe(error)
        answer["id"] = request["id"]
        try:
            send(answer)
        except BaseException as error:  # noqa: BLE001 - a value that does not encode is the function's fault
            send({**describe(error), "id": request["id"]})


if __name__ == "__main__":
    main()
