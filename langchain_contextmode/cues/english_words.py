"""English: parts of patterns. Who speaks, how adverbs stand in between, where a demand begins, what its object may be."""

from __future__ import annotations

from typing import Final

ADV: Final = (
    r"(?:(?:really|very|quite|rather|pretty|just|also|still|do|both|all|so|too|always|often|never|rarely|much|far|even|"
    r"definitely|more|most|"
    r"kind of|sort of|a bit|a little|at all|[a-z]+ly)\s+){0,3}"
)
DET: Final = r"(?:(?!no\s+preference)[a-z'-]+\s+){0,4}?"
SELF: Final = r"\b(?:i|we|my [a-z]+ and i)\s+"
SELF_IS: Final = r"\b(?:i'm|i am|im|we're|we are|i've (?:always |long )?been|we both are)\s+"
WHO: Final = (
    r"(?:(?:my|our)\s+(?:[a-z]+\s+){0,2}?(?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc[e\u00e9]e?|son|daughter|"
    r"kids?|child|children|baby|"
    r"toddler|mother|mom|mum|father|dad|parents?|sister|brother|siblings?|friends?|guests?|family|grand[a-z]+|aunt|uncle|cousins?|niece|"
    r"nephew|colleagues?|roommate|flatmate|group|team|client|date)|he|she|they|one of (?:us|them|the [a-z]+|(?:my|our) [a-z]+)|"
    r"(?:two|three|some|both|none) of us|everyone|everybody)"
)
START: Final = (
    r"(?:^\W*|[,;:.!?()\u2013\u2014]\s*|\s-+\s*|\b(?:and|but|so|then|also|ok|okay|well|oh|hey|yes|just|plus|again|important|"
    r"note|though|however|now|"
    r"whatever happens|no matter what|i said|i told you|i repeat)\s+)(?:(?:please|pls|kindly|also|just|you (?:should|must|can|may))\s+)*"
)
POINTS: Final = (
    r"(?!(?:it|this|that|these|those|them|him|her|you|your|how|what|where|when|why|both|either|to hear|to see you|"
    r"everything|(?:the|your|their|his) (?:sound|idea|look|looks|fact|way|one|place|thought|help|info|information|assistance|"
    r"first|second|third|"
    r"last|photo|picture|pic|view|colou?rs?|vibe|lighting|atmosphere)|(?:their|your|his|her) [a-z]+\s*(?:[.!,]|$)|all (?:of )?(?:it|"
    r"that|this|the)|any|so much|talking|chatting|hearing|seeing|having you|"
    r"to (?:know|hear|book|reserve|buy|get|make|find|go|watch|rent|see|schedule|have|check|listen|play|add|take|try|search|look|visit))\b)"
)
"""The object of the moment: a pointer, or a request in the clothes of a liking."""
PAST: Final = (
    r"(?!(?:[a-z]+ed|was|were|had|went|got|saw|thought|knew|came|took|felt|did|said|told|met|found|made|gave|left|heard|forgot|understood|"
    r"been|seen|done|gone|thought|dreamt|knew|grew|won|lost|became|began)\b)"
)
OF_NOW: Final = (
    r"(?!(?:know|think|mind|have|need|want|see|understand|believe|remember|mean|get|suppose|recall|feel|find|guess|expect|say|"
    r"agree|doubt|wish|"
    r"hear|care|seem|forget|lose|end up|recogni[sz]e|intend|plan|reali[sz]e|worry|blame|get|look|hope|wonder|hold|even|be|make|"
    r"miss|tell|regret|"
    r"come across|really|usually know|wanna|require|like(?=\s*[.!,]|$))\b)"
)
ILL: Final = (
    r"(?:allerg(?:y|ies)|asthma|migraines?|diabetes|epilepsy|dyslexia|adhd|autism|arthritis|vertigo|insomnia|anemia|gout|eczema|ibs|"
    r"(?:high |low )?blood pressure|(?:heart|medical|health|skin|chronic|lung|kidney|respiratory|breathing|digestive|stomach|"
    r"joint|mobility|hearing|vision|mental) (?:condition|problems?|issues?|disease)|"
    r"c(?:o?e)liac|(?:car|sea|air|motion|travel)[- ]?sick(?:ness)?|anxiety|panic attacks|[a-z]+phobia|[a-z]+itis|[a-z]+lepsy|"
    r"disabilit(?:y|ies)|"
    r"intolerances?|sensitiv(?:e|ity) (?:skin|stomach|teeth|to)|(?:bad|sore|weak|injured|broken|sprained|twisted|torn|replaced) "
    r"(?:knees?|back|hips?|ankle|legs?|shoulder|neck|foot|feet|heart|wrist|arm)|(?:knee|back|hip|ankle|leg|shoulder|neck|foot|heart) "
    r"(?:injury|pain|surgery|operation|problems?|trouble))"
)
EATS: Final = (
    r"(?:vegan|vegetarian|veggie|pescatarian|lacto-?\w*|halal|kosher|gluten[- ]?free|dairy[- ]?free|lactose[- ]?free|"
    r"teetotal(?:l?er)?|keto|"
    r"plant[- ]based|muslim|jewish|hindu|jain|low[- ](?:carb|salt|sodium|fat|sugar|fodmap)|sugar[- ]?free|nut[- ]?free|vegans|vegetarians)"
)
LANGUAGE: Final = (
    r"(?:english|german|french|spanish|italian|portuguese|dutch|chinese|mandarin|cantonese|japanese|korean|russian|arabic|turkish|polish|"
    r"swedish|danish|norwegian|finnish|hindi|greek|czech|ukrainian|vietnamese|thai|hebrew|latin)"
)
SHAPE: Final = (
    rf"(?:{LANGUAGE}|bullet points?|bullets?|bulleted|tables?|json|ya?ml|csv|xml|html|latex|markdown|plain (?:text|language|english|"
    rf"words)|prose|"
    rf"words?|sentences?|"
    r"paragraphs?|lines?|characters|"
    r"short|brief|concise|terse|formal|informal|casual|tone|emojis?|headings?|headers?|code blocks?|step[- ]by[- ]step|steps|"
    r"metric|imperial|celsius|"
    r"fahrenheit|kilomet\w+|miles|24[- ]hour|12[- ]hour|iso|lower ?case|upper ?case|citations|sources|footnotes|jargon|numbered|list|lists|"
    r"simple (?:terms|words|language)|layman'?s? terms|detail|detailed|answers?|replies|responses|explanations?|disclaimers?|first name|"
    r"type hints|comments|docstrings?|spelling|units|grammar|snake_case|camelcase|abbreviations|acronyms|currency|time ?zone)"
)
WHEN: Final = (
    r"(?:(?:this |next |the |end of |close of |coming )*(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|noon|"
    r"midnight|eod|eow|"
    r"the (?:end|\d)|end of|next week|the weekend|(?:the )?\d{1,2}(?::\d\d|st|nd|rd|th| ?[ap]m\b|\.|/| o'clock)?|(?:one|two|"
    r"three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! (?:of|people|days|hours|minutes|persons))|"
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*)"
)
GUARD: Final = (
    r"(?=[iwm])(?<!\bif )(?<!what )(?<!which )(?<!where )(?<!how )(?<!when )(?<!thing )(?<!once )(?<!until )(?<!would )(?<!can )(?<!could"
    r" )(?<!did )(?<!do )"
)
