"""Run untrusted Python safely: a supervised child process that can compute and nothing else.

>>> from agent.autotos.sandbox import Worker, choose_backend
>>> with Worker(choose_backend("auto", allow_unsafe=True)) as worker:
...     worker.request("load", role="goal", source="def f(state): return True")["functions"]
['f']
"""

from agent.autotos.sandbox.supervisor import BACKENDS, Limits, Worker, choose_backend
from agent.errors import SandboxError, SandboxRefusedError

__all__ = ["BACKENDS", "Limits", "SandboxError", "SandboxRefusedError", "Worker", "choose_backend"]
