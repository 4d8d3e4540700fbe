"""English: what people say about themselves and theirs. Patterns look at one statement without quoted words, in lower case."""

from __future__ import annotations

import re
from typing import Final

from langchain_contextmode.memories.english_rules import RULES, VALUE
from langchain_contextmode.memories.facts import USER, Fact

_SPELLED: Final = (
    (re.compile(r"\b(i|we|you|they)'m\b|\bim\b(?= )"), "i am"),
    (re.compile(r"\b(?:can't|cannot|cant)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bdont\b"), "do not"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"(?<=\b(?:he|it))'s\b|(?<=\bshe)'s\b|(?<=\bname)'s\b"), " is"),
    (re.compile(r"\b(dr|mr|mrs|ms|prof|st)\."), r"\1"),
    (re.compile(r"[\s\u00a0]+"), " "),
)
_FAVOURITE: Final = re.compile(
    r"(?:(?P<whose>(?:my|our) [a-z-]+(?: [a-z-]+)?)'s |\b(?:my|our) )(?:current |new |all-time |"
    r"absolute )*(?P<f>favou?rite|preferred|go-to|usual) "
    rf"(?P<x>[a-z-]+(?: [a-z-]+){{0,2}}?) (?:is|are|has become|became|would be|will be|has changed to|changed to)"
    rf"(?: now| currently| actually| not)* {VALUE}"
)
_IS_FAVOURITE: Final = re.compile(
    r"(?:^|[,;] ?)(?P<v>[^,.;:!?\x00]{1,60}?) (?:is|are|has become) (?:now |still )?(?:my|"
    r"our) (?:new )?(?P<f>favou?rite|preferred|go-to) (?P<x>[a-z-]+(?: [a-z-]+)?)"
)
_MY: Final = re.compile(
    r"(?<![a-z])(?<!\bon )(?<!\bin )(?<!\bat )(?<!\bof )(?<!\bto )(?<!\bfor )(?<!\bwith )(?<!\bfrom )(?<!\bnear )(?<!\babout )(?<!\bby )"
    r"(?:(?P<whose>(?:my|"
    r"our) [a-z-]+(?: [a-z-]+)?)'s |(?:my|our) )(?P<x>[a-z-]+(?: [a-z-]+){0,2}?)"
    rf"(?: is called| is named| is now| are now| has changed to| changed to| is actually| is| are) {VALUE}"
)
_PREFERENCE: Final = re.compile(r"(?P<x>[a-z-]+(?: [a-z-]+)?) (?:preference|choice)$")
_NO_ATTRIBUTE: Final = re.compile(
    r"(?:.* )?(?:questions?|problems?|issues?|points?|plans?|ideas?|guess|order|orders|flight|flights|"
    r"meeting|appointment|booking|request|code|"
    r"deadline|opinion|bad|mistake|fault|concern|worry|goal|hope|answer|message|test|tests|build|server|"
    r"package|parcel|reservation|train|bus|"
    r"computer|laptop|phone|screen|internet|connection|account|website|app|thing|turn|understanding|"
    r"impression|budget|suggestion|essay|paper|draft|"
    r"report|script|function|query|file|mind|feeling|head|back|stomach|day|night|week|weekend|morning|battery|password|pin|card number)"
)
_STATE_VALUE: Final = re.compile(
    r"(?:not |very |so |too |really |still |a bit |quite |currently |now )*(?:late|early|broken|slow|down|"
    r"stuck|wrong|here|there|gone|lost|ready|done|"
    r"full|empty|sick|ill|tired|busy|off|on|ok|okay|fine|good|bad|great|nice|coming|going|visiting|waiting|asking|asleep|awake|out|in|away|"
    r"due|over|missing|delayed|failing|[a-z]+ing to|about|that|this|what|how|why|whether|if|to|too|at|"
    r"tomorrow|today|tonight|next|right now)\b"
)
_KINSHIP: Final = re.compile(
    r"(?:my|our) (?:[a-z-]+ )?(?:wife|husband|partner|spouse|girlfriend|boyfriend|fiancee?|son|daughter|"
    r"kids?|child|children|baby|mother|mom|mum|"
    r"father|dad|parents|sisters?|brothers?|friends?|cousins?|aunt|uncle|grand[a-z]+|nephew|niece|roommate|flatmate|"
    r"neighbou?r|dog|cat|team)$"
)
_CUT: Final = re.compile(
    r" (?:but|as an?|because|since|so|when|whenever|if|instead|rather|though|although|unless|while|"
    r"any ?more|now|nowadays|these days|again|than|over|"
    r"please|too|as well|for now|from now|right now|and (?:i|my|we|he|she|the)|more than|in general|especially|thanks?|at all|anyway)\b.*"
)
_FRONT: Final = re.compile(
    r"^(?:(?:an?|the|my|our|some|any|to|of|very|really|much|most|all|both|only|just|kind|being|having|now|"
    r"actually|no,?) )+"
)
_DROPPED: Final = re.compile(
    r"\b(?:instead of|rather than|no longer(?: [a-z]+)?|"
    r"not (?!any ?more)(?=[^,.;]*\bany ?more\b)(?:[a-z]+ )?|switched from|"
    r"not) (?P<v>[^,.;:!?]{1,60}?)(?= any ?more| to | now\b|[,.;:!?]|$)"
)
_CORRECTED: Final = re.compile(
    r"\s*(?:,|-|—|\.\.\.|…|;)?\s*(?:actually|no wait|wait|no|sorry|i mean|make that|or rather|"
    r"scratch that|correction)[,:]? (?:no,? |it is |i mean |make that |"
    r"make it )*(?P<v>[^,.;:!?\x00]{1,60})"
)
_INTRODUCED: Final = re.compile(
    r"\W*(?:hi|hello|hey)(?: there| all| everyone)?[,.! ]+(?:i am|"
    r"this is) (?P<v>[a-z][a-z-]+)(?: here)?(?=[.,!]| and|\W*$)"
)
_ROUTINES: Final = {
    "gets up": "get up",
    "wake up": "get up",
    "goes to bed": "go to bed",
    "go to sleep": "go to bed",
    "eat dinner": "have dinner",
    "eat lunch": "have lunch",
}
_PAST: Final = re.compile(
    r"\b(?:if|when|did|should|would|could|can|might|what|why|how) (?:i|we|my|our|he|she|they)\b|\b(?:i|"
    r"we) (?:wish|wonder)\b"
)


def english_fact(text: str) -> Fact | None:
    """Return what a statement says; `None` if no pattern fits.

    Args:
        text: Lower case, straight apostrophes, quoted words blanked out.
    """
    for pattern, word in _SPELLED:
        text = pattern.sub(word, text)
    if introduced := _INTRODUCED.match(text):
        return Fact(USER, "name", introduced["v"])
    if _PAST.search(text):
        return None
    return _favourite(text) or _by_rules(text) or _mine(text)


def english_value(text: str) -> str:
    """Return a value without articles and without what only follows it."""
    return _FRONT.sub("", _CUT.sub("", f" {text.strip()} ").strip()).strip(" '\"-")


def _favourite(text: str) -> Fact | None:
    match = _FAVOURITE.search(text) or _IS_FAVOURITE.search(text)
    if not match:
        return None
    groups = match.groupdict()
    word = "preferred" if match["f"] in {"preferred", "go-to", "usual"} else "favourite"
    return _made(text, match.end("v"), Fact(groups.get("whose") or USER, f"{word} {_singular(_CUT.sub('', match['x']))}", match["v"]))


def _by_rules(text: str) -> Fact | None:
    for attribute, polarity, pattern in RULES:
        match = pattern.search(text)
        if not match:
            continue
        groups = match.groupdict()
        name = "v" if groups.get("v") else "v2"
        if groups.get("r"):
            attribute = f"time of {_ROUTINES.get(groups['r'], groups['r'])}"  # noqa: PLW2901
        who = groups.get("who") or groups.get("who2") or "i"
        fact = _made(text, match.end(name), Fact(who, attribute, groups[name] or "", polarity))
        if fact:
            old = groups.get("o") or groups.get("o2")
            return fact._replace(dropped=english_value(old)) if old else fact
    return None


def _mine(text: str) -> Fact | None:
    """Read "my dentist is Dr Lee"; what only tells how things stand is none."""
    match = _MY.search(text)
    if not match or _NO_ATTRIBUTE.fullmatch(match["x"]) or _STATE_VALUE.match(match["v"]):
        return None
    if not match["whose"] and _KINSHIP.fullmatch(f"my {match['x']}") and "called" not in match.group() and "named" not in match.group():
        return _made(text, match.end("v"), Fact(f"my {match['x'].removeprefix('new ')}", "my self", match["v"]))
    choice = _PREFERENCE.fullmatch(match["x"])
    attribute = f"preferred {choice['x']}" if choice else f"my {match['x'].removeprefix('new ').removeprefix('current ')}"
    return _made(text, match.end("v"), Fact(match["whose"] or USER, attribute, match["v"]))


def _made(text: str, end: int, read: Fact) -> Fact | None:
    """Return a fact with its value cleaned, put right where the statement corrects itself; `None` if no value is left."""
    corrected = _CORRECTED.match(text, end) if read.value else None
    cleaned = english_value(corrected["v"] if corrected else read.value)
    if not cleaned:
        return None
    subject = USER if read.subject in {"i", "we", USER} else read.subject.replace("our ", "my ", 1)
    left = _DROPPED.search(text) if read.polarity > 0 else None
    dropped = english_value(read.value) if corrected else english_value(left["v"]) if left else ""
    return Fact(subject, read.attribute, cleaned, read.polarity, dropped if dropped != cleaned else "")


def _singular(words: str) -> str:
    return words[:-1] if words.endswith("s") and not words.endswith(("ss", "us", "is")) else words
