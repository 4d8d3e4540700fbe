"""English: the rules by which a statement tells something about its speaker or theirs. Each looks at one statement in lower case."""

from __future__ import annotations

import re
from typing import Final

from langchain_contextmode.memories.facts import TASTE

_MINE: Final = r"(?:my|our) (?:[a-z-]+ ){0,2}?[a-z-]+"
_NOT_A_WHO: Final = r"(?:(?:my|our) (?:favou?rite|preferred|go-to|name|birthday|new|first)\b)"
_WHO: Final = rf"(?<![a-z'-])(?:(?P<who>i|we|he|she|they|(?!{_NOT_A_WHO}){_MINE})) "
_ADV: Final = (
    r"(?:(?:really|very|also|now|just|still|actually|usually|always|mostly|generally|currently|recently|finally|only|even|so|have|has|"
    r"absolutely|totally|truly|quite|definitely|particularly|especially|personally|simply|strongly|much|do|does|honestly|nowadays) ){0,4}"
)
_BE: Final = r"(?:am|is|are)"
_NOT: Final = r"(?:(?:do|does|did|would|will) not|no longer|never|(?:do|does) no longer|have never|has never)"
VALUE: Final = r"(?P<v>[^,.;:!?()\x00]{1,90})"
_A: Final = r"(?:an? |the )?"
_JOBS: Final = (
    r"(?:[a-z-]+ ){0,3}?(?:[a-z-]*(?:ist|ian|teacher|engineer|developer|designer|driver|manager|lawyer|nurse|doctor|writer|painter|"
    r"programmer|carpenter|photographer|plumber|farmer|baker|waiter|waitress|officer|worker|trainer|"
    r"researcher|lecturer|professor|student|chef|cook|"
    r"pilot|architect|consultant|accountant|analyst|surgeon|vet|actor|actress|editor|tutor|doctor|director|translator|sailor|tailor|"
    r"contractor|barber|gardener|fisherman|firefighter|soldier|judge|clerk|assistant|founder|ceo|cto|administrator|planner|trader|"
    r"maker|singer|dancer|instructor|broker|miner|welder|roofer|paramedic|intern|apprentice))\b"
)
_THINGS_OF_NOW: Final = (
    r"(?!(?:(?:an? |the |some |one |two |few |bit |lot |lots |of |any |no |quick |small |few |more |another |other |big |little |very |"
    r"doctor's |new |weird |strange |only |further |second )*)(?:questions?|problems?|issues?|ideas?|"
    r"meetings?|appointments?|flights?|plans?|look|time|minutes?|hours?|"
    r"days?|weeks?|to\b|been\b|got\b|chance|trouble|doubts?|feeling|headache|cold|fever|error|bug|deadline|call|date|visitors?|"
    r"reservation|booking|exam|interview|favou?r|request|suggestions?|options?|thoughts?|reason|point|way|fun|enough|it|this|that|"
    r"them|you|never|not|seen|heard|tried|read|made|done|had|gone|visited|lost|found|sent|tickets?|orders?|note|comments?)\b)"
)
_DIETS: Final = (
    r"(?P<v>vegan|vegetarian|pescatarian|halal|kosher|coeliac|celiac|gluten[- ]free|lactose[- ]intolerant|keto|flexitarian|omnivore|"
    r"muslim|teetotal|teetotaller|diabetic)\b"
)
_SCHOOLS: Final = (
    r"(?P<v>kindergarten|nursery|pre-?school|primary school|elementary school|middle school|secondary school|high school|college|"
    r"university|uni|law school|medical school|(?:first|second|third|fourth|fifth|sixth|seventh|eighth) grade)\b"
)
_TRAITS: Final = (
    r"(?P<v>[a-z]+-(?:handed|blind|sighted)|colou?r-?blind|deaf|dyslexic|autistic|an? (?:twin|only child|introvert|extrovert|"
    r"morning person|"
    r"night owl|early bird)|catholic|protestant|jewish|hindu|buddhist|christian|atheist|sikh|adopted|hard of hearing)\b"
)
_STATES: Final = r"(?P<v>married|single|divorced|engaged|widowed|retired|pregnant|unemployed|self-employed|separated)\b"

_RULES: Final[tuple[tuple[str, int, str], ...]] = (
    (
        "name",
        1,
        (
            rf"\b(?:my|our) (?:full |first |real )?name is (?:now )?{VALUE}|\bi (?:go by|am called|"
            rf"am named)(?: the name)? {VALUE.replace('<v>', '<v2>')}"
        ),
    ),
    ("form-of-address", 1, rf"\b(?:call|address) me {VALUE}"),
    ("diet", -1, rf"{_WHO}{_ADV}(?:{_BE} {_ADV}(?:no longer|not) {_A}(?:strict )?|stopped being {_A}|gave up being {_A}){_DIETS}"),
    (
        "diet",
        1,
        (
            rf"{_WHO}{_ADV}(?:{_BE}|went|gone|turned|became|become|going|stay|stayed|"
            rf"remain) {_ADV}{_A}(?:strict(?:ly)? |lifelong |fully )*{_DIETS}"
        ),
    ),
    ("diet", 1, rf"{_WHO}{_ADV}(?:eat|eats|eating|started eating|am eating|is eating) {_ADV}(?P<v>meat)\b"),
    ("allergy", -1, rf"{_WHO}{_ADV}(?:{_BE} {_ADV}(?:no longer|not) )allergic to {VALUE}"),
    (
        "allergy",
        1,
        (
            rf"{_WHO}{_ADV}(?:{_BE}|became|become|developed|have|has|got|"
            rf"suffers? from) {_ADV}{_A}(?:[a-z]+ )??(?:allergic|allergy) to {VALUE}"
        ),
    ),
    (
        "home",
        -1,
        (
            rf"{_WHO}{_ADV}{_NOT} {_ADV}(?:live|lives|living|reside) (?:in|at|on|near) {VALUE}|"
            rf"{_WHO.replace('<who>', '<who2>')}{_ADV}moved (?:away from|out of) {VALUE.replace('<v>', '<v2>')}"
        ),
    ),
    (
        "home",
        1,
        (
            rf"{_WHO}{_ADV}(?:{_BE} )?{_ADV}(?:living|live|lives|reside|resides|based|settled|residing)(?: now|"
            rf" currently| down| back)* in (?!an? |my |our ){VALUE}"
        ),
    ),
    ("home near", 1, rf"{_WHO}{_ADV}(?:{_BE} )?{_ADV}(?:living|live|lives|based)(?: now)? (?:near|at|on|close to|next to) {VALUE}"),
    ("home kind", 1, rf"{_WHO}{_ADV}(?:{_BE} )?{_ADV}(?:living|live|lives|rent|rents)(?: now)? (?:in )?(?=an? ){VALUE}"),
    (
        "home",
        1,
        (
            rf"{_WHO}{_ADV}(?:moved|relocated)(?: back| over| down| up| out| house| home|"
            rf" again)*(?: from (?P<o>[^,.;:!?]{{1,40}}?))? to {VALUE}"
        ),
    ),
    ("employer", -1, rf"{_WHO}{_ADV}{_NOT} {_ADV}work (?:for|at) {VALUE}"),
    (
        "employer",
        1,
        (
            rf"{_WHO}{_ADV}(?:{_BE} )?{_ADV}(?:work|works|working|employed)(?: now| currently)? (?:for|at|"
            rf"with) (?!home|night|the moment|the weekend){VALUE}"
        ),
    ),
    (
        "employer",
        1,
        (
            rf"{_WHO}{_ADV}(?:joined|started (?:working )?(?:at|with)|left (?P<o>[^,.;:!?]{{1,40}}?) for|"
            rf"moved from (?P<o2>[^,.;:!?]{{1,40}}?) over to) {VALUE}"
        ),
    ),
    ("job", -1, rf"{_WHO}{_ADV}(?:{_BE} {_ADV}(?:no longer|not) |stopped (?:working as|being) ){_A}(?P<v>{_JOBS})"),
    ("job", 1, rf"{_WHO}{_ADV}(?:{_BE} )?{_ADV}(?:work|works|working|employed|retrained|started|hired)(?: now| currently)? as {_A}{VALUE}"),
    ("job", 1, rf"{_WHO}{_ADV}(?:{_BE}|became|become|promoted to|been promoted to|got promoted to|turned) {_ADV}{_A}(?P<v>{_JOBS})"),
    (
        "age",
        1,
        (
            rf"{_WHO}{_ADV}(?:{_BE}|turned|turning) {_ADV}(?P<v>\d{{1,3}})(?= years? old| now|\W*$| and\b)|"
            rf"{_WHO.replace('<who>', '<who2>')}{_ADV}turned (?P<v2>\d{{1,3}})\b(?! (?:percent|%|degrees))"
        ),
    ),
    ("birthday", 1, rf"\b(?:my|our) birthday is (?:on |in )?{VALUE}|{_WHO}(?:was|were) born (?:on|in) {VALUE.replace('<v>', '<v2>')}"),
    ("status", 1, rf"{_WHO}{_ADV}(?:{_BE}|got|became) {_ADV}(?:happily )?{_STATES}"),
    ("origin", 1, rf"{_WHO}{_ADV}(?:{_BE} {_ADV}(?:originally )?from|come from|comes from|grew up in) (?!work|home|here|there){VALUE}"),
    ("studies", 1, rf"{_WHO}{_ADV}(?:{_BE} )?{_ADV}(?:studying|study|studies|majoring in|switched my major to) {VALUE}"),
    ("studies", 1, rf"{_WHO}{_ADV}(?:{_BE} )?(?:in|at|attends?|goes to|go to|started|starting) {_SCHOOLS}"),
    ("trait", 1, rf"{_WHO}{_ADV}{_BE} {_ADV}{_TRAITS}"),
    ("speaks", 1, rf"{_WHO}{_ADV}(?:speak|speaks|{_BE} fluent in|{_BE} learning|learn|learns) (?!to\b|with\b|how\b){VALUE}"),
    ("drives", 1, rf"{_WHO}{_ADV}(?:drive|drives|{_BE} driving) {_A}(?!to\b|there|home|back|past|me\b|around){VALUE}"),
    (
        "routine",
        1,
        (
            rf"{_WHO}{_ADV}(?:go|goes|do|does|have|has|play|plays|take|takes) (?:to )?(?:the |my |a )?(?P<r>[a-z-]+(?: [a-z-]+)?) "
            r"(?:on|every) (?P<v>(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: and [a-z]+days?)?|weekends?|weekdays?)\b"
        ),
    ),
    (
        "routine",
        1,
        (
            rf"{_WHO}{_ADV}(?P<r>get up|gets up|wake up|go to bed|goes to bed|go to sleep|have (?:dinner|lunch|"
            rf"breakfast)|eat (?:dinner|lunch)|start work|work out|go running) (?:at|by|around|before) {VALUE}"
        ),
    ),
    (TASTE, 1, rf"{_WHO}{_ADV}{_NOT} {_ADV}(?:hate|dislike|detest|mind) {VALUE}"),
    (
        "my commute",
        1,
        (
            rf"{_WHO}{_ADV}(?:commute|commutes|go|goes|get|gets|travel|travels)?(?:to work )?(?:take|takes|by|use|uses)? ?(?:the )?"
            r"(?P<v>bus|train|metro|subway|tram|car|bike|bicycle|cycle|walk|drive|ferry|tube) to (?:work|the office|school|university)\b"
        ),
    ),
    (
        TASTE,
        -1,
        (
            rf"{_WHO}{_ADV}{_NOT} {_ADV}(?:like|love|enjoy|care for|prefer|eat|drink|use|want|watch|listen to|play|"
            rf"read|take|wear|smoke)(?: to)? {VALUE}"
        ),
    ),
    (
        TASTE,
        -1,
        (
            rf"{_WHO}{_ADV}(?:hate|hates|dislike|dislikes|detest|detests|loathe|loathes|avoid|avoids|can not stand|can not bear|despise|"
            r"stopped liking|stopped eating|stopped drinking|quit|gave up|given up|went off|gone off|"
            r"grown tired of|got tired of|got bored of|used to (?:like|love|enjoy|prefer|hate)|"
            rf"{_BE} {_ADV}(?:not |no longer )(?:really )?(?:into|fond of|keen on|a (?:big |huge )?fan of|"
            rf"crazy about)|{_BE} (?:so )?(?:sick|tired) of|fell out of love with) {VALUE}"
        ),
    ),
    (
        TASTE,
        1,
        (
            rf"{_WHO}(?:would )?{_ADV}(?:like|likes|love|loves|enjoy|enjoys|prefer|prefers|adore|adores|favou?r|"
            r"came to (?:like|love)|started (?:to like|to love|liking|loving|enjoying)|fell in love with|rather have|rather take|"
            rf"{_BE} {_ADV}(?:into|fond of|keen on|an? (?:big |huge )?(?:fan|lover) of|crazy about)) {VALUE}"
        ),
    ),
    (
        TASTE,
        1,
        (
            rf"{_WHO}{_ADV}(?:eat|eats|drink|drinks|play|plays|listen to|collect|collects|take|takes|wear|"
            rf"wears) (?!the (?:first|second|other)|it\b|this\b|that\b|place\b|care\b|a (?:look|seat|break)){VALUE}"
        ),
    ),
    (
        "has",
        -1,
        (
            rf"{_WHO}{_ADV}(?:(?:no longer|do not|does not) {_ADV}(?:have|has|own|keep)|sold|gave away|"
            rf"got rid of) {_THINGS_OF_NOW}{VALUE}"
        ),
    ),
    (
        "has",
        1,
        (
            rf"{_WHO}(?:now |also |already |recently |just |only )*(?:have|has|own|owns|have got|got|keep|keeps|"
            rf"adopted|bought|have adopted|have bought) {_THINGS_OF_NOW}(?=an? |two |three |four |five |six |\d|"
            rf"twin|[a-z]+s\b){VALUE}"
        ),
    ),
    (
        "has",
        -1,
        r"\b(?:my|our) (?P<v>[a-z-]+(?: [a-z-]+)?) (?:died|has died|passed away|ran away|was stolen|has been stolen|was put down)\b",
    ),
    (
        "uses",
        1,
        (
            rf"{_WHO}{_ADV}(?:{_BE} )?{_ADV}(?:switched|changed|switching|migrated)(?: over|"
            rf" back)*(?: from (?P<o>[^,.;:!?]{{1,40}}?))? to {VALUE}"
        ),
    ),
    ("uses", 1, rf"{_WHO}{_ADV}(?:use|uses|{_BE} using) (?!the (?:first|second)|it\b|this\b|that\b|to\b|your\b){VALUE}"),
)
RULES: Final = tuple((attribute, polarity, re.compile(pattern)) for attribute, polarity, pattern in _RULES)
"""Attribute, polarity, pattern; the first one that fits counts."""
