"""What a statement says about somebody, in one shape for every language."""

from __future__ import annotations

from typing import NamedTuple

USER = "user"
"""Subject of what users say about themselves."""

TASTE = "taste"
"""Attribute of likings and dislikes; several hold side by side."""

SINGLE_VALUED = frozenset(
    (  # noqa: SIM905  (words read better as a text)
        "home employer job name age birthday marital working diet drives studies seat smoking gears theme indent units language tone "
        "length layout form-of-address"
    ).split()
)
"""Attributes with one value at a time, beside favourites, routines and what somebody calls "my ..."."""

OPEN = ("favourite ", "preferred ", "my ", "time of ")
"""How open attributes begin; each has one value at a time."""


class Fact(NamedTuple):
    """One thing that a statement says.

    Attributes:
        subject: `user`, or the other person or thing as named, lower case.
        attribute: Normalised; behind `@` where it holds ("seat@train").
        value: Lower case, without articles.
        polarity: `1` is, has, likes; `-1` no longer, not.
        dropped: A value that the statement itself leaves behind; empty: none.
    """

    subject: str
    attribute: str
    value: str
    polarity: int = 1
    dropped: str = ""

    @property
    def base(self) -> str:
        """The attribute without where it holds."""
        return self.attribute.partition("@")[0]


def single(attribute: str) -> bool:
    """Say whether an attribute has one value at a time."""
    base = attribute.partition("@")[0]
    return base in SINGLE_VALUED or base.startswith(OPEN)
