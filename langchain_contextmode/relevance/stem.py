"""A small English stemmer: forms of one word become one term.

Lighter than Porter's (Program 14(3), 1980), from which the order comes: plural, then past and progressive, then at most
two derivational endings, then a final `e`, `y` or doubled consonant. Irregular forms are listed. The result is a key, not a word.
"""

from __future__ import annotations

import re
from functools import lru_cache

_IRREGULAR = dict(
    pair.split("/")
    for pair in (  # noqa: SIM905  (words read better as a text)
        "ate/eat eaten/eat became/become began/begin begun/begin bit/bite blew/blow bought/buy broke/break broken/break brought/bring "
        "built/build came/come caught/catch chose/choose chosen/choose drank/drink drawn/draw drew/draw driven/drive drove/drive "
        "fallen/fall fed/feed fell/fall felt/feel flew/fly flown/fly forgot/forget forgotten/forget fought/fight found/find gave/give "
        "given/give grew/grow grown/grow heard/hear held/hold hid/hide hidden/hide kept/keep knew/know known/know led/lead left/leave "
        "lent/lend lost/lose meant/mean met/meet paid/pay ran/run ridden/ride rode/ride sang/sing sat/sit saw/see seen/see sent/send "
        "shot/shoot slept/sleep sold/sell spent/spend spoke/speak spoken/speak stole/steal stolen/steal stood/stand sung/sing "
        "swam/swim taken/take taught/teach threw/throw thrown/throw told/tell took/take understood/understand won/win wore/wear "
        "worn/wear written/write wrote/write children/child feet/foot men/man mice/mouse people/person teeth/tooth women/woman "
        "wives/wife knives/knife lives/life leaves/leaf"
    ).split()
)
_DERIVED = re.compile(
    r"(?<=....)(?:ization|isation|ational|fulness|ousness|iveness|ation|ition|ment|ness|ity|ically|ical|ance|ence|ancy|ency|able|ible|"
    r"ious|ful|ive|ize|ise|ate|ify|ion|ist|ous|ial|ian|al|ly|(?<=[^aeiou])(?:er|or)|ic)$"
)
_SHORT = 3
_VOWEL = re.compile(r"[aeiouy]")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; words with other than ASCII letters, and short ones, come back as they are."""
    if len(word) <= _SHORT or not (word.isascii() and word.isalpha()):
        return _IRREGULAR.get(word, word)
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    else:
        word = _inflected(_plural(word.replace("our", "or") if word.endswith(("our", "ours", "oured", "ourite")) else word))
    for _ in range(2):
        shorter = _DERIVED.sub("", word)
        if not _VOWEL.search(shorter):
            break
        word = shorter
    return _ending(word)


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORT + 1:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _inflected(word: str) -> str:
    """Undo `-ing` and `-ed`: planned -> plan, tried -> try, hoping -> hop (as hope, whose `e` goes too)."""
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and not word.endswith("eed") and _VOWEL.search(base) and len(base) > 1:
            if ending == "ed" and base.endswith("i"):
                return base[:-1] + "y"
            return base[:-1] if len(base) > _SHORT and base[-1] == base[-2] and base[-1] not in "aeioulsz" else base
    return word


def _ending(word: str) -> str:
    """Make `e`, `y` and a doubled consonant at the end count for nothing: love = lov, party = parti, travell = travel."""
    if len(word) > _SHORT and word[-1] == "e":
        word = word[:-1]
    if len(word) > _SHORT and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word[:-1] + "i" if len(word) >= _SHORT and word[-1] == "y" else word
