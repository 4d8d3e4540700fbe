"""English: what a sentence demands of answers and plans: prohibitions, form, deadlines, limits, standing rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.english_words import LANGUAGE, PAST, SELF, SHAPE, START, WHEN

if TYPE_CHECKING:
    from langchain_contextmode.schema import PinKind

DEMANDS: Final[tuple[tuple[PinKind, str], ...]] = (
    (
        "format",
        (
            rf"{START}(?:please )?(?:speak|talk|use|write|reply|answer|respond) (?:only |in |to me in )*{LANGUAGE}\b|"
            rf"{START}(?:explain|describe|write|answer|reply|respond|speak|talk|put|phrase)\b[^.!?]{{0,30}}?\b(?:simply|briefly|slowly|"
            r"plainly|concisely|"
            r"formally|informally|politely|bluntly|step by step|in detail|in full)\b"
        ),
    ),
    (
        "prohibition",
        (
            rf"{START}(?:do not|don't|dont|never)\s+(?:ever\s+|please\s+)?{PAST}"
            r"(?!(?:worry|mind|bother|know|think|care|sweat|hesitate|forget|need|want|have|like|love|enjoy|you|we|i|they|feel|see|"
            r"get me|understand|believe|"
            r"remember|stress|panic|fret|give up|let me down|hold back|judge|thank|mention it|laugh|mean|mind|really|actually|even|once|"
            r"again|be "
            r"(?:sorry|shy|silly|afraid|a stranger|sad|late)|a|an|the|in|on|too|so|that|miss|lose hope|stop being|ever|fails?|say that|"
            r"give me|look like|"
            r"wanna|seem|tell me (?:you|it|that)|got|gets|knows|blame|hurt|cry|underestimate|be so|expect to|sure|matter|works?|exist|"
            r"mess|all|"
            r"apologi[sz]e)\b)[a-z]+"
        ),
    ),
    (
        "prohibition",
        (
            r"\b(?:must not|mustn't|should not|shouldn't|may not|are not to|aren't allowed to|is not to|not allowed|"
            r"under no circumstances|"
            r"on no account|off[- ]limits|off the (?:table|menu)|out of the question|strictly forbidden|no longer allowed)\b(?! (?:be (?:a|"
            r"any) (?:problem|issue)|take long|have))"
        ),
    ),
    (
        "prohibition",
        (
            r"\bwithout (?:asking|checking|telling|consulting|my|our|explicit|prior|me |permission|approval|confirm)|"
            r"\b(?:ask|tell|check with|consult|notify|warn) me (?:first|before)|\b(?:until|unless|only (?:after|when|once|if)) i (?:say|"
            r"tell|confirm|approve|give|agree|sign|ask)|"
            rf"{START}(?:stay away from|keep away from|leave (?:the |my |out |all )?[a-z]+ (?:alone|as is|untouched|out)|hold (?:on|"
            r"off) (?:with|on) |hands off|"
            r"keep [a-z' ]{2,30}(?:between us|out of|quiet|off the record|private|secret|confidential|to yourself)|"
            r"stop [a-z]+ing (?!by\b|at\b|in\b)|refrain from|avoid )|"
            r"\b(?:before|until|till|unless|without|wait for|only with) (?:you (?:get|have|got|see|hear|receive) |there is |"
            r"i give (?:you )?)?"
            r"(?:my|our) (?:[a-z]+ ){0,2}?(?:ok|okay|go|go[- ]ahead|yes|approval|confirmation|consent|permission|green light|"
            r"sign[- ]?off)\b"
        ),
    ),
    (
        "prohibition",
        (
            r"(?:^\W*|[,;:]\s*|\b(?:so|but|and|please|absolutely|definitely)\s+)(?:absolutely )?no (?:more )?(?!thanks|thank|problem|"
            r"problems|worries|worry|more|"
            r"need|idea|doubt|one|way|longer|rush|hurry|matter|wonder|big|biggie|that|it|i|you|not|just|please|issue|issues|preference|"
            r"preferences|luck|"
            r"reason|plans?|questions?|results|other|others|further|sign|chance|joke|kidding|pressure|he|she|we|they|this|there|is|sir|"
            r"my|the|a|what|make|"
            r"can|do|don|are|in|on|at|for|to|and|but|so|actually|nothing|bueno|fun|match|stress|sweat|offense|comment|change|changes|"
            r"difference|limit|limits)"
            r"[a-z-]+(?:s|ing|[a-z]*(?:fish|meat|pork|alcohol|dairy|gluten|sugar|beef|seafood|music|jargon|markdown|code|sex|violence|"
            r"gore|spice|onion|coriander))"
            r"(?:,? (?:and|or|please|at all|whatsoever|no)\b|\s*[.!,;]|$)|^\W*no (?!problem|worries|thanks|thank|need|more|rush|"
            r"hurry)[a-z-]+ please\b"
        ),
    ),
    (
        "format",
        (
            rf"{START}(?:always |only |from now on,? )?(?:answer|reply|respond|speak|talk|write|communicate|format|structure|"
            rf"phrase)\b(?! (?:an?|the) )[^.!?]{{0,60}}?"
            rf"\b(?:in|as|with|using|within|under|without|less|shorter|more)\b[^.!?]{{0,30}}?\b{SHAPE}\b"
        ),
    ),
    (
        "format",
        (
            rf"{START}(?:always |only )?(?:keep (?:it|them|things|everything|your|the|all|this|replies|answers|responses|messages|"
            r"e-?mails|texts|summaries|explanations|paragraphs|sentences|language|code)|make (?:your|all|every|the) (?:answers?|"
            r"repl(?:y|ies)|responses?)|limit)\b"
            rf"[^.!?]{{0,50}}?\b{SHAPE}\b|{START}(?:always |only )?(?:use|skip|avoid|omit|drop|spare me|leave out|stick to)\s+"
            rf"(?:only |the |your |any |all |more |me |fewer |no |a |an )*(?:[a-z-]+ )?{SHAPE}\b(?! of\b)"
        ),
    ),
    (
        "format",
        (
            rf"\b(?:your |the |all )(?:answers?|repl(?:y|ies)|responses?|output|explanations?)\b[^.!?]{{0,30}}?\b(?:should|must|in|as|"
            r"short|brief|need to|at most|under|please)\b|"
            r"\b(?:call|address) me (?!back|at|on|a\b|when|if|before|after|later|tomorrow|today|now|in\b|for|about|any)|"
            rf"\b(?:reply|replies|answers?|responses?|respond) (?:only |always )?in {SHAPE}\b|\b(?:bullet points|words|sentences|"
            rf"{LANGUAGE}) only\b|\bonly in {LANGUAGE}\b"
        ),
    ),
    (
        "deadline",
        (
            rf"\bdeadline\b(?! was| passed| has passed)(?=[^.!?]{{0,40}}(?:\bis\b|'s\b|\bfor\b|\bby\b|\bon\b|:|\bnow\b|\bextended\b|"
            rf"\bmoved\b|\d))|\bhave (?:an? |the |my )?(?:[a-z]+ )?deadline|\bdue (?:by|on|date|before|at|no later|{WHEN})|"
            r"\bno later than\b|\bat the latest\b|\blatest (?:by|on|at)\b|"
            r"\bbefore the deadline\b|"
            r"\b(?:must|has to|have to|needs?(?: to)?|want(?:ed)?|should be|done|finish(?:ed)?|ready|submit(?:ted)?|deliver(?:ed)?|send|"
            r"sent|in place|complete[d]?|"
            rf"over|hand(?:ed)? in|launch|ship|home|back|out)\b[^.!?]{{0,40}}?\b(?:by|before) {WHEN}"
        ),
    ),
    (
        "limit",
        (
            r"\bbudget\b(?=[^.!?]{0,40}(?:\bis\b|\bof\b|'s\b|:|=|\bto\b|\d|\btight\b|\bsmall\b|\blimited\b|\bcan\b|\bnow\b|\bmax))|"
            r"\bon an? (?:[a-z]+ )?budget\b(?=\s*(?:[.,;!]|$|and\b|so\b|but\b|this\b|for\b))|\bbudget's \d|"
            r"\b(?:can't|cannot|can not|don't want to|won't|shouldn't|not|never) (?:to )?(?:spend|afford|pay|exceed|go (?:over|above|"
            r"beyond))\b|\bcan only (?!find|see|think|imagine|hope|get)|"
            r"\b(?:my|our|the) (?:[a-z]+ )?(?:limit|max|maximum|cap|ceiling)(?: is| are|:| of|'s)|\b(?:i|we) can (?:only |"
            r"also )?(?:spend|pay|afford|invest) (?:up to|about|around|at most|[$\d])|"
            r"\b(?:i|we) (?:can|could|may) (?:now |even )?(?:go|stretch|live with) (?:up |as high )?"
            r"(?:to|as)? ?(?:about |around )?[$\u20ac\u00a3]?"
            r"\d[\d.,]*\b(?! (?:of|museums?|places?|shops?))|\b(?:raise|increase|lower|reduce|cut|bring) "
            r"(?:it|that|(?:the|my|our) [a-z ]{3,24}) "
            r"(?:up |down )?to (?:about |around )?[$\u20ac\u00a3]?\d"
        ),
    ),
    (
        "limit",
        (
            r"\b(?:at (?:the )?most|(?:no|not) (?:more|later|earlier|longer|less|fewer|higher|bigger|further|farther|sooner|older|"
            r"before|after|over|above|beyond|under) (?:than )?|"
            r"not exceed(?:ing)?|upper limit|tops)\b(?! (?:questions|help|than that|to do|i |about|about that|that))|"
            r"\b(?:nothing|anything|none|never|not|only|no [a-z]+(?: [a-z]+)?) (?:that [a-z]+ )?(?:before|after|over|above|under|below|"
            r"beyond|past|until|later than|earlier than|longer than|within|"
            r"more than|less than) (?:\$|\u20ac|\u00a3)?(?:\d|nine|ten|eight|seven|six|five|eleven|noon|midnight|one|two|three|four|"
            r"half|the|my|a )|\bmax(?:imum|\.)?(?=[:\s]*[\d$\u20ac\u00a3])|"
            r"\d[^.!?,]{0,12} (?:max|maximum|tops|or less|or under|at most|or fewer|is (?:the|my|our) limit)\b"
        ),
    ),
    (
        "limit",
        (
            rf"{START}(?:keep|stay|stick|make sure)\b[^.!?]{{0,40}}?\b(?:under|below|within|free|clear|open|less than|up to)\b|"
            rf"{START}(?:only|just|nothing) (?:between|on weekends|on weekdays|in the (?:morning|evening|afternoon)s?|after|before|"
            r"fancy|too|planned|if)\b|"
            rf"{SELF}(?:only |can )+(?:have|be|do|work|travel|meet|eat|come|go|fly|take) [^.!?]{{0,30}}?(?:hours|minutes|days|nights|"
            r"weekends?|mornings?|evenings?|after|before|until|between)\b|"
            r"\b(?:i'm|we're|i am|we are) (?:only|not) (?:available|free|around|there|reachable|in town)\b|"
            r"\bwe only have\b[^.!?]{0,30}\b(?:hours?|minutes|days?|weeks?)\b"
        ),
    ),
    (
        "limit",
        (
            r"\b(?:it|this|they|everything|the [a-z]+|all [a-z]+|each [a-z]+|every [a-z]+|there|place|hotel|which|that) (?:absolutely |"
            r"really |also |definitely )?(?:must|has to|have to|needs? to|"
            r"need (?=an?\b|at least)|needs (?=an?\b|at least|no\b))(?!(?:'ve| (?:be (?:nice|great|fun|hard|tough|so|exciting|an?|"
            r"really|amazing|proud|the|joking|"
            r"kidding|mistaken|tired|right|something|very|made|on|in|for|tough|difficult|stressful|rewarding|good)|have|feel|say|admit|"
            r"see|know|love|do with))\b)|"
            r"\b(?:so|therefore|hence|which means|which is why|that's why) (?:i|"
            r"we)(?:'d| would| will)? (?:require|must|only|can't|won't)\b|"
            r"\b(?:due to|because of|since|as)\b[^.!?]*\b(?:i|we) (?:need|require)\b|\b(?:i|we) (?:need|require|"
            r"want)\b[^.!?]*\b(?:without|because|since|due to|that (?:doesn't|don't|does not|do not|won't|isn't|aren't|is not|"
            r"are not))\b|"
            r"\bi have (?:an? )?(?:[a-z]+ )?(?:family|kids|children|dogs?|cats?)\b[^.!?]*\bso i need\b"
        ),
    ),
    (
        "limit",
        (
            r"(?:^\W*|[;:,]\s)nothing (?:too |that )?(?!else|much|yet|new|special|happened|more|really|to|wrong|at|serious|in|on|but|"
            r"about|like|is|was|can|"
            r"bad|but|compares|beats|just|of|i|you|we|from)[a-z]+(?:,? please|\s*[.,!]|\s*$)|"
            rf"{START}at least (?:\d|an?\b|one|two|three|four|five|six)|"
            r"^\W*(?:it )?(?:must|has to|needs to) (?:also |not )*(?:be (?!nice|great|fun|hard|tough|so|exciting|really|amazing)|"
            r"have (?!been|had)|include|fit|"
            r"cost|work|run|stay|support)|"
            r"\b(?!you\b|a\b|i\b|he\b|she\b|they\b|it\b|who\b|that\b)[a-z]+ must (?:also |always |only |not )*(?:(?!be\b|have\b)[a-z]+|"
            r"have (?!been|had|[a-z]+ed)|be (?![^.!?]*\bby now)(?!nice|great|fun|hard|tough|so\b|exciting|"
            r"really|amazing|proud|joking|kidding|mistaken|tired|right)|stay|fit|cost|remain|include|run|work|support|end|start|arrive|"
            r"contain|match|"
            r"return|pass|use|exceed|happen)|"
            r"\b(?:i|we) (?:need|want|require) (?:an? )?[a-z]+-(?:free|friendly|accessible)\b"
        ),
    ),
)
"""Prohibitions, form of answers, deadlines, limits."""

RULES: Final[tuple[tuple[PinKind, str], ...]] = (
    (
        "rule",
        (
            r"^\W*(?:if|when|whenever|unless|before|after) [^.!?]{3,80}, (?:please |always |then |just )*(?:i (?:always |usually |"
            r"will )?(?:need|want|prefer|"
            r"require)|ask|tell|use|stop|skip|keep|give|show|add|include|avoid|don't|do not|never|always|write|check|choose|pick|reply|"
            r"answer|warn)\b|"
            r"\b(?:all|every|each|any|your) (?:[a-z]+ ){1,3}should (?!i\b|we\b|have)[a-z]+|"
            r"\b(?:all|every|each|the|our|my|total) (?:[a-z]+ ){0,2}(?:can't|cannot|can not|may not) (?:be|cost|exceed|take|last|run|"
            r"have|go|use)\b"
        ),
    ),
    (
        "rule",
        (
            r"\bfrom (?:now|here|this point|today) (?:on|onwards?|forward)|\bgoing forward\b|\bin (?:the )?future[,.]|\bin future\b|"
            r"\bhenceforth\b|\b(?:every|each) time (?:you|i (?:ask|say|mention|write|send|paste))\b|\bby default\b|"
            r"\b(?:keep|bear) in mind\b|\buntil further notice\b|\bas a (?:general )?rule\b|\bfor (?:religious|ethical|moral|safety|"
            r"legal|security|environmental|compliance|privacy|cultural) reasons\b|\bnon-?negotiable\b|\bdeal-?breaker\b|"
            r"\b(?:is|are|'s|that's|be) (?:an? )?(?:absolute |hard |total |strict |definite )?(?:must(?:-have)?|nogo|no-go|no go|hard no|"
            r"no-no|turn-?off|pet peeve|red line|requirement|mandatory|essential|crucial|unacceptable|not negotiable|not an option|"
            r"priority for (?:me|us))\b|\b(?:are|is) a (?:clear|hard|definite|big) no\b|\b(?:are|is) a no(?:[.,!]|$| for)"
        ),
    ),
    (
        "rule",
        (
            rf"{START}(?:use|write|choose|pick|take|prefer|speak|book|do|test|call|put|store)\s+[^.!?]{{2,60}}?(?:,\s(?:not|never)|"
            r"\s(?:rather than|instead of))\s(?!now|sure|yet|that|bad)[a-z]|"
            rf"{START}only (?:ever )?(?:suggest|recommend|show|use|book|include|consider|answer|pick|list|offer|search|give|send|call|"
            r"text|write|contact|reply|change|edit|touch|buy|order|propose|mention|invite|pay|run|read)\b"
        ),
    ),
    (
        "rule",
        (
            rf"{START}(?:always|remember (?:that|to|:|i|we|my)|don't (?:ever )?forget (?:that|to|i|we|my)|make sure (?:to|you|that you|"
            r"that (?:i|we|nothing)|nothing)|be sure to|note that|ensure|treat|assume(?: that)? i|only ever|prioriti[sz]e|"
            r"when(?:ever)? (?:you (?!'re|are|get|have|can|like|want|feel)|in doubt|i (?:ask|say|write|send|paste|"
            r"mention)))\b(?! (?:good|great|nice|happy|fun|have fun|enjoy|a |you (?:have fun|enjoy)|been|look|love|wanted))|"
            r"\b(?:you|should|must|will|please|and|to) always (?!be (?:so|there|my)|so |been|look|love|make|wanted|have|welcome|"
            r"count)[a-z]+|[,] always[.!]?$|\bwhenever (?:you (?!'re|are|want|like|can|get|feel|have)|i (?:ask|say|mention|write|send|"
            r"paste|type|give|request|book|fly|travel))|"
            r"\b(?:i|we) (?:would |'d )?insist\b|\bit(?:'s| is) (?:very |really |extremely )?important (?:that|to|for)\b|\b(?:is|"
            r"are) (?:very |really |extremely |most )?important (?:to|for) (?:me|us)\b|^\W*(?:and |very )?important\b\s*:|"
            r"\byou must (?!really|be|have|feel|see|love|try|know|miss)[a-z]+|\b(?:i|we) must (?!say|admit|go|leave|confess|be going|"
            r"see|have)[a-z]+"
        ),
    ),
)
"""What holds always, whatever it is about."""
