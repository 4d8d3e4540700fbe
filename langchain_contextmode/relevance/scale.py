"""From a sum of signals to the 0..10 scale: relative to the rest of the log, with floors for what is evidence at all."""

from __future__ import annotations

from typing import Any

COMPRESS_VALUE = 6.0
"""Value of a block at the border between drop and compress. Also the least that an exact entity of the request is worth."""

KEEP_VALUE = 8.0
"""Value of a block at the border between compress and keep."""

_COMPRESS_SHARE, _COMPRESS_BLOCKS, _COMPRESS_FLOOR = 0.50, 32, 0.05
_KEEP_SHARE, _KEEP_BLOCKS, _KEEP_FLOOR = 0.35, 16, 0.10
_COMPRESS_TOP, _KEEP_TOP = 0.7, 0.85
_IN_DOUBT = 0.25


def to_values(total: Any) -> Any:
    """Map sums of signals to 0.0..10.0, in the same order.

    The better third of the log, or 16 blocks, may be kept, and the better half, or 32 blocks, is at least compressed, if the
    signals say anything for it (the floors, in shares of the request). Blocks that come near the best one (85 %, 70 %) share
    its fate, however many they are: what every message says must not be dropped for being everywhere. Between these marks
    values are linear in the sum, so the best block gets 10 and gaps stay visible. Generous on purpose: when the budget is
    short, order decides, and what was dropped wrongly is gone for this request. Where no block reaches a quarter of the
    request nothing was found, and nothing is dropped: older blocks are compressed, the newer half is kept.

    Shares chosen on LoCoMo 26 and 30.

    Args:
        total: One sum a block, log order; an empty array gives an empty one.
    """
    import numpy as np  # noqa: PLC0415  (comes with chromadb; importing the package must not load it)

    if not len(total):
        return total
    if total.max() < _IN_DOUBT:
        return np.linspace(COMPRESS_VALUE, 10.0, len(total))
    step = 1e-9  # interpolation wants rising marks
    shares = (max(_COMPRESS_SHARE, _COMPRESS_BLOCKS / len(total)), max(_KEEP_SHARE, _KEEP_BLOCKS / len(total)))
    better_half, better_third = np.quantile(total, [max(0.0, 1 - share) for share in shares]).tolist()
    top = float(total.max())
    compress = max(min(better_half, _COMPRESS_TOP * top), _COMPRESS_FLOOR)
    keep = max(min(better_third, _KEEP_TOP * top), _KEEP_FLOOR, compress + step)
    marks = [min(float(total.min()), compress - step), compress, keep, max(float(total.max()), keep + step)]
    return np.interp(total, marks, [0.0, COMPRESS_VALUE, KEEP_VALUE, 10.0])
