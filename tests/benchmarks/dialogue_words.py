"""Facts in words, without an exact value, and questions that share some of their words."""

from __future__ import annotations

from dialogue_facts import Fact

IN_WORDS = (
    Fact(
        "words", "My sister is afraid of lifts since she got stuck in one.", "afraid of lifts", "Why does my sister always take the stairs?"
    ),
    Fact(
        "words",
        "The bakery on the corner gives us yesterday's bread for the horses.",
        "yesterday's bread",
        "What do the horses get from the bakery?",
    ),
    Fact("words", "Grandpa keeps the spare key under the third flowerpot.", "third flowerpot", "Where is the spare key?"),
    Fact("words", "The piano in the hall belongs to the choir, you know.", "belongs to the choir", "Whose piano is that in the hall?"),
    Fact("words", "Our team picks the Friday music by drawing lots.", "drawing lots", "How does the team choose its music?"),
    Fact("words", "The green folder holds the tax papers.", "green folder", "Where did I put the tax papers?"),
    Fact("words", "To silence the alarm you turn the main switch twice.", "the main switch twice", "How do I stop the alarm?"),
    Fact(
        "words",
        "The cache is cold after a deploy as the warmer starts an hour later.",
        "an hour later",
        "Why is the cache cold after we deploy?",
    ),
    Fact(
        "words",
        "The tenant pays in cash since his bank closed the account.",
        "closed the account",
        "What's the reason the tenant pays cash?",
    ),
    Fact("words", "Lena dreams of becoming a beekeeper, of all things.", "a beekeeper", "What does Lena want to become?"),
    Fact("words", "The soup turned out better with smoked paprika than with cumin.", "smoked paprika", "Which spice was best in the soup?"),
    Fact("words", "备用钥匙放在门口第二块砖下面。", "第二块砖", "备用钥匙在哪里？"),
    Fact("words", "爷爷每天早上先喝一杯淡盐水。", "淡盐水", "爷爷早上喝什么？"),
    Fact("words", "那台打印机只认左边的纸盒。", "左边的纸盒", "打印机用的是哪边？"),
    Fact("words", "小猫怕吸尘器，一开就钻到床底。", "怕吸尘器", "小猫为什么会钻床底？"),
)
