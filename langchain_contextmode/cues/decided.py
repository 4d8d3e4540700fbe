"""Sentences that settle something, and sentences that leave something open; of humans and of assistants."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.reading import is_supposed, plain
from langchain_contextmode.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

_DECIDED: Final = re.compile(
    r"\b(?:let's|let us|we'll|we will|i'll|i will|we should just|i'd) (?:just |then |definitely |probably )?(?:go (?:with|for)|"
    r"take (?!care|a look|it from|a moment|a break|it (?:slow|slowly|easy|one)\b|into|note|"
    r"some time|notes)|pick|choose|settle (?:on|for)|stick (?:with|to)|"
    r"pencil|book|use (?!(?:it|this|that|them|these|those)\b)|order|opt for|do (?:the|it (?:on|by|with|that))|"
    r"move (?:it|this|that) (?:by|to)|keep (?:the|it at)|skip|drop|call it)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:just |finally |now |both |all |already )*(?:decided|settled|agreed|chose|chosen|picked|"
    r"booked|reserved|ordered|confirmed|signed|bought|paid|opted|committed|scheduled|went with|made up|cancell?ed|approved|"
    r"moved|finali[sz]ed|switched to)\b"
    r"|^\W*+(?:yes,? |ok(?:ay)?,? |great,? |perfect,? |good,? |done[:,.] )*(?:it's |that's |it is |that is |all |now |"
    r"both )*(?:booked|confirmed|agreed|approved|decided|settled|reserved|ordered|scheduled|cancell?ed|done|deal|sold|"
    r"changed to|set)\b(?!\s+(?:to|by|if|when)\b)(?=\W|$)"
    r"|\b(?:is|are|was|were|has been|have been|got|been|'s|'re|now) (?:now |all |officially |hereby |both )*(?:booked|confirmed|"
    r"agreed|approved|decided|settled|reserved|ordered|scheduled|signed off|locked in|finali[sz]ed|cancell?ed|final)\b"
    r"(?!\s+(?:first(?! thing)|last|whenever|when|if|every|each|automatically|once|in order|per|as soon|by (?:priority|date|order|size|age|"
    r"time|name|default))\b)"
    r"|\b(?:final (?:decision|answer|choice|version)|decision|final|agreed|the plan|conclusion|resolved|outcome)\s*(?::|is\b|"
    r"stands\b)|\bgo(?:ing)? with (?:the|option|plan|that|this|a|an|it|[A-Z0-9])|(?<!can )(?<!could )(?<!to )(?<!you )\b(?:take|"
    r"book) (?:it(?! slow| easy| one)|both|them|that one|"
    r"the (?:first|second|third|last|other|[a-z0-9:]+(?: one)?))\b"
    r"|\b(?:it is|it'll be|it will be) (?:then|the|decided|settled)\b|\d[^.!?]{0,14} it is\b|\b[a-z]+ it is(?:,? then)?\W*$|"
    r"^\W*+(?:yes|ok(?:ay)?|right|then|so)?\W*+[a-z]+ (?:on arrival |instead |it is )?(?:then|instead)\b[^?]*$|\b(?:so|"
    r"then) we (?:move|take|go|keep|book|use|skip|drop|ship|start)\b"
    r"|就选|就(?:订|定|买|去|用|要|吃|坐|住)(?:这|那|了|它|[\w]{1,12}(?:吧|了))|决定(?!于|不了|权)|(?<!不|没)确定(?:了|下来|用|"
    r"选|是)|^\W*+确定|定下来|定好|(?:已|已经|都|给您|帮您|为您)?(?:订|定|预订|预约|约|买|选|说|谈|下单)好了|已(?:经)?(?:预订|"
    r"预定|确认|下单|批准|通过|取消|改签|同意|付款|定)|(?:换|改)(?:成|为|到)|定了|说定|一言为定|就这么(?:办|定|说定)|成交|拍板|"
    r"敲定|商定|达成一致|"
    r"同意了|(?:我|我们)同意|批准了|最终(?:方案|决定|选择|版本)?(?:是|：|:|选|定)|结论(?:是|：|:)|那就(?!放心|好(?!好)|太|麻烦|谢|不打扰|行|没|辛苦|难|明白|对|可惜|糟|不用|不客气|再见|更|很|有|先?走)[\w]{1,16}(?:吧|了)|"
    r"(?:推迟|提前|延期?|挪|顺延)到|就(?:放|定|安排|设|约)在|[，,][\w]{1,6}?不(?:要|看|选|考虑)了|"
    r"^\W*[^，。！？\s]{1,14}[，,]\s*(?:就)?(?:订|买|签|定|要|选|用|租|下单)(?:它|这个|这家)?(?:吧|了)\W*$|"
    r"^\W*(?:(?:好的?|行|嗯|那|可以)[，,]?\s*)*(?:就(?:用|选|订|定|买|走|按|坐|住|去|租)(?![了过完在得不]|\w{0,6}[吗呢过])\w{2}|(?:买|选|要|订|用)第[一二三四五六七八九]\w)|"
    r"(?:早上|上午|下午|晚上|[日天号])去吧|按(?:这个|方案|计划)[\w]{0,8}(?:办|来|执行|做)"
)
_VERBS: Final = (
    r"(?:postpone|delay|drop(?! by| in)|cancel|skip|move|switch to|stay with|stick (?:to|with)|keep (?:the|it|this|that|our|my|both|"
    r"using)|take|"
    r"use|go (?:with|ahead with|for)|start with|cut|ship|book|choose|pick|replace|call off|put off|push back|leave out|launch|close|merge|"
    r"order|buy|hire|rent|split)"
)
_VERBS_ING: Final = (
    r"(?:postponing|delaying|dropping(?! by| in)|cancell?ing|skipping|moving|switching to|staying with|sticking (?:to|with)|keeping|taking|"
    r"using|going (?:with|ahead with|for)|cutting|shipping|booking|choosing|picking|replacing|calling off|buying|hiring|renting)"
)
_OBJECT: Final = r"(?!it slow|it easy|care|note|turns|part|place|time|off|out|losing|a look|a break|a lot|(?:that|it) (?:into|in) )\S"
_PRESENT: Final = re.compile(
    rf"^\W*+(?:(?:ok|okay|right|fine|good|great|all ?right|alright|then|so|yes|agreed|perfect|sure|well)\b\W*)++(?:in that case,? )?"
    rf"(?:i|we)(?: then| both| now)? {_VERBS} {_OBJECT}|"
    rf"^\W*+(?:(?:ok|okay|right|fine|good|great|all ?right|alright|then|so|yes|agreed|perfect|sure|well)\b\W*)*+"
    rf"(?:(?:i'm|we're|i am|we are) (?:now |definitely )?{_VERBS_ING} (?:the|our|that|this|both|all|[a-z]+(?=\W*$))|"
    rf"for (?:the|our|my) [a-z]+(?: [a-z]+)?,? (?:i|we)(?:'ll| will)? {_VERBS} {_OBJECT}|"
    rf"we (?:postpone|cancel|drop|skip|keep|call off|switch to|stay with|stick (?:to|with)) (?:the|our|both) )|"
    r",\s*(?:that's |that is |and that's )?(?:my |our )?final(?: answer| decision| choice| word)?\W*$"
)
_USUAL: Final = re.compile(
    r"\b(?:if|usually|always|often|sometimes|normally|generally|every (?:year|summer|winter|day|week|month|time)|whenever|"
    r"each (?:time|year)|never|"
    r"used to|typically|in case)\b"
)
"""Habits and conditions settle nothing."""
_UNDECIDED: Final = re.compile(
    r"\b(?:not|n't|haven't|hasn't|isn't|never|yet to|before|until|unless|if|once|whether|should (?:i|we)|not yet|"
    r"to be) (?:\w+ ){0,3}(?:booked|confirmed|agreed|approved|decided|settled|reserved|ordered|scheduled|finali[sz]ed|final|"
    r"decide)\b|\bhold on\b|还没|尚未|没有?(?:决定|确定|定|订)|不确定|未定|未决定|等.{0,8}(?:决定|确定|确认)"
)
_OPEN: Final = re.compile(
    r"\b(?:still (?:need|needs|have|has|to do|open|missing|pending|waiting|unclear|unresolved|undecided|don't know|not|looking|"
    r"thinking|working|owe|must|to be|unsure|deciding)|to-?dos?\b|remind (?:me|us)\b(?! of\b)|(?:get|come|"
    r"circle) back to (?:you|that|this|it|me|us)|"
    r"pending|waiting (?:for|on|to hear)|wait(?:s)? for (?:the |my |your |his |her |their |a )?(?:answer|reply|confirmation|"
    r"approval|response|results?|feedback|go)|awaiting|to be (?:decided|confirmed|determined|discussed|announced|done|"
    r"clarified)|tb[cda]\b|yet to|not (?:yet )?(?:decided|sure yet|settled|confirmed|booked|clear yet|finali[sz]ed|resolved|"
    r"done)|"
    r"not yet\b|haven't (?:yet )?(?:decided|booked|heard|chosen|confirmed|finished|received|done|settled|made up|got|figured|"
    r"checked)|hasn't (?:yet )?(?:replied|confirmed|answered|been|arrived|decided|responded)|undecided|unresolved|"
    r"open (?:question|item|point|issue|task)s?|(?:is|are|remains?|leave|leaves|left) (?:still |that )?open\b(?! (?:on|at|from|"
    r"until|till|every|to|for|daily|24|all|now|again|between))|"
    r"let me (?:think|check|talk to|ask|sleep on|get back|see (?:if|whether|with)|discuss)|i(?:'ll| will) (?:think about|"
    r"check (?:with|whether|if|and|later)|let you know|ask (?!for a)|look into|follow up|decide|sort (?:it|that)|figure|"
    r"find out|confirm (?:later|tomorrow|by|with|when)|come back|get back|tell you (?:later|when|tomorrow|once)|send you)|"
    r"(?:need|have) to (?:decide|figure out|check with|confirm|ask|follow up|sort out|find out|clarify|talk to)|follow[- ]up|"
    r"later (?:on )?(?:i'll|we'll|we can|today)|we'll see|next steps?|don't forget to|outstanding|hold (?:on|off) (?:with|on)|"
    r"on hold|want to see .{2,40} first|remains to be)"
    r"|还没|尚未|还不|待定|待办|待确认|待处理|未定|未决|稍后|回头|到时候再?|以后再(?:说|定|看|议)|晚点|过(?:几天|两天|会儿?|"
    r"一会儿?)再|等(?!级|于|候|待遇).{0,14}(?:确认|回复|通知|消息|结果|决定|再说|再定|批准|答复)|再(?:说吧|看看|想想|商量|定|议|"
    r"考虑|确认)|提醒我|别忘了|记得提醒|没(?:决定|确定|定好|想好|订)|有待|需要(?:再)?(?:确认|考虑|商量)|想一想|考虑一下|不确定|"
    r"问问|下次再"
)
_CLOSES: Final = re.compile(
    r"\b(?:no longer (?:pending|open|waiting)|nothing (?:is )?(?:pending|open|left)|all (?:sorted|settled|done))\b|没有待"
)


def decisions(text: str) -> tuple[str, ...]:
    """Return the sentences that settle something, in order, copied: "let's go with the 9:40", "booked", "就这么定了"."""
    return tuple(sentence for sentence, said in _statements(text) if _settles(said) and not _UNDECIDED.search(said))


def _settles(said: str) -> bool:
    return bool(_DECIDED.search(said) or (_PRESENT.search(said) and not _USUAL.search(said)))


def open_items(text: str) -> tuple[str, ...]:
    """Return the sentences that leave something open, in order, copied: "I'll get back to you on that", "TODO", "待定"."""
    return tuple(sentence for sentence, said in _statements(text) if _OPEN.search(said) and not _CLOSES.search(said))


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """Yield sentences that are no questions and no suppositions: as written, and ready for the patterns."""
    for start, end in sentences(text):
        said = plain(text[start:end])
        if not said.rstrip("\"'”’）) ").endswith(("?", "？", "吗")) and not is_supposed(said):
            yield text[start:end], said
