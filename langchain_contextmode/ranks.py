"""tiktoken's ranks, if they are on this machine already: read from its own cache, checked, never downloaded.

tiktoken downloads what its cache lacks and deletes a file whose hash is wrong, so it is not asked to load anything: the
file is found as tiktoken finds it (`TIKTOKEN_CACHE_DIR`, `DATA_GYM_CACHE_DIR`, else a folder in the temporary directory;
the name is the SHA-1 of the address), checked against the published SHA-256, and parsed here.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from langchain_contextmode.errors import ConfigError

if TYPE_CHECKING:
    from tiktoken import Encoding


class _Published(NamedTuple):
    """What OpenAI publishes under one name (as in `tiktoken_ext.openai_public`)."""

    sha256: str
    pattern: str


_URL: Final = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
_O200K_PATTERN: Final = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*"
    r"|\s*[\r\n]+"
    r"|\s+(?!\S)"
    r"|\s+"
)
_PUBLISHED: Final = {
    "o200k_base": _Published("446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", _O200K_PATTERN),
    "cl100k_base": _Published(
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    ),
}


@functools.cache
def load_encoding(name: str) -> Encoding:
    """Build the encoding from ranks on this machine; once a process.

    Raises:
        ConfigError: The name is unknown, or there is no file with the published ranks.
    """
    if name not in _PUBLISHED:
        message = f"Unknown encoding {name!r}; known: {', '.join(_PUBLISHED)}."
        raise ConfigError(message)
    published = _PUBLISHED[name]
    ranks = _read(cache_file(name), published.sha256)
    if ranks is None:
        message = (
            f"The ranks of {name} are not in tiktoken's cache, and nothing is downloaded here. Run "
            f"tiktoken.get_encoding({name!r}) once where there is a network, or use ScriptEstimate()."
        )
        raise ConfigError(message)
    from tiktoken import Encoding  # noqa: PLC0415  (importing the package must not import tiktoken)

    lines = (line.split() for line in ranks.splitlines() if line)
    return Encoding(name, pat_str=published.pattern, mergeable_ranks={base64.b64decode(t): int(r) for t, r in lines}, special_tokens={})


def cache_file(name: str) -> Path | None:
    """Return where tiktoken caches the ranks of an encoding; `None` if its cache is switched off (an empty folder name)."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder == "":
        return None
    root = Path(folder) if folder is not None else Path(tempfile.gettempdir()) / "data-gym-cache"
    return root / hashlib.sha1(_URL.format(name).encode(), usedforsecurity=False).hexdigest()


def _read(path: Path | None, sha256: str) -> bytes | None:
    try:
        data = path.read_bytes() if path else b""
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == sha256 else None
