"""From a sum of signals to the 0..10 scale."""

from __future__ import annotations

from typing import Any

ENTITY_VALUE = 6.0
"""What a block that holds an exact entity of the request gets at least: enough to be compressed, not to be kept."""


def to_values(total: Any) -> Any:
    """Map sums of signals to 0.0..10.0."""
    import numpy as np  # noqa: PLC0415

    return np.clip(total * 10, 0, 10)
