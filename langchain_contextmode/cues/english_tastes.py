"""English: what somebody likes, values and does by habit, and what he does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.english_words import ADV, GUARD, OF_NOW, PAST, POINTS, SELF, SELF_IS

if TYPE_CHECKING:
    from langchain_contextmode.schema import PinKind


DISLIKES: Final[tuple[tuple[PinKind, str], ...]] = (
    (
        "dislike",
        (
            r"\bi'd (?:really |absolutely )?(?:hate|dread)\b|\bno (?!thanks|problem|need|rush|hurry|more|"
            r"way)[a-z]+(?: [a-z]+)? for (?:me|us)\b|"
            rf"{SELF}(?:have )?(?:gave up|given up|cut out|swore off|stopped (?:eating|drinking|using|buying|wearing|watching|"
            rf"going))\s+{POINTS}[a-z]|"
            rf"\bi(?:'ve| have) (?:always|long) (?:[a-z]+ )?(?:preferred|liked|loved|enjoyed|valued|favou?red|disliked)\s+{POINTS}[a-z]"
        ),
    ),
    (
        "dislike",
        (
            rf"\b(?:is|are|feels?|gets?) {ADV}(?:hard|difficult|tough|bad|uncomfortable|impossible|painful|stressful|exhausting|"
            r"overwhelming|boring|"
            r"triggering|distracting) (?:for|on) (?:me|us|my [a-z]+)\b|"
            r"^\W*(?:i|we)\b[^.!?]*\b(?:and|but|so|or) (?:can't|cannot|can not|don't|do not|won't|never|avoid|dislike|hate|refuse to) "
            r"(?!think|know|mind|wait|want to (?:miss|be late)|find|need|have|remember|believe|see|understand|went|came)[a-z]+"
        ),
    ),
    (
        "dislike",
        (
            rf"{GUARD}{SELF}{ADV}find (?:that )?[^.!?]{{2,80}}?\b(?:too|hard|difficult|boring|dull|tedious|annoying|tiring|exhausting|"
            r"draining|overwhelming|"
            r"ineffective|inefficient|uncomfortable|unpleasant|unappealing|unhelpful|un[a-z]+ing|dis[a-z]+ing|de[a-z]+ing|overrated|"
            r"confusing|"
            r"stressful|irritating|intimidating|frustrating|repulsive|gross|painful|pointless|impractical|awkward|off-putting|creepy|"
            r"harsh|noisy)\b"
        ),
    ),
    (
        "dislike",
        (
            rf"{GUARD}{SELF}{ADV}(?:dislike|hate(?! (?:to|when you))|despise|detest|loathe|abhor|avoid|refuse|reject|oppose|resent|dread|"
            r"distrust|mistrust|shun|boycott|skip|object to|shy away|"
            r"steer clear|stay (?:away|clear)|keep away|disapprove|struggle|suffer|abstain|refrain|disagree with|fear|can do without|"
            r"could do without|lose interest|tire of|lack|try (?:not )?to(?! (?:remember|reflect|find|provide|help|organi[sz]e|"
            r"understand|be there))|strive|aim (?:to|for)|make (?:a point|an effort|sure)|"
            r"draw the line|run from)\b(?! (?:it|this|that)\s*[.!]?$)"
        ),
    ),
    (
        "dislike",
        (
            rf"(?<!if ){SELF}{ADV}(?:do not|don't|dont|do n't|never|rarely|seldom|hardly ever|hardly|barely|almost never|no longer|"
            rf"can hardly)\s+{ADV}{OF_NOW}{PAST}"
            rf"(?:(?:like|enjoy|love|appreciate|eat|do|use|watch|take|go (?:to|for|with)|buy|accept|trust)\s+)?{POINTS}[a-z]+|"
            rf"{SELF}{ADV}(?:do not|don't|dont) {ADV}(?:care for|care about|feel (?:comfortable|safe|"
            r"at ease|good)|have (?:the |any |much |a )*(?:time for|patience|tolerance|interest|car|licen[cs]e|access|stomach|energy)|"
            r"find [^.!?]{2,60})\b"
        ),
    ),
    (
        "dislike",
        (
            rf"{SELF}{ADV}(?:can't|cannot|can not|cant|couldn't (?=care|stand|live|bear)|can barely|can hardly)\s+{ADV}(?!wait|find|"
            rf"remember|believe|"
            r"decide|think|help|see|hear|"
            r"talk|make|say|tell|imagine|recall|figure|complain|get (?!into|up)|seem|open|log|connect|access|understand|reproduce|"
            r"install|run|load|download|upload|thank|express|stress|agree|promise|be sure|"
            r"read|wrap|put|locate|confirm|pick|choose|select|picture|guess|blame|stop|keep|even|recommend|overstate|describe|explain|"
            r"place|come up|quite|right|yet|now|do it|have done)[a-z]+\b(?! (?:it|this|that)\s*[.!]?$)"
        ),
    ),
    (
        "dislike",
        (
            rf"{SELF}{ADV}(?:feel|think|believe|consider|find it)\s+[^.!?]{{2,70}}?\b(?:too|cruel|unethical|overrated|harmful|boring|"
            r"a waste|wasteful|gross|ugly|tacky|dangerous|disgusting|inhumane|immoral|overpriced|"
            rf"annoying|pointless|exploitative|should not|shouldn't)\b|{SELF}(?:become|feel|felt) {ADV}(?:un[a-z]+|anxious|guilty|sick|"
            r"nauseous|nervous|dizzy|self-conscious|claustrophobic|trapped|stressed|awkward|overwhelmed|bored|ill|stiff|tired|bloated|"
            r"restricted) (?:when|if|with|in|on|by|around|from|about|wearing|doing|eating|after)\b|"
            r"\bi(?:'ve| have) (?:grown|become|developed (?:an?|some) (?:[a-z]+ )?(?:taste|dislike|aversion|fear|interest|love|allergy|"
            r"intolerance|habit)|always (?:hated|disliked|avoided|feared))\b|\b(?:am|'m|are|'re) (?:trying|"
            r"working|looking|hoping|determined|careful|supposed|careful not|advised|told)(?: not)? to (?:avoid|reduce|cut|limit|quit|"
            r"stop|eat|save|minimi[sz]e|lose|stay away|give up|spend)\b|"
            r"\b(?:want|like|need|wish|have|trying|love|going) to (?:avoid|stay away|steer clear|keep away)\b|\b(?:is|are|"
            r"goes?) against (?:my|our)\b"
        ),
    ),
    (
        "dislike",
        (
            rf"(?<!if ){SELF}(?:do not|don't|dont) {ADV}want\s+{POINTS}(?!to (?:see|book|do|hear|buy|miss|waste your|bother|be rude|know|"
            r"add|schedule|make|reserve|listen|attend)|one|any(?:thing)?(?: else)?\s*(?:[.!,]|$)|a reservation|more\b|an? (?:ride|"
            r"appointment))[a-z]+"
        ),
    ),
    (
        "dislike",
        (
            rf"(?:{SELF_IS}not|\bi ain't|\bwe aren't)\s+{ADV}(?:(?:an? )?(?:[a-z]+ ){{0,2}}fan\b|(?:into|fond|keen|crazy|big on|allowed|"
            r"good with|good at|one for|used to|willing|open to|ok with|okay with|happy with|"
            r"the type|drawn|able to|attracted|at ease|impressed by|enthusiastic|comfortable|in favou?r|interested in|there for)\b|"
            r"an? [a-z]+ person)(?!\s*(?:it|this|that)\s*[.!]?$)"
        ),
    ),
    (
        "dislike",
        (
            rf"{SELF_IS}{ADV}(?:(?:scared|afraid|terrified|frightened|averse|opposed|against|uncomfortable|uninterested|disinterested|"
            r"uneasy|wary|skeptical|sceptical|turned off|put off|tired of|sick of|fed up|"
            r"bored (?:by|of|with)|annoyed by|bothered by|repulsed|disgusted|sensitive|overwhelmed by|nervous (?:about|around|on|in|"
            r"with)|anxious|phobic|done with|hesitant|reluctant|disturbed|picky|concerned (?:about|over|with)|worried about|cautious|"
            r"mindful|careful (?:about|with)|suspicious of|self-conscious|disgusted|only (?:interested|comfortable|looking|willing|"
            r"considering|open|able)|useless|"
            r"hopeless|distracted by|intimidated|stressed by|irritated by)\b(?! (?:so\b|not\b|that|i|we|it|this|about (?:it|"
            r"that))\b)(?=\s+[a-z]))"
        ),
    ),
    (
        "dislike",
        (
            rf"{SELF}(?:have|'ve got|got|hold|feel)\s+(?!no (?:problem|issue|objection|preference|idea|fear|"
            rf"trouble))(?:[a-z'-]+ ){{0,4}}?(?:aversions?|dislikes?|hatred|fears?|phobias?|distaste|disdain|objections?|reservations|"
            r"concerns|qualms|scruples|worries|trouble|difficulty|hard time|"
            r"no (?:[a-z]+ )?(?:interest|patience|desire|tolerance|love|time|use)|zero (?:interest|patience|tolerance|desire)|(?:little|"
            r"low|limited) (?:interest|patience|tolerance|desire)|bad experiences?|bias)\b|"
            r"\b(?:nothing|little) to do with\b|\bi've (?:had )?(?:[a-z]+ )?bad experiences? (?:with|in|on)\b|\bi've never (?:really |"
            r"been )*(?:liked|enjoyed|a |an |into|comfortable|fond|cared|understood the|gotten into|drawn|interested)"
        ),
    ),
    (
        "dislike",
        (
            rf"(?<!that )(?<!it )(?<!this )\b(?:is|are|was|were)(?:n't| not|nt) {ADV}(?:exactly )?(?:for me|for us|my (?:thing|style|"
            r"cup|taste|scene|jam|kind|idea|speed|forte))\b|\b(?:for|to) (?:my|our) (?:own )?(?:tastes?|liking)\b|\bnot (?:really |"
            r"exactly |quite )?(?:my (?:thing|style|cup of|scene|jam|taste)|for me)\b|"
            r"(?<!that )(?<!it )(?<!this )\b(?:doesn't|don't|do not|does not|never|didn't) (?:[a-z]+ )?(?:appeal to|suit|agree with|"
            r"interest|excite|attract|resonate with|sit well with|speak to|work (?:well )?for) (?:me|us|my|our)\b|"
            r"(?<!that )(?<!it )(?<!this )(?<!which )\b(?:makes? me|makes us) (?:feel )?(?:[a-z]+ly |so |too |very |really )?"
            r"(?:un[a-z]+|dis[a-z]+|insecure|inadequate|anxious|nervous|sick|ill|nauseous|tired|sleepy|drowsy|bloated|dizzy|sad|angry|"
            r"bored|"
            r"restless|jittery|claustrophobic|self-conscious|stressed|overwhelmed|trapped|awkward|guilty|tense|itch|sneeze|cough|cringe|"
            r"gag|"
            r"cry|panic|worry|lose|irritable|grumpy|cranky|frustrated|exhausted|lazy|worse|bad|stiff|queasy|break out|shiver|freeze|sweat|"
            r"fall asleep|like (?:an?|i'm))\b|"
            r"\b(?:bothers?|bores?|annoys?|stresse?s?|scares?|irritates?|disgusts?|overwhelms?|upsets?|terrif(?:y|ies)|drains?|"
            rf"exhausts?|distracts?|depresses) me\b|\b(?:turns?|puts?) me off\b|{SELF}get {ADV}(?:[a-z-]+ )(?:when|if|on|in|from|around|"
            r"by|with|easily|[a-z]+ing)\b"
        ),
    ),
)
"""Aversions and refusals, fears, what is not for him."""

PREFERENCES: Final[tuple[tuple[PinKind, str], ...]] = (
    (
        "preference",
        (
            rf"^\W*{ADV}(?:prefer|favou?r|prioriti[sz]e) {POINTS}[a-z0-9]|{GUARD}{SELF}{ADV}(?:prefer|favou?r|prioriti[sz]e|gravitate|"
            r"lean (?:towards?|more)|opt for|swear by|value|adore|"
            r"believe in|care (?:deeply )?about|insist|champion|choose|dress|eat|drink|cook|exercise|commute|train (?:for|in|at)|"
            r"work out|feel strongly|go for|look for|stick (?:to|with)|thrive|seek out|tend to|tend towards?|support|advocate|embrace|"
            r"crave|rely on|follow|practi[sc]e|observe|limit (?:my|our)|restrict|minimi[sz]e|wear|identify (?:as|with)|adhere|abide|"
            r"subscribe to|believe that|work (?:from|nights?|late|long|shifts|part|remotely)|live (?:alone|off|by)|"
            r"live in (?:an? )?(?:small|tiny|hot|cold|humid|dry|high)|choose to|'d rather|only want to)\s+(?!(?:it|this|that|these|"
            r"those|them|him|her|you|not)\s*(?:[.,!;]|$)|(?:your|the (?:first|second|third|last|other)) )(?!to (?:see|book|hear|"
            r"know)\b)[a-z0-9\"]|"
            r"\b(?:i|we)(?:'d| would) (?:much |really |strongly |always |far )*(?:rather|prefer)(?! (?:not (?:say|talk|know|think|tell|"
            r"discuss|answer)|it|this|that|the (?:first|second|"
            r"third|last|other|one))\b)|\b(?:my|our) (?:[a-z]+ )?preferences?\b(?! (?:is|are|of) (?:it|that|this))|"
            rf"{SELF}have (?:[a-z-]+ ){{0,3}}(?<!no )(?<!any )(?<!particular )(?:preference|passion|love|weakness|soft spot|affinity|"
            r"fondness|appreciation|taste|commitment|interest) (?:for|in|to|of)\b"
        ),
    ),
    (
        "preference",
        (
            r"\bas (?:someone|a person|an? (?:[a-z-]+ ){1,3}(?:who|with))\b|^\W*as an? (?:[a-z-]+ ){1,4}?(?:i|we),? |^\W*(?:due to|"
            r"because of|given|owing to) [^.!?]*\b(?:i|we)\b|^\W*for (?:my |personal |ethical |religious |health )[^.!?]*\b(?:i|we)\b|"
            r"\b(?:due to|because of) (?:my|our|personal|ethical|religious|health|moral|environmental|safety)\b|\b(?:i|we) have (?:an? |"
            r"only |very )*(?:limited|tight|small|tiny|busy|hectic|strict|sensitive|low|short|young|thin|curly|oily|dry|active|"
            r"irregular|unpredictable) (?!problem|question|request|thing|trip)[a-z-]+|\b(?:i|we) have (?:an? )?(?:[a-z-]+ ){0,3}(?:job|"
            r"lifestyle|schedule|skin|hair|body|build|figure|metabolism|attention span|yard)\b|"
            r"\bmy (?:[a-z]+ )?(?:lifestyle|style|taste|approach|philosophy|routine|goals?|priority|priorities|hair|schedule|budget|"
            r"skin|faith|religion|beliefs|values|principles|apartment|home)\b[^.!?]{0,30}\b(?:is|are|doesn't|don't|requires?|means|only|"
            r"forbids|won't|can't)\b"
        ),
    ),
    ("preference", rf"{GUARD}{SELF}{ADV}(?:like|love|enjoy|appreciate)\s+{POINTS}[a-z0-9]"),
    (
        "preference",
        (
            rf"{SELF_IS}{ADV}(?:drawn to|into|fond of|partial to|keen on|"
            rf"passionate about|crazy about|obsessed with|committed to|devoted to|"
            r"all about|big on|comfortable with|particular about|strict about|[a-z-]*conscious|loyal to|inclined|accustomed to|"
            rf"(?:an? )?(?:[a-z-]+ ){{0,3}}"
            r"(?:fan(?! of (?:it|that|this)\b)|lover|enthusiast|person|introvert|extrovert|eater|travell?er|dresser|runner|drinker|"
            r"reader|gamer|sleeper|learner|shopper|minimalist|environmentalist|advocate|believer|owl|riser|purist|supporter|foodie|"
            r"homebody|beginner|[a-z]+aholic|[a-z]+phile|perfectionist|traditionalist|feminist))\b(?! (?:it|that|this)\b)"
        ),
    ),
    (
        "preference",
        (
            rf"{GUARD}{SELF}(?:usually|normally|typically|generally|mostly|primarily|mainly|exclusively|strictly|only|always|consciously|"
            r"deliberately|actively|solely|purposely|consistently|mostly|"
            rf"almost always|almost exclusively|will only|would only)\s+(?:ever\s+)?{OF_NOW}{PAST}(?!need|want|wish|just|in\b|on\b|"
            rf"for\b|a\b|the\b|one\b|\d)[a-z]+|{SELF}(?:will not|won't|would not|wouldn't|will never|would never|"
            r"'ll never)\s+(?:even )?(?!be\b|need|have|know|mind|want|like\b|make it|take long|find|hurt|forget|let you|tell|lie|"
            r"give up|keep you|regret)[a-z]+"
        ),
    ),
    (
        "preference",
        (
            rf"(?<!can )(?<!could )(?<!did )(?<!do )(?<!should )(?<!when )(?<!where )(?<!until )(?<!if )(?<!once )(?<!help ){SELF}{ADV}fi"
            r"nd\s+(?!(?:it|that|this)\s+(?:[a-z]+\s+)?[a-z]+\s*(?:[.!]|$))(?:that\s+)?(?!out|myself|a\b|an\b|the (?:nearest|best|place|"
            r"address|right)|it (?:funny|interesting|amazing)|one|my|"
            rf"some|time|any)[^.!?]{{3,80}}|"
            rf"{SELF}(?:[a-z]+ )?[a-z]+ (?:the )?(?:best|better|worst) (?:when|with|in|by|through|if|on|at|from|as|under)\b|\b(?:my|"
            r"our) (?:all-time |personal |absolute )?(?:favou?rites?|go-to|preferred|ideal|usual)\b(?! (?:part|memory|moment|"
            r"thing about))|"
            r"\b(?:is|are) (?:so |really |totally |just )?(?:my (?:thing|jam|cup of tea|favou?rite)|close to my heart)\b|"
            r"\b(?<!that )(?<!it )(?<!this )(?:works?|suits?|helps?|fits?) (?:me|us) (?:best|better|more|a lot)|\b(?:works?|is|"
            r"are) (?:best|better|easier|easiest|more [a-z]+) for (?:me|us)\b(?! to)|\bappeals? to me\b|"
            r"(?<!help )\bmatters? (?:a lot )?to me\b"
        ),
    ),
)
"""Likings, values, habits."""
