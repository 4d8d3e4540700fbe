"""English: health and diet, of the user and of companions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.english_words import ADV, DET, EATS, ILL, SELF, SELF_IS, WHO

if TYPE_CHECKING:
    from langchain_contextmode.schema import PinKind

BODILY: Final[tuple[tuple[PinKind, str], ...]] = (
    (
        "health",
        (
            rf"(?:{SELF_IS}|\b(?:is|are|'s|'re|being|was born)\s+){ADV}(?:an? )?(?:allergic|pregnant|diabetic|asthmatic|epileptic|dyslexic|"
            r"celiac|coeliac|claustrophobic|disabled|deaf|hard of hearing|colou?r-?blind|[a-z]+[- ]intolerant|intolerant|immunocompromised|"
            r"prone to|recovering from|short-sighted|in a wheelchair|on crutches|on (?:medication|blood thinners|antibiotics))\b"
        ),
    ),
    (
        "health",
        (
            r"\b(?:have|has|got|with|suffers? from|due to|because of|gets?|live with|lives with|diagnosed with|managing|given|prone to|"
            r"trigger(?:s)?)\s+"
            rf"{DET}{ILL}\b(?! (?:clinic|specialist|doctor|medication for))"
        ),
    ),
    ("health", rf"\bmy\s+(?:[a-z'-]+\s+){{0,2}}{ILL}\b|\b(?:nut|peanut|shellfish|milk|egg|pollen|latex|food|[a-z]+) allerg(?:y|ies)\b"),
    (
        "health",
        (
            r"\bhurt (?:my|his|her|their) [a-z]+|\b(?:uses?|need(?:s)?|with|in) (?:a |the |my |his |her )?(?:wheelchair|walker|crutches|"
            r"guide dog|pushchair|"
            r"stroller|hearing aid)|^\W*(?:severely |badly |also )?allergic to\b|\b(?:i|we|he|she|who|(?:my|"
            r"our) [a-z]+(?: [a-z]+)?) (?:can't|cannot|can not|"
            r"can no longer) (?:(?:swim|walk|climb|kneel|bend|lift)\b"
            r"(?! (?:it|the|that|why|how|any|you))|(?:stand|sit|see|hear) (?:for|long|well|up|very well)\b)"
        ),
    ),
    (
        "health",
        (
            r"\b(?:makes?|made|gives?) (?:me|us|him|her|them) (?:feel )?(?:sick|nauseous|dizzy|ill|ache|itch|headaches?|migraines?|"
            r"hives|heartburn|rashes|a rash)"
            r"|\b(?:for|due to|because of) (?:my )?(?:health|medical) (?:reasons|issues|condition)|\bmy (?:knees?|back|hips?|doctor|"
            r"eyes|heart|stomach|ankles?) "
            r"(?:hurts?|can't|cannot|won't|doesn't|is bad|are bad|is weak|says|said|told)\b"
        ),
    ),
    (
        "diet",
        (
            rf"(?:{SELF_IS}|\b{WHO}(?:'s|'re| is| are| was)\s+|\b(?:am|as|being|goes|went|turned|eat(?:s)?|keep(?:s)?|"
            rf"stay(?:s)?)\s+){ADV}(?:an? |both )?"
            rf"(?:strict |lifelong |practi[cs]ing |observant |on an? )?(?:[a-z-]+ )?{EATS}\b(?! (?:restaurants?|place|options?|food|"
            r"dish|dishes|meal|recipes?)\?)"
        ),
    ),
    (
        "diet",
        (
            rf"(?:{SELF}|\b{WHO}\s+)(?:do not|don't|dont|does not|doesn't|doesnt|can't|cannot|can not|won't|never|no longer|only|mostly|"
            r"rarely|avoids?|"
            rf"stopped|gave up|quit)\s+{ADV}(?:eat|eats|eating|drink|drinks|drinking|consume|consumes|have (?:dairy|gluten|sugar|meat|"
            r"nuts|alcohol|eggs|milk|"
            r"lactose|caffeine|soy|wheat|salt))\b"
        ),
    ),
    (
        "diet",
        (
            rf"(?:{SELF_IS}|\b{WHO}(?:'s|'re| is| are)\s+){ADV}on (?:an? )?(?:[a-z-]+ ){{1,3}}diet\b|\b(?:my|our) (?:diet|fast|fasting)\b|"
            rf"{SELF_IS}fasting\b"
        ),
    ),
)
"""Health and diet, of the user and of companions."""
