"""English: what sounds like a rule and is none: encouragement, advice to a friend, slogans, general truths, guesses, tales of the past."""

from __future__ import annotations

from typing import Final

_HEARTENS: Final = (
    r"(?:take (?:care of|(?:regular )?breaks|a (?:break|breather|moment)|(?:your|some) time|it easy)|look after|believe|relax|breathe|"
    r"rest|get (?:some|enough|plenty|well|better|lost)|have (?:fun|a (?:good|great|nice|"
    r"safe|lovely|wonderful))|enjoy|celebrate|cherish|smile|laugh|dream|prepare|look back|look on|give up|quit|lose (?:hope|heart|faith|"
    r"sight)|stop (?:dreaming|believing|learning|trying|being|smiling|growing|loving)|settle|doubt|be (?:proud|yourself|kind|brave|"
    r"grateful|so hard|too hard|hard on|afraid|discouraged)|"
    r"stay (?:true|strong|positive|safe|healthy|happy|motivated|hydrated|focused|curious|humble|hopeful|calm|warm|tuned|in touch|open)|"
    r"remain (?:true|positive|hopeful|strong)|keep (?:going|smiling|dreaming|believing|fighting|pushing|learning|growing|moving|your "
    r"(?:chin|head))|follow your|trust (?:yourself|your|the process|in)|love|treasure|appreciate|let (?:anyone|anything|it|them|him|her|"
    r"fear|others|that|this) [a-z]+|pack (?:a|your)|say hi|say never|judge a|underestimate|sell yourself|beat yourself|overthink|"
    r"compare yourself|put off|regret)\b"
)
_NEVER: Final = (
    r"(?:give up|quit|lose (?:hope|heart|faith|sight)|settle|doubt|stop [a-z]+ing|be (?:so |too )?(?:hard|harsh|afraid|discouraged|shy|sad|"
    r"scared)|let (?:anyone|anything|it|them|him|her|fear|others|that|this) [a-z]+|underestimate|sell yourself|beat yourself|overthink|"
    r"compare yourself|regret|look back|apologi[sz]e)\b"
)
_ORDERS: Final = (
    r"(?<!\bi )(?<!\bwe )(?:(?:always |just |please |and |but |so |also )*(?:(?:do not|don't|dont) (?:ever )?(?:forget to|let)|never(?: "
    r"ever)?|always|"
    r"(?:be|make) sure (?:to|you|that you|they|your)|remember to|"
    r"(?:you|we|one|people) (?:must|should|have to|need to|can|could)(?: never| always| not)?|try to)\s+)"
)
_YOURS: Final = (
    r"(?:yourself|yourselves|(?:you|u) (?:deserve|love|enjoy|got this|can do)|your (?:own |new |inner )?(?:dreams?|hearts?|life|"
    r"famil(?:y|ies)|friends?|kids|loved ones|audience|customers|followers|fans|passions?|health|body|mind|goals?|best|worth|feelings|"
    r"values|brand|"
    r"journey|instincts?|gut|mom|dad|partner|wife|husband|vacation|trip|weekend|day|chin))\b"
)
_ASSISTANT: Final = r"(?:me|my|us|our|i|we)\b"
_GREAT: Final = (
    r"(?:(?:really|very|so|quite|extremely|always|also|absolutely|super|truly|pretty|just) ){0,3}(?:important|crucial|essential|vital|"
    r"key|critical|necessary|great|good|wonderful|amazing|nice|best|healthy|fundamental|priceless)"
)
_FOR_ME: Final = r"(?:to|for) (?:me|us|my)\b"
_THEM: Final = r"(?:they|he|she|it|you|that|this|those|these|life|people|we)"

_PASSING: Final = (
    # advice and encouragement: what the other person does with his own life
    rf"{_ORDERS}(?:(?!{_ASSISTANT})[^.!?,;]){{0,12}}?\b{_HEARTENS}|"
    rf"(?<!\bi )(?<!\bwe )\b(?:don't|dont|do not) (?:ever )?{_NEVER}|"
    rf"{_ORDERS}(?=[^.!?;]{{0,80}}\b{_YOURS})|"
    r"\b(?:don't|do not|never) (?:ever )?(?:let [^.!?]{2,40}? (?:down|stop you|get to you|discourage|hold you)|forget that you|get "
    r"(?:discouraged|down|"
    r"upset|lost))\b|(?<!\bi )(?<!\bwe )\bstay (?:true|strong|positive|motivated|hopeful|curious|open to)\b|\bkeep (?:on )?(?!being|"
    r"reminding|using|"
    r"asking|it|in)[a-z]+ing\b|\bkeep (?:it|up|at it)(?: up)? (?:with|the good)\b|\bkeep it up\b|\bwh(?:en|er)ever you (?:need|go|are|"
    r"feel)\b|"
    r"\bmake sure (?:to|you) [^.!?]{3,80}? so (?:that )?you (?:get|can|don't|do not|have|feel|know|won't)\b|"
    r"\b(?:always )?(?:remember|note|know|believe)(?: that)? (?:anything|everything|nothing|life|you|you're|we|we're|it|it's|there's|"
    r"sometimes|[a-z]+ing) "
    r"(?:is|are|can|stumbling|[a-z]+ (?:is|are|can)\b|will|possible|always|not|never|a|how|have|got|when|the time)\b|\b(?:always "
    r")?remember (?:when|how|that time)\b|"
    # impersonal evaluation: nobody asks for anything
    rf"\b(?:it|that|this)(?:'s| is| was) {_GREAT}\b(?! that (?:the|all|every|each|no|any|none|it|they|you (?:never|always|do not|don't))\b"
    rf"(?! [a-z]+ feels))(?! {_FOR_ME})(?!:)|"
    rf"(?:\b(?:is|are|was|were)|'s) (?:so |really |very |always |absolutely )?(?:essential|crucial|important|vital|key|critical)\b(?! "
    rf"{_FOR_ME})"
    r"(?! (?:here|for this|that)\b)|"
    # descriptions
    rf"\b{_THEM}(?:'re|'s|'ve| are| is| were| was| have| has)?\s(?!should|must|need|have to|had to|may|can|could|will|"
    rf"would)[^.!?;]{{0,60}}?"
    r"\b(?:and|to|-|\u2013) (?:always|never)\b|"
    r"\balways (?:[a-z]+(?:ing|ful)|(?!need|feed|embed|exceed|proceed|speed|heed)[a-z]+ed|here|there|up|full|calm|happy|ready|open|fun|"
    r"welcome|by|excited|eager|(?!focus|its|this|his|us\b|yes)[a-z]+(?<!s)s|a|an|the|so|such|nice|good|"
    r"great|been|was|were|in|on|at|will)\b|"
    # guesses
    r"\bmust (?:really |surely |just )?(?:feel|add|mean|love|hurt|know|miss|bring|take (?:a lot|so|real|great|courage)|have (?:been|"
    r"felt|had|"
    r"taken|a lot|so|such|[a-z]+ed|seen|made|gone|come|got|gotten|left|lost|meant)|be (?:such|quite|so|very|really|pretty|an? "
    r"(?:[a-z]+ )?(?:wonderful|great|amazing|incredible|lovely|nice|big|huge|tough|hard|real|good|fantastic|beautiful|mistake|joke|bug|"
    r"typo|"
    r"dream|blast|relief|misunderstanding)|"
    r"incredible|amazing|awesome|wonderful|great|beautiful|lovely|nice|proud|thrilled|excited|exhaust(?:ed|ing)|tired|hard|tough|fun|"
    r"scary|strange|weird|special|interesting|unreal|cool|sad|lonely|sweet|magical|touching|stressful|painful|rewarding|fulfilling|"
    r"inspiring|joking|kidding|mistaken|wrong|right|nervous|happy|hungry|difficult|rough|surreal|something|"
    r"[a-z]+ing to))\b|\bmust (?:come to an end|go on)\b|\b(?:that|it|this) must be [a-z]+ing\b|\b[a-z]+ing (?:[a-z]+ ){0,3}is a "
    r"must\b(?! for)|\bmust-(?:see|visit|try|read|watch|do|go)\b|\bshouldn't (?:i|we|you)\b|\bi think so\b|"
    r"\bis a must (?:when|if|in|for) (?!me\b|"
    r"us\b)|"
    r"\bpeople (?:must|should|need to|have to)\b|"
    r"\b(?:one|kids|children|everyone|everybody|nobody|no one|society|they|you) should (?:really |definitely )?(?:never |always )?(?:have|"
    r"spend|try|come|see|visit|learn|go|meet|check|be|know)\b|"
    # what was
    r"\b(?:had to|wasn't allowed|weren't allowed|was not allowed|were not allowed|had a deadline|could not|couldn't(?! care| stand| live))"
    r"(?=\s)[^.!?;,]*|"
    r"\b(?:spent|took|lasted|paid|was|were|waited|lost|won|only had|got (?:there|home|back|in|up|here)|(?:trip|it|that|this|which|"
    r"tickets?) cost|(?:i|we|he|she|"
    r"they|you|it) "
    r"(?:[a-z]+ )?(?:had|stayed|finished|handed|arrived|ran)) (?:[a-z]+ ){0,3}?"
    r"(?:(?:no|not|at|less|under|more|only) ?(?:more|less|most|least|than|later|longer|over|budget|ideal)?|by|before|after) (?:than )?"
    r"(?=[a-z0-9\u20ac$\u00a3])[^.!?,;]*|"
    r"\bthe [a-z]+ (?:doesn't|don't|does not|do not|won't) (?:open|close|run|serve|start|leave|depart|arrive|sell|accept)\b[^.!?,;]*|"
    # resolve
    r"\b(?:i|we)(?:'ll| will|'m going to|'re going to)? (?:keep|go)[^.!?;]*? and never [a-z ]+|\b(?:won't|will not|will never|never|"
    r"don't|can't|'ll never) (?:ever )?(?:(?:give|giving|gave) up|quit|back down|let (?:it|this|that|them|him|her|anything|anyone|go|"
    r"you)|have done|stop (?:laughing|smiling|"
    r"thinking|crying|trying|dreaming))\b"
)
_NOT_MINE: Final = (
    r"\bi(?:'d| would) (?:rather|prefer) (?:to )?(?:have|take|do|book|get|go (?:with|for)) (?:this|that|one|a \d|\d|the (?:\d|first|"
    r"second|third|last|other|next|[a-z]+ "
    r"(?:one|option|slot)))\b|\b(?:i|we) (?:prefer|like|love|want) the [a-z]+ (?:one|option|version)\b|\bnever [a-z]+ anything\s*[.!]?$|"
    r"^\W*the (?:[a-z]+ ){1,2}(?:takes|lasts|costs|runs|weighs|holds|has|supports|returns) (?:at most|no more than|up to)|"
    r""
    r"\bno (?:[a-z]+ )?(?:allerg(?:y|ies)|dietary|deadline|budget|restrictions?|preferences?)\b|"
    r"\b(?:one|some|two|few|many|all) of (?:my|our) (?:[a-z]+ )?favou?rites?\b[^.!?,;]*|"
    r"\b(?:it|this|that|they|these|those)(?:'s| is| are| was| were| became|'re)(?: (?:still|definitely|also|by far))* (?:my|our) "
    r"(?:[a-z]+ )?"
    r"favou?rites?\b[^.!?,;]*|\b(?:with|about|of|by|on|at) (?:my|our) (?:[a-z]+ )?favou?rites?\b|\bmy favou?rites?, |\bmy (?:ideal|"
    r"favou?rite) (?:[a-z]+ ){1,3}by the\b|"
    r"\b(?:made|makes?|making) (?:me|us) (?:really |so |feel |even |all |more |keep |just |very |truly ){0,3}(?:happy|connected|free|alive|"
    r"excited|proud|loved|special|grateful|better|good|great|calm|relaxed|at peace|determined|motivated|appreciate|realize|reali[sz]e|"
    r"going|like|accepted|whole|confident|strong|stronger|hopeful|think|smile|laugh|blessed|included|inspired|want)\b|"
    r"\b(?:passionate|care|passion) (?:about|for) (?:helping|making|creating|supporting|improving|giving|using|building|sharing|"
    r"spreading)\b|"
    r"\b(?:i|we) (?:really |truly |always |still )?believe in (?:us|you|yourself|myself|them|him|her|it)\b|"
    r"\bfind (?:it|this|that) (?!hard|difficult|tough|impossible|too)(?:[a-z]+ly |so|very )?[a-z]+ (?:and|but|,)|"
    r"\b(?:how much|why|reasons?|things?|movie|something|song) (?:i|we) (?:really |just |always )?(?:love|enjoy|like)\b|"
    r"\b(?:it|this|that)(?:'s| is) (?:such )?a must(?:-have)?\b|\ba (?:huge|big|massive) fan\s*[.!]|"
    r"\bmy goal is to (?:give|get|help|make|bring|create|inspire|build|share|become|open)\b|"
    r"\b(?:visit|see|be|go|do|try|come|have|travel|happen)[a-z]* [^.!?]{0,40}\bin (?:the )?future\b"
)
_OF_NOW: Final = (
    # descriptions of how things are, what belongs together
    r"\b(?:i|we) (?:always|usually|mostly|often) (?:deal with|talk to|speak to|hear from|end up|get to)\b|"
    r"\b(?:has|had|have|having) (?:absolutely |really |probably )?nothing to do with\b|"
    # a word or a text wanted now
    r"\b(?:i|we)(?:'m| am|'re| are|'d| would)? (?:need|want|like|looking for|after) (?:an?|another|some|one) (?:[a-z]+ ){0,2}?"
    r"(?:synonym|word|"
    r"title|name|phrase|slogan|headline|adjective|caption|rhyme|metaphor|nickname|expression|term|pun|motto)\b(?! (?:limit|count))[^.!?]*|"
    # plans of other people
    r"^\W*(?!(?:i|we|you|who|it|this|that)\b)(?:[a-z'-]+ ){1,3}(?:wants|plans|hopes|intends|is planning|is going|has decided|decided) "
    r"(?![^.!?]*\b(?:vegan|vegetarian|eat|drink|meat|fish|alcohol|halal|kosher)\b)[^.!?]*?\b(?:from now on|in future|in the future)\b|"
    r"\b(?:my|our) [a-z]+ (?:will|is going to|'ll) (?![^.!?]*\b(?:eat|drink|need)\b)[^.!?]*?\bfrom now on\b|"
    # aches of the day, a stop until one has looked
    r"\bmy [a-z]+ hurts? (?:from|after|because of) (?:that|this|all|the|yesterday|sitting)\b|"
    r"^\W*(?:please )?hold (?:on|off) (?:with|on) [^.!?,;]{2,40}[,;] (?:i|we|let me|let us|let's)\b[^.!?]*\bfirst\b"
)

PASSING: Final[tuple[tuple[None, str], ...]] = ((None, _PASSING), (None, _NOT_MINE), (None, _OF_NOW))
"""What is taken out of a sentence before the other patterns look at it."""
