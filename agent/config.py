"""Settings: one frozen value, each field from a flag, the environment, a file or the default, in that order.

Environment variables are the settings' names in capitals after `GRIDWRIGHT_`; the file is TOML with the same names,
`config.toml` in the system's folder for settings unless another is given. For OpenAI's own server, its usual variables
OPENAI_BASE_URL and OPENAI_API_KEY come last:

>>> settings = load_settings(flags={"rounds": 5}, env={"GRIDWRIGHT_TIMEOUT": "20", "GRIDWRIGHT_OFFLINE": "yes"})
>>> settings.rounds, settings.timeout, settings.offline, settings.threshold
(5, 20.0, True, 0.75)
>>> settings.origin("rounds"), settings.origin("timeout"), settings.origin("threshold")
('flag --rounds', 'environment GRIDWRIGHT_TIMEOUT', 'default')
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from agent.errors import ConfigError, reason

APP = "gridwright"
PREFIX = "GRIDWRIGHT_"
OPENAI_URL = "https://api.openai.com/v1"
"""Default server of the language model; OPENAI_API_KEY is only ever sent there, or to OPENAI_BASE_URL."""
DATAMUSE_URL = "https://api.datamuse.com"
SURE = 0.5
"""Probability of a whole grid from which it counts as solved: likelier right than not. A user may ask for more."""
YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off"})


def user_folder(kind: str) -> Path:
    """Return the system's folder for this program's `cache`, `config` or `data`; it need not exist yet."""
    import platformdirs

    places = {
        "cache": platformdirs.user_cache_path,
        "config": platformdirs.user_config_path,
        "data": platformdirs.user_data_path,
    }
    return places[kind](APP, appauthor=False)


def _setting(default: Any, about: str, *, least: float | None = None, most: float | None = None) -> Any:
    """Declare one setting: its default, its description, and its range."""
    return field(default=default, metadata={"about": about, "least": least, "most": most})


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. A limit of None means no limit.

    >>> Settings(api_key="secret").api_key, "secret" in repr(Settings(api_key="secret"))
    ('secret', False)
    """

    model: str = _setting("", "language model to ask; naming one adds the provider llm")
    base_url: str = _setting(OPENAI_URL, "address of the server that has the model")
    api_key: str = field(default="", repr=False, metadata={"about": "key for that server, from the environment only"})
    providers: tuple[str, ...] = _setting(("lexicon",), "names of the providers to ask for candidates, or none")
    rounds: int = _setting(2, "maximum number of further rounds for unsure slots", least=0)
    threshold: float = _setting(0.75, "a slot less sure than this is asked again", least=0, most=1)
    sure: float = _setting(SURE, "a grid at least this probable counts as solved", least=SURE, most=1)
    offline: bool = _setting(False, "open no network connection")
    cache_dir: Path = field(default_factory=lambda: user_folder("cache"), metadata={"about": "folder of the cache"})
    data_dir: Path = field(default_factory=lambda: user_folder("data"), metadata={"about": "folder of the ledger"})
    max_calls: int | None = _setting(None, "maximum number of requests to the language model", least=0)
    max_tokens: int | None = _setting(None, "maximum number of tokens, prompts and answers together", least=0)
    timeout: float | None = _setting(None, "maximum seconds for a response; none: the provider's default", least=0.01)
    datamuse_url: str = _setting(DATAMUSE_URL, "server with Datamuse's interface")
    seconds: float | None = _setting(None, "maximum seconds of search, without waiting for providers", least=0)
    patience: float | None = _setting(None, "maximum seconds of waiting for providers", least=0)
    prices: Mapping[str, tuple[float, float]] = field(
        default_factory=dict,
        hash=False,
        metadata={"about": "model = [prompt, completion] per million tokens; a table of the file"},
    )
    run: str = field(default="", compare=False)  # the searches of one name share the limits on calls and tokens
    origins: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def origin(self, name: str) -> str:
        """Return where a setting's value comes from."""
        return self.origins.get(name, "default")

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield (name, value, origin) of every setting as text; the key is masked.

        >>> next(Settings().rows())
        ('model', '', 'default')
        """
        for name in SETTINGS:
            value = getattr(self, name)
            if name == "api_key":
                shown = "(set)" if value else "(none)"
            elif name == "prices":
                shown = ", ".join(f"{model} {price[0]:g} + {price[1]:g}" for model, price in value.items()) or "none"
            else:
                shown = (
                    ",".join(value) or "none" if isinstance(value, tuple) else "none" if value is None else str(value)
                )
            yield name, shown, self.origin(name)


SETTINGS = {f.name: f for f in fields(Settings) if f.name not in {"origins", "run"}}
"""Name -> dataclass field of every setting; its metadata has the description."""


def load_settings(
    flags: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    file: Path | str | None = None,
) -> Settings:
    """Return the settings: each from the first source that has it, flags of None left out.

    `env` defaults to the process's environment. `file` must exist if it is given; without it GRIDWRIGHT_CONFIG names
    one, and without that the user's own is read if it exists. Raises ConfigError for an unknown name, a value of the
    wrong type or out of range, and an unreadable file.
    """
    env = os.environ if env is None else env
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    for name in given:
        if name not in SETTINGS or name == "api_key":
            raise ConfigError(f"unknown flag for {name}; choose from {_known()}")
    path, table = _read_file(file or env.get(PREFIX + "CONFIG"))
    openai_url = env.get("OPENAI_BASE_URL") or OPENAI_URL
    sources: tuple[tuple[Callable[[str], str], Callable[[str], Any]], ...] = (  # name -> origin, and name -> value
        (lambda name: f"flag --{name.replace('_', '-')}", given.get),
        (lambda name: f"environment {PREFIX}{name.upper()}", lambda name: env.get(PREFIX + name.upper()) or None),
        (lambda _: f"file {path}", table.get),
        (lambda _: "environment OPENAI_BASE_URL", {"base_url": env.get("OPENAI_BASE_URL") or None}.get),
    )
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name in SETTINGS:
        for origin, value in sources:
            if (found := value(name)) is not None:
                origins[name] = origin(name)
                values[name] = _convert(name, found, origins[name])
                break
    is_openai = values.get("base_url", OPENAI_URL).rstrip("/") in {OPENAI_URL, openai_url.rstrip("/")}
    if "api_key" not in values and is_openai and env.get("OPENAI_API_KEY"):
        values["api_key"], origins["api_key"] = env["OPENAI_API_KEY"], "environment OPENAI_API_KEY"
    settings = Settings(**values, origins=origins)
    if settings.model and "llm" not in settings.providers:
        return replace(settings, providers=("llm", *settings.providers))
    return settings


def _read_file(file: Path | str | None) -> tuple[Path, Mapping[str, Any]]:
    path = Path(file).expanduser() if file else user_folder("config") / "config.toml"
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if file:
            raise ConfigError(f"{path}: this settings file does not exist") from None
        return path, {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {reason(error)}") from None
    import tomllib  # most users have no such file

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    for name in table:
        if name == "api_key":
            raise ConfigError(f"{path}: api_key does not belong in a file: set {PREFIX}API_KEY in the environment")
        if name not in SETTINGS:
            raise ConfigError(f"{path}: unknown setting {name!r}; choose from {_known()}")
    return path, table


def _known() -> str:
    return ", ".join(name for name in SETTINGS if name != "api_key")


def _convert(name: str, value: Any, origin: str) -> Any:
    """Convert a value from a flag, the environment or TOML to the setting's type."""
    about = SETTINGS[name]
    kind = str(about.type)
    expected, convert = KINDS[kind]
    try:
        converted = convert(value)
    except (TypeError, ValueError):
        raise ConfigError(f"{origin}: {name} must be {expected}, not {value!r}") from None
    least, most = about.metadata.get("least"), about.metadata.get("most")
    too_low = least is not None and converted is not None and not converted >= least
    too_high = most is not None and converted is not None and not converted <= most
    if too_low or too_high:
        limits = f"from {least} to {most}" if most is not None else f"{least} or more"
        raise ConfigError(f"{origin}: {name} must be {limits}, not {value!r}")
    return converted


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value.strip()


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    return float(value)


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = _text(value).lower()
    if word not in YES and word not in NO:
        raise ValueError
    return word in YES


def _names(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not parts:
        raise TypeError
    names = tuple(_text(part) for part in parts)
    return () if names == ("none",) else names


def _path(value: Any) -> Path:
    return value if isinstance(value, Path) else Path(_text(value)).expanduser()


def _prices(value: Any) -> dict[str, tuple[float, float]]:
    if not isinstance(value, Mapping):
        raise TypeError
    prices = {}
    for model, pair in value.items():
        prompt, completion = (_number(price) for price in pair)
        if not (0 <= prompt < float("inf") and 0 <= completion < float("inf")):
            raise ValueError
        prices[model] = (prompt, completion)
    return prices


def _or_none(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value == "none" else convert(value)


KINDS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "str": ("text", _text),
    "int": ("a whole number", _whole),
    "float": ("a number", _number),
    "bool": ("true or false", _truth),
    "tuple[str, ...]": ("a list of names", _names),
    "Path": ("a path", _path),
    "int | None": ("a whole number, or none", _or_none(_whole)),
    "float | None": ("a number, or none", _or_none(_number)),
    "Mapping[str, tuple[float, float]]": ("a table of model = [prompt, completion] per million tokens", _prices),
}
"""Type of a setting -> its name in messages, and the function that converts text or TOML to it."""
