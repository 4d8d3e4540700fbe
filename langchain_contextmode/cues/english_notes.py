"""English: demands in few words ("max 2 stops", "halal only", "dates as DD/MM pls"), bounds with numbers, and what stands at all times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.english_words import EATS, LANGUAGE, SHAPE, START, WHEN

if TYPE_CHECKING:
    from langchain_contextmode.schema import PinKind

_NUM: Final = (
    r"(?:[$\u20ac\u00a3]\s?)?(?:\d[\d.,:]*|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|"
    r"forty|"
    r"fifty|sixty|ninety|half|noon|midnight|eight|hundred)\b)"
)
_BEYOND: Final = (
    r"(?:(?:more|longer|less|fewer|later|earlier|higher|lower|older|bigger|larger|smaller|further|farther|heavier|cheaper|sooner|worse|"
    r"shorter|slower) than|over|above|below|under|before|after|(?<!half )(?<!quarter )past|beyond|exceed(?:ing)?)"
)
_PLS: Final = r"(?:please|pls|plz|thanks|thx)"
_END: Final = rf"(?:,? {_PLS}\b|\s*[.,;!()]|\s+[-\u2013\u2014]|\s*$|,? (?:whatsoever|at all|ever|anywhere|tho|though|btw|and|or)\b)"
_NO: Final = (
    r"no (?:more )?(?!(?:thanks?|problems?|worr(?:y|ies)|more|need|idea|doubt|one|way|longer|rush|hurry|matter|wonder|big|biggie|that|it|i|"
    r"you|not|just|please|pls|issues?|preferences?|luck|reason|plans?|questions?|results?|others?|further|sign|chance|joke|kidding|"
    r"pressure|he|she|we|they|this|there|is|sir|ma'am|my|the|a|an|what|make|can|do|don|are|in|on|at|for|to|and|but|so|actually|nothing|"
    r"bueno|fun|match|stress|sweat|offen[cs]e|comment|changes?|difference|limits?|deadlines?|new (?:news|messages?|mails?|e-?mails?|"
    r"information|updates?)|news|yes|only|let|thank|words?|clue|"
    r"surprises?|regrets?|go|pain|internet|wifi|signal|response|reply|answer|errors?|time|place|point|use|yet|if|as|of|am|was|were|did|"
    r"does|has|had|have|will|would|should|could|cancel|book|try|show|find|any|some|all|both|maybe|sorry|wait|additional|specific|"
    r"particular|special|good|great|fair|harm|amount|object|substitute|business)\b)"
)
_OUTPUT: Final = (
    r"(?:dates?|times|numbers|amounts|prices|figures|temperatures|distances|measurements|tables|code|names|headings|titles|output|results|"
    r"answers?|replies|values|links|sources|quotes|examples|summar(?:y|ies)|variables|functions|comments|commit messages|e-?mails|"
    r"explanations?|responses?|everything|citations|references|weights|coordinates|text|subject lines|diffs|logs|reports?)"
)
_THING: Final = r"(?:(?:the|all|every|each|any|our|my|your|total|no|none of the|both|these) )?(?:[a-z'-]+ ){0,2}[a-z'-]+"
_PERSON: Final = (
    r"(?!\W*(?:people|kids|children|everyone|everybody|nobody|one|they|you|he|she|we|i|someone|life|society|friends|parents|who)\b)"
)
_SERVES: Final = (
    r"(?:suggest|recommend|pick|choose|find|book|propose|write|send|give me|show me|answer|cook|plan|build|change|do|use|buy|order|edit|"
    r"make|decide|come up with)"
)

NOTES: Final[tuple[tuple[PinKind, str], ...]] = (
    (
        "health",
        (
            r"^\W*(?:[a-z]+ly )?(?:[a-z]+[- ]intolerant|diabetic|asthmatic|c(?:o?e)liac|pregnant|epileptic|claustrophobic|colou?r-?blind)"
            r"(?: (?:here|btw|fyi|so|and|too|as well|person|guest)\b|\s*[.,!;]|\s*$)|"
            r"\b(?:i'm|im|i am|she's|she is|(?:wife|girlfriend|partner|sister)(?:'s| is)) (?:[a-z0-9]+ (?:months?|weeks?) |heavily |newly |"
            r"also )pregnant\b|\b(?:doctor|gp|dentist|physio)(?:'s orders| told me| said i| says i| wants me| advised me)\b"
        ),
    ),
    ("diet", rf"^\W*(?:(?:strictly|all|everything|food|also|fully|i'm|im) )?{EATS}(?: (?:only|here|btw|fyi|household|please|pls)\b|\s*$)"),
    (
        "diet",
        r"\b(?:i|we) (?:fast|observe|celebrate|keep) (?:during|on|for|the sabbath|sabbath|shabbat|lent|ramadan|kosher|halal)\b",
    ),
    (
        "limit",
        (
            rf"\b(?:capped|limited|restricted|maxed out|tops? out) (?:at|to) (?:about |around )?(?:{_NUM}|the\b|my\b|our\b)|"
            rf"\b(?:i|we)(?:'ve| have)(?: got)? (?:only |just |about )?{_NUM}[a-z ]{{0,12}} (?:left|to spend|to work with)\b"
        ),
    ),
    (
        "deadline",
        (
            rf"\b{WHEN}(?: (?:[a-z]+|\d{{1,2}})){{0,3}},? (?:(?:at )?(?:the )?(?:very )?latest\b|sharp\b[^?]*$|deadline|or it's too late)|"
            rf"\bdue(?: (?:in|this|next|the|on|by))? (?:{WHEN}|\d)|\b(?:closes|ends|expires|is due|are due|cut-?off(?: is)?|runs? out) "
            rf"(?:on|at|by|in|before)? ?{WHEN}|\b(?:must|has to|have to|need to|needs to|gotta|should|get (?:this|it|that|them|the|my|"
            rf"our)) [^.!?]{{1,50}}? (?:by|before|"
            rf"no later than) (?:(?:the|next|this) )?{WHEN}|^\W*(?:needed|wanted|required|finish(?:ed)?|done|ready|deliver(?:ed)?|due) "
            rf"(?:[a-z]+ )?(?:by|before|on|until) (?:{WHEN}|then)|\b(?:must|have to|has to|needs?(?: to)?) [^.!?]{{2,60}} (?:by|before) "
            rf"(?:then|that)\b"
        ),
    ),
    (
        "format",
        (
            rf"^\W*(?:and |also |all |only |the |your |any |put |write |give |show )*{_OUTPUT} (?:only |always |all |go |must be |"
            rf"should be |"
            rf"to be )?(?:as|in|with|without|like this|under|on one|first|at the (?:top|end|bottom)) (?!you\b|we\b|i\b)[^.!?]{{1,50}}$|"
            rf"(?:^\W*|[,;]\s){_NUM} {SHAPE} (?:max|maximum|at most|tops|or less|or fewer|per|each|only)|(?:^\W*|[,;]\s)(?:max|maximum|at "
            rf"most|no more than|up to|under)\.? {_NUM} {SHAPE}\b|^\W*(?:(?:please |just )*(?:reply|answer|respond|write|speak|talk)(?: "
            rf"to me| back)? )?(?:in )?(?:{LANGUAGE}|{SHAPE}),? (?:only|{_PLS})\b|"
            rf"^\W*(?:just |always |only )?(?:short|brief|concise|simple|plain|precise|honest|direct|polite|formal|casual|informal|"
            rf"detailed|shorter|"
            rf"longer)(?: [a-z]+)? (?:{_OUTPUT}|language|words|style|tone)(?: only| always|,? {_PLS})?\s*[.!]?\s*$|{START}no need (?:to|"
            rf"for) "
            r"(?:explain|comment|justify|repeat|apologi[sz]e|greet|summari[sz]e|list|show|elaborate|sugarcoat|explanations?|pleasantries)|"
            rf"{START}(?:drop|skip|cut|ditch|spare me|enough (?:with|of)|stop) (?:the |all |your |any |with )*(?:[a-z]+ )?(?:small talk|"
            rf"chit-?chat|"
            r"pleasantries|intros?|fluff|filler|jargon|disclaimers?|emojis?|apologies|apologi[sz]ing|greetings?|preamble|flattery|"
            r"praise)\b|"
            rf"{START}no (?:[a-z]+ )?(?:small talk|chit-?chat|pleasantries|intros?|fluff|filler|preamble|flattery|greetings?)\b|"
            rf"{START}{_NO}(?:[a-z-]+ )?{SHAPE}{_END}|{START}(?:don't|do not|dont|never) (?:ever )?(?:use|write|add|include|put|"
            rf"give me|show|answer (?:in|with)|reply (?:in|with)|send)\s+(?:[a-z]+ )?{SHAPE}\b|"
            rf"{START}always (?:show|give|list|include|add|write|use|start with|end with|put|state|cite|explain) "
            rf"[^.!?]{{0,40}}?\b{SHAPE}\b|"
            rf"\b(?:each|every|all|any|your) (?:of your )?(?:reply|replies|answers?|responses?|messages?|summar(?:y|ies)) (?:must|should|"
            rf"has to|needs? to|ends?|starts?|begins?)\b|{START}(?:refer to|address|call) [a-z' ]{{2,30}}? (?:by|as|with)\b|"
            rf"{START}(?:just |only )?(?:give|show|send|tell) (?:me|us) (?:just |only )?[^.!?]{{2,40}}?(?: only\b|, no(?:t)? )|"
            rf"\b(?:straight |right )?to the point(?=\s*[.,!;]|\s*$| {_PLS}| always)|^\W*(?:less|more|fewer|shorter|longer) [a-z]+(?: "
            rf"{_PLS}| and (?:more|less)\b|, (?:more|less)\b)|\bno fluff\b"
        ),
    ),
    (
        "limit",
        (
            rf"\b(?:no|not|never|nothing|none|neither|nowhere|[a-z]+n't|cant|cannot|dont|wont|anything|anyone|everything|avoid)\b"
            rf"(?! (?:sure|think|know|happy))[^.!?]{{0,40}}?\b{_BEYOND} (?:the |about |around )?{_NUM}|"
            rf"(?:^\W*|[,;:(]\s?|\b(?:and|but|so|with|have|has|for|spend|pay|is|of|be|stay|got|only)\s+)(?:(?:at|up to) (?:the )?(?:most|"
            rf"least|max(?:imum)?)|max(?:imum|\.)?|min(?:imum|\.)?|up to|no (?:more|less|fewer|longer|later|earlier) than|not more than)"
            rf"[: ]+(?:of |about |like )?{_NUM}|"
            rf"\b{_NUM}[^.!?,]{{0,20}}? (?:max|maximum|min|minimum|tops|at most|at least|or less|or under|or fewer|is (?:the|my|our) "
            rf"(?:limit|max|cap)|"
            r"hard (?:stop|limit|cap)|and not a)\b|\b(?:cap|ceiling|limit|max|maximum|minimum|upper bound|cut-?off)(?: of|:| is|'s| at| "
            r"for)"
            rf"[^.!?]{{0,40}}?{_NUM}|(?:\b(?:must|has to|have to|needs? to|should|got to|gotta|ought to)|{START}(?:keep|stay|stick|"
            rf"limit|cap|hold|aim|spend|leave|allow|reserve|schedule|plan)) "
            rf"[^.!?]{{0,50}}?\b(?:at least|at most|under|below|within|above|over|up to|less than|more than|down to) "
            rf"{_NUM}(?![^.!?]{{0,12}}\b{SHAPE})"
            rf"[^.!?]{{0,30}}?(?:\d|hour|minute|day|week|month|percent|euro|dollar|people|page|word|line|stop|degree|$)"
        ),
    ),
    (
        "limit",
        (
            r"\b(?:i|we)(?:'ve| have)? (?:only|just) (?:got|have) (?!one (?:question|more)|a (?:question|quick))[^.!?]{0,20}?(?:\d|"
            r"hours?|minutes?|"
            r"days?|weeks?|evenings?|for (?:the|this|it))|\bonly gets? (?:\d+|one|two|three|five|ten|half an?) (?:hours?|minutes?|"
            r"days?|weeks?|euros?|dollars?)\b|"
            rf"^\W*(?:(?:on|only|not) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|mornings?|evenings?|nights?|"
            r"afternoons?)[^.!?]{0,20} (?:don't|doesn't|do not|won't|never|are|is)(?: not)? (?:work|out|off|off-limits|suit|possible|"
            r"taken|a "
            r"no|blocked|good) ?(?:for (?:me|us)|me|us|limits)?\b|"
            r"^\W*(?:any|every)thing [^.!?]{3,50} (?:is|are) (?:out|off|a no|too much|too far|too late|off-limits)\b|"
            rf"\b(?:my|our) (?:[a-z]+ ){{1,2}}(?:only|just) (?:has|have|fits?|holds?|takes?|accepts?|allows?|supports?|runs?|works?)\b|"
            rf"\b(?:so|and|but) nothing (?:too )?(?!else|much|yet|new|happened|more|really|to|wrong|serious|like|is|was|can|i\b|you|we|"
            rf"will|changed|"
            rf"soon|came|works?|helps?|left)[a-z]+{_END}|(?:^\W*(?:[a-z]+ly |please |ok(?:ay)?,? )?|[,;:.]\s|\b(?:so|but|and) )nothing "
            rf"(?:(?<=, nothing )(?:from|by|at) (?!you\b|me\b|now\b|all\b|which\b)[a-z0-9]|(?:from|by) (?!you\b|me\b|now\b|which\b)"
            rf"(?:[a-z0-9&'.-]+ ){{0,3}}[a-z0-9&'.-]+(?:,? {_PLS}\b|, (?:i|we|they|ever|never|again)\b)|that(?: [a-z]+ly)? (?!will|"
            rf"happen|was|were|is new|i\b|we\b|can't)[a-z]+|with |"
            rf"(?!else|much|yet|new|special|more|really|to|wrong|serious|in|on|but|about|like|is|was|can|bad|compares|beats|just|of|i|"
            rf"you|we|"
            rf"from|over|has|changed|makes|worth|against|will|could|would|soon|happened|came|went|works?|personal|feels?|gets?|comes?|left)"
            rf"[a-z-]+ (?:for|in|please|pls|or)\b)|\b(?:is|are|'s) out(?:,|\.|!|$| for (?:me|us))(?<!it's out)"
        ),
    ),
    (
        "prohibition",
        (
            rf"(?:^\W*|[,;:.]\s*|\b(?:so|but|and|please|absolutely|definitely|again)\s+)(?:absolutely )?{_NO}(?:(?:(?:[a-z-]+ ){{0,2}}"
            rf"[a-z-]+(?<!s)s|[a-z-]+(?: [a-z-]+){{1,2}}(?= (?:{_PLS})\b)|[a-z-]+ing|(?!real|actual|immediate|big|major|obvious|clear|"
            rf"new)[a-z-]+ (?!reason|preference|problem|idea|rush|"
            rf"need|luck|clue|deal|matter|doubt|hurry|point|way|change|issue|budget|one|more|thanks|go|is|was|for|to)[a-z-]+){_END}|"
            rf"[a-z-]+(?: [a-z-]+){{0,3}},? (?:{_PLS})\b)|"
            rf"{START}(?:steer|stay|keep|shy) (?:well )?(?:clear|away) (?:of|from)\b|{START}(?:skip|drop|exclude|leave out|omit|filter out|"
            rf"ignore|rule out|reject) (?:anything|everything|any|all|places|stuff|things|whatever)\b|"
            rf"{START}{_NO}[a-z-]+(?: [a-z-]+)? (?:during|unless|until|without|except|between|while|whatsoever)\b|"
            rf"{START}(?:wait|hold (?:off|on)|stop) (?:for|until|till) (?:me|my|i|we|our)\b|"
            rf"{START}(?:run|clear|check|route) (?:it|that|this|everything|anything|all|every [a-z]+|any [a-z]+|each [a-z]+) (?:past|by|"
            rf"with|through) |"
            rf"{START}(?:ask|check with|tell|consult|warn|ping|confirm with) (?:me |us )?(?:first )?before (?:you|any|[a-z]+ing)\b|"
            rf"\b(?:before|without) (?:you )?(?:[a-z]+ ){{0,4}}(?:ask|check with|clear it with|confirm with|run it by) (?:me|us)\b|"
            rf"\bwithout (?:my|our|explicit|written) (?:ok|okay|say|approval|consent|permission|go)\b|^\W*hands off\b|"
            r"\b(?:you're|you are|ur) not (?:allowed|permitted|supposed|to)\b"
        ),
    ),
    (
        "rule",
        (
            rf"(?:^\W*|[,;:]\s*(?:so|and|but) )(?!(?:[a-z]+ )*(?:if|not|the|read|and|for|book|tickets?|want|need|just|one|person|people|"
            rf"i|i'd|i'll|i'm|yes|no|was|were|are)\b)(?:[a-z0-9$+.'/-]+ ){{1,6}}only{_END}(?<! and)|"
            rf"^\W*(?:please |we |and |but |so )?only (?!one|two|three|the|a|an|just|thing|problem|question|because|kidding|joking|if|to|"
            rf"wanted|then|now|when|yesterday|time|found|saw|got|had|did|i|my)(?:[a-z-]+ ){{1,2}}(?:from|with|in|on|at|that|by|under|"
            rf"between|"
            rf"above|below|who|which|for|within|near)\b|\b(?:at all times|without exceptions?|no exceptions|in all cases|in every case|"
            rf"under all circumstances|across the board)\b|[a-z], everywhere\b|\bwhat(?:so)?ever (?:else )?you {_SERVES}|"
            rf"\b(?:whichever|wherever|anything|everything|every [a-z]+|each [a-z]+|any [a-z]+) you {_SERVES}\b(?=[^.!?]*\b(?:must|should|"
            rf"has to|have to|needs?|tell|ask|cite|explain|is|be|can't|no)\b)|"
            rf"\b(?:need|want|require)s?\b[^.!?]{{1,60}} (?:in|for|at|on|with|per) (?:every|each)\b(?! other)|^\W*(?:the |all |every |"
            rf"each |no |"
            rf"any )?{_PERSON}[a-z]+(?: [a-z]+){{0,2}} (?:must|should|shall|may|can) (?:never|always|not|only|at least)\b(?! have\b)|"
            rf"^\W*(?:every|each) (?!day|time|one|night|year)[a-z-]+(?: [a-z-]+){{0,2}} (?:needs|requires|gets|includes|contains|"
            rf"carries|shows|ends|"
            rf"starts|begins)\b|\b(?:it|this|that|they|these) all (?:must|has to|have to|needs? to)\b|"
            rf"(?:^\W*|\bso |[,;:]\s)(?!it|this|that|they|we|i|you|is|was|there|he|she|can|and|but)[a-z-]+(?: [a-z-]+)? only (?:after|"
            rf"before|between|on|from|via|by|during|in the|at the|"
            rf"with) [a-z0-9]|"
            rf"^\W*(?:all|every|each|any|whatever) (?!of\b)(?:[a-z-]+ ){{1,4}}(?:must|has to|have to|needs to|need to|should) (?!be "
            rf"(?:fine|ok|good)|come)[a-z]|"
            rf"^\W*(?:all|every|each) (?!of|day|time|good|one|that|this|night|year|moment|other)(?:my |the |our )?[a-z-]+(?: "
            rf"[a-z_-]+){{0,2}} (?:in|as|"
            rf"through|past|via|under|without|goes|gets|stays?) (?!all\b|my life|me\b|us\b)[a-z]|\b(?:nobody|no one|none) (?:[a-z0-9]+ "
            rf"){{0,4}}(?:may|"
            rf"must|is allowed|gets to|is to)\b|^\W*(?!i\b|we\b|you\b)(?:[a-z-]+ ){{1,4}}(?:needs?|requires?) (?:[a-z']+ "
            rf"){{1,3}}(?:sign-?off|approval|"
            rf"permission|consent|ok|okay|confirmation|authori[sz]ation)\b|"
            rf"^\W*(?:the |all |our |my )?{_PERSON}(?:[a-z]+ ){{1,4}}(?:must|has to|have to|needs to|need to) (?:be|stay|remain) (?:on|in|"
            rf"under|near|within|at|close|[a-z]+(?:able|ible|ed|free|friendly|proof|fixed)|fixed|compatible|quiet|clean|safe|"
            rf"[a-z]+-[a-z]+)\b|"
            rf"{START}(?:make sure|ensure|see to it)(?: that)? (?:none|no|all|every|each|the|it (?!is\b|would|was)|they|any|everything|"
            rf"there|our|my|"
            rf"prices?|dates?|he|she)\b(?! (?:is|are) (?:ok|okay|right)\?)|"
            rf"{START}(?:stick (?:to|with)|use only|work only with|limit yourself to|treat [a-z ]+ as|go only) (?!it\b|that\b|this\b|"
            rf"the plan\b)"
            rf"[a-z]|{START}keep [^.!?]{{2,60}}\b(?:at all times|to a minimum|as is|free of|out of|compatible|up to date|separate|"
            rf"intact|unchanged)"
        ),
    ),
    (
        "prohibition",
        (
            rf"{START}(?:let's|lets|let us) (?:please )?(?:not|never|avoid) (?!get|worry|forget|rush|jump|pretend|fight|argue|go there|"
            rf"be|kid)[a-z]|"
            rf"{START}(?:(?:try|be careful|take care|make sure|remember) (?:to avoid|not to|never to|to never|to not)|no [a-z]+ "
            rf"(?:unless|until|"
            rf"without|before|after|except|in|on|from|near) (?!the world|my life|sight|mind|it|that)[a-z0-9])|"
            rf"\b(?:i|we)(?:'d| would)? (?:want|need|like|expect|prefer|ask|trust|do not want|don't want) (?:that )?you (?:to "
            rf")?(?:always|never|"
            rf"not|avoid|stop|stay away|refrain|leave)\b|\b(?:i|we)(?:'d| would) (?:appreciate|prefer|like|want) (?:it )?if you "
            rf"(?:didn't|did not|"
            r"don't|wouldn't|never|always|only|avoided|kept|used)\b|^\W*(?!it|that|this|he|she|they|you|i|we)(?:[a-z-]+ ){1,4}(?:is |are )?"
            r"(?:strictly |absolutely )?(?:forbidden|prohibited|banned|not allowed|off[- ]limits|taboo|verboten)(?: here)?\s*[.!]?\s*$"
        ),
    ),
    (
        "format",
        (
            rf"{START}(?:give|show|put|list|quote|state|report|write|present|express|convert|format|keep) (?:me )?(?:all|every|any|your|"
            rf"each) "
            rf"(?:[a-z]+ )?{_OUTPUT} (?:in|as|with|without|to)\b|\b(?:i|we)(?:'d| would)? (?:want|need|like|prefer) (?:all |every |any |"
            rf"your |"
            rf"the |to (?:see|have|get) (?:all |your |the )?)(?:[a-z]+ )?{_OUTPUT} (?:in|as|with|without|to be|kept|short|sorted)\b|"
            rf"\b(?:i|we)(?:'d| would)? (?:want|need|like|expect|prefer) you (?:to )?(?:only |always )?(?:answer|reply|respond|write|"
            rf"speak|talk|use|"
            r"explain|format|cite|quote)\b"
        ),
    ),
    (
        "rule",
        (
            rf"{START}(?:let's|lets|let us) (?:please )?(?:always|only|stick|keep (?:it|this|the|all|everything|things|answers|"
            rf"every))\b(?! (?:up|going|real|good|moving))|"
            rf"\b(?:i|we)(?:'d| would)? (?:want|need|like|expect|prefer) you (?:to )?(?:only|keep|stick|check|ask|confirm|treat|work|"
            rf"assume|"
            rf"remember)\b|\byou (?:(?:can|may) only|(?:should|must|will|are to|have to) (?:only|always|never|first))\b(?! (?:be (?:so|"
            rf"there|my)|"
            rf"imagine|hope|try|guess|see))|^\W*(?![^.!?]*\b(?:is|are|was|it|i|you|we|they|he|she|no|not)\b)(?:[a-z-]+ ){{1,4}}(?:is |"
            rf"are )?(?:required|"
            rf"mandatory|compulsory|obligatory|a must|essential)(?:,? {_PLS})?\s*[.!]?\s*$|{START}keep (?:the |all |any |my |our |its? "
            rf")?[a-z ]{{2,30}} "
            r"(?:low|down|minimal|small|cheap|simple|private|quiet|tidy|clean)\b|\b(?:i|we) (?:want|need|require|expect) (?:all|every|"
            r"everything|each)\b"
            r"[^.!?]{1,50}\b(?:to|in|on|at|under|within|with|without|by)\b"
        ),
    ),
    (
        "dislike",
        (
            r"^\W*(?:(?:really |so |just )?not (?:really |too |very |that |so |a )*(?:keen|fond|into|big on|fan|crazy about|comfortable|"
            r"interested)\b|(?:really |just )?(?:can't stand|can't do|can't eat|can't have|don't like|don't eat|don't drink|won't eat|"
            r"hate|dislike|"
            r"detest|loathe))(?: of| on| in| with)? (?!it\b|that\b|this\b|to\b|when\b|how\b|these\b|them\b|any\b|the (?:first|second|"
            r"last))[a-z]"
        ),
    ),
    (
        "preference",
        (
            rf"^\W*ideally,? [a-z]|\b(?:i|we)(?:'d| would) sooner [a-z][^.!?]{{1,60}} than [a-z]|"
            rf"\b(?:whenever|wherever|where) (?:(?:at all )?possible|you can|there's a choice)\b|"
            rf"^\W*(?![^.!?]*\b(?:i'm|it's|game|all|come|it|is|are|was|get|go|that|this|what|you|i|we|so|my|our|change|switch|move|hand|"
            rf"talk)\b)[a-z-]+(?: [a-z-]+){{0,3}} over (?!there|here|the (?:weekend|"
            rf"phone|years?|summer|holidays?|next|last|moon|top)|time|and|with|\d)[a-z-]+(?: [a-z-]+){{0,3}}(?:,? {_PLS}|,? (?:any day|"
            rf"always|"
            r"every time)|[.!]?\s*$)|\b(?:it's|it is|it'd be|that's|is|are) (?:(?:really|very|so|extremely|quite|super|also) "
            r")?(?:important|crucial|"
            r"essential|vital|key) (?:to|for) (?:me|us)\b"
        ),
    ),
)
"""What is said in few words, bounds, and what stands at all times; some general, so that passing words must be gone before."""
