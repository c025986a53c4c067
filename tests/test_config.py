"""Settings: their precedence, refusals, and secrets."""

import dataclasses
import pickle

import pytest

from agent.config import OPENAI_URL, SETTINGS, Settings, load_settings, user_folder
from agent.errors import ConfigError


@pytest.fixture
def file(tmp_path):
    def write(text: str):
        path = tmp_path / "config.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture(autouse=True)
def _no_own_settings(tmp_path, monkeypatch):
    """Isolate the tests from the settings of the person who runs them."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("OPENAI_API_KEY", "GRIDWRIGHT_API_KEY", "GRIDWRIGHT_CONFIG"):
        monkeypatch.delenv(name, raising=False)


def test_flag_beats_environment_beats_file_beats_default(file):
    path = file("rounds = 2\ntimeout = 7\nthreshold = 0.5")
    env = {"GRIDWRIGHT_ROUNDS": "4", "GRIDWRIGHT_TIMEOUT": "8"}
    settings = load_settings({"rounds": 6, "timeout": None}, env, path)
    assert (settings.rounds, settings.timeout, settings.threshold) == (6, 8.0, 0.5)
    assert settings.model == Settings().model
    assert settings.origin("rounds") == "flag --rounds"
    assert settings.origin("timeout") == "environment GRIDWRIGHT_TIMEOUT"
    assert settings.origin("threshold") == f"file {path}"
    assert settings.origin("model") == "default"


def test_without_anything_every_setting_is_the_default():
    assert load_settings({}, {}) == Settings()


def test_the_users_own_file_is_read_when_there_is_one():
    own = user_folder("config") / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text('model = "mine"')
    assert load_settings({}, {}).model == "mine"
    assert load_settings({}, {}).origin("model") == f"file {own}"


def test_the_environment_may_name_the_file(file):
    path = file('model = "named"')
    assert load_settings({}, {"GRIDWRIGHT_CONFIG": str(path)}).model == "named"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("offline", "yes", True),
        ("offline", "0", False),
        ("providers", "datamuse, lexicon", ("datamuse", "lexicon")),
        ("max_calls", "12", 12),
        ("max_calls", "none", None),
        ("seconds", "1.5", 1.5),
    ],
)
def test_text_becomes_what_the_setting_is(name, text, value):
    settings = load_settings({}, {f"GRIDWRIGHT_{name.upper()}": text})
    assert getattr(settings, name) == value


def test_toml_lists_and_paths_are_understood(file, tmp_path):
    settings = load_settings({}, {}, file(f'providers = ["lexicon"]\ncache_dir = "{tmp_path.as_posix()}"'))
    assert settings.providers == ("lexicon",)
    assert settings.cache_dir == tmp_path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("modle = 'x'", "unknown setting 'modle'"),
        ("api_key = 'x'", "api_key does not belong in a file"),
        ("rounds = 'many'", "rounds must be a whole number, not 'many'"),
        ("rounds = -1", "rounds must be 0 or more, not -1"),
        ("rounds = true", "rounds must be a whole number"),
        ("threshold = 1.5", "threshold must be from 0 to 1, not 1.5"),
        ("timeout = nan", "timeout must be 0.01 or more"),
        ("offline = 3", "offline must be true or false"),
        ("offline = 'perhaps'", "offline must be true or false"),
        ("providers = []", "providers must be a list of names"),
        ("providers = 3", "providers must be a list of names"),
        ("model = ''", "model must be text"),
        ("rounds = ", "not TOML"),
    ],
)
def test_a_bad_file_is_named_with_its_fault(file, text, message):
    path = file(text)
    with pytest.raises(ConfigError, match=r"config\.toml: ") as caught:
        load_settings({}, {}, path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_named_file_must_be_there_and_readable(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.toml: this settings file does not exist"):
        load_settings({}, {}, tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_settings({}, {}, tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"model = '\xe9'")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_settings({}, {}, tmp_path / "latin.toml")


@pytest.mark.parametrize("flags", [{"colour": "blue"}, {"api_key": "x"}])
def test_an_unknown_flag_is_refused_and_the_key_is_not_a_flag(flags):
    with pytest.raises(ConfigError, match="unknown flag for"):
        load_settings(flags, {})


def test_a_bad_value_of_the_environment_names_the_variable():
    with pytest.raises(ConfigError, match="environment GRIDWRIGHT_ROUNDS: rounds must be a whole number"):
        load_settings({}, {"GRIDWRIGHT_ROUNDS": "x"})


def test_the_openai_key_goes_to_openai_alone():
    env = {"OPENAI_API_KEY": "sk-openai"}
    assert load_settings({}, env).api_key == "sk-openai"
    assert load_settings({"base_url": OPENAI_URL + "/"}, env).api_key == "sk-openai"
    assert load_settings({"base_url": "http://localhost:11434/v1"}, env).api_key == ""
    assert load_settings({"base_url": "https://api.openai.com.example/v1"}, env).api_key == ""


def test_our_own_key_goes_wherever_it_was_given_for():
    env = {"OPENAI_API_KEY": "sk-openai", "GRIDWRIGHT_API_KEY": "sk-own", "GRIDWRIGHT_BASE_URL": "http://localhost/v1"}
    settings = load_settings({}, env)
    assert settings.api_key == "sk-own"
    assert settings.origin("api_key") == "environment GRIDWRIGHT_API_KEY"


def test_the_key_is_never_shown():
    settings = load_settings({}, {"GRIDWRIGHT_API_KEY": "sk-secret"})
    shown = repr(settings) + str(settings) + str(list(settings.rows()))
    assert "sk-secret" not in shown
    assert ("api_key", "(set)", "environment GRIDWRIGHT_API_KEY") in list(settings.rows())


def test_every_setting_is_listed_with_value_and_origin():
    rows = list(Settings().rows())
    assert [name for name, _, _ in rows] == list(SETTINGS)
    assert ("max_calls", "none", "default") in rows
    assert ("providers", "lexicon", "default") in rows
    assert all(field.metadata["about"] for field in SETTINGS.values())


def test_settings_are_a_value():
    settings = load_settings({"rounds": 2}, {})
    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301  # ours, for worker processes
    assert hash(settings) == hash(dataclasses.replace(settings))
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.rounds = 3


def test_naming_a_model_names_its_provider():
    assert load_settings({"model": "m"}, {}).providers == ("llm", "lexicon")
    assert load_settings({"model": "m", "providers": ("llm",)}, {}).providers == ("llm",)
    assert "llm" not in load_settings({}, {}).providers


def test_the_openai_key_goes_to_the_openai_address_only():
    both = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    assert load_settings({}, both).api_key == "k"
    assert load_settings({"base_url": "http://127.0.0.1:2/v1"}, both).api_key == ""


def test_none_asks_no_provider():
    assert load_settings({"providers": "none"}, {}).providers == ()
    assert ("providers", "none", "default") in [
        (n, v, "default") for n, v, _ in load_settings({"providers": "none"}, {}).rows()
    ]
