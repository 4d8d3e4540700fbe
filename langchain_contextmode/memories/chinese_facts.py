"""Chinese: what people say about themselves and theirs. Patterns look at one statement without quoted words."""

# ruff: noqa: RUF001  (Chinese has its own punctuation)

from __future__ import annotations

import re
from typing import Final

from langchain_contextmode.memories.facts import TASTE, USER, Fact

_KIN: Final = (
    "妈妈?|爸爸?|母亲|父亲|爸妈|父母|老婆|老公|太太|妻子|先生|丈夫|爱人|女儿|儿子|孩子|小孩|宝宝|奶奶|爷爷|外婆|外公|姥姥|姥爷|"
    "女朋友|男朋友|对象|哥哥?|姐姐?|弟弟?|妹妹?|朋友|同事|同学|闺蜜|室友|客户|老板|经理|老师|邻居|"
    "表[哥姐弟妹]|堂[哥姐弟妹]|岳父|岳母|公公|婆婆|狗|猫"
)
_SAME: Final = {
    "妈": "妈妈", "母亲": "妈妈", "爸": "爸爸", "父亲": "爸爸", "太太": "老婆", "妻子": "老婆",
    "爱人": "老婆", "先生": "老公", "丈夫": "老公",
    "哥": "哥哥", "姐": "姐姐", "弟": "弟弟", "妹": "妹妹", "小孩": "孩子", "宝宝": "孩子", "父母": "爸妈", "对象": "女朋友",
}  # fmt: skip
_WHO: Final = f"(?:(?P<who>(?:我们?|咱们?|本人)(?:的|家)?(?:{_KIN})|我们?|咱们?|本人|他们?|她们?)(?:自己|这个?人|个人|家)?)"
_ADV: Final = (
    "(?:现在|目前|已经|刚刚?|最近|一直|很|特别|非常|最|真的|超级?|挺|比较|更|也|其实|平时|一般|通常|都|还是|是|就|又|从小就?|终于|"
    "上个?月|去年|今年|这个月|昨天|上周|总是|每天都?|经常|常常?|确实|尤其|开始|决定|打算以后|以后|只|还|，|后来|早就|搬家){0,5}"
)
_V: Final = "(?P<v>[^，。；！？、,;!?\\s\\x00]{1,40})"
_JOB: Final = (
    "(?P<v>[^，。；！？,;!?\\s是]{0,10}?(?:师|员|医生|护士|律师|警察|教授|老师|经理|司机|作家|画家|记者|"
    "厨师|学生|研究生|博士|会计|编辑|导演|演员|"
    "工人|农民|老板|公务员|翻译|教练|顾问|主管|总监|店长|木匠|电工|志愿者|博主))"
)
_NOT: Final = "(?:不再|再也不|不太|不怎么|不大|不|没那么|已经不|现在不)"
_CITY_END: Final = "(?:了|啦)?"
_RULES: Final[tuple[tuple[str, int, str], ...]] = (
    ("form-of-address", 1, f"(?:叫|称呼|喊)我{_V}"),
    ("name", 1, f"(?:我们?的?(?:中文|英文)?名字?(?:是|叫)|(?:我|本人)(?:姓名|名)?(?:叫|名叫|是叫))(?!你|他|她|人|车|外卖|了){_V}"),
    (
        "diet",
        -1,
        (
            f"{_WHO}{_ADV}(?:{_NOT}|停止)(?P<v>吃素|素食|纯素|清真|生酮)|"
            f"{_WHO.replace('<who>', '<who2>')}{_ADV}(?:又|重新)?(?:能|可以)?(?P<v2>吃肉)了"
        ),
    ),
    ("diet", 1, f"{_WHO}{_ADV}(?:改)?(?:在|是)?(?P<v>吃全?素|素食|纯素|清真|生酮|吃斋|回民|回族|穆斯林)"),
    ("allergy", -1, f"{_WHO}{_ADV}对{_V.replace('{1,40}', '{1,12}?')}(?:已经|现在)?(?:不再|不)过敏"),
    ("allergy", 1, f"{_WHO}{_ADV}对{_V.replace('{1,40}', '{1,12}?')}(?:严重|有点|轻微|很|非常)?过敏"),
    ("allergy", 1, f"{_WHO}{_ADV}(?:有)?(?P<v>[^，。；！？,;!?\\s有]{{1,6}})过敏症?(?=[，。！]|$)"),
    ("home", -1, f"{_WHO}{_ADV}(?:{_NOT}住在?|离开|搬离){_V}"),
    (
        "home",
        1,
        (
            f"{_WHO}{_ADV}(?:从(?P<o>[^，。；！？,;!?]{{1,12}}?))?(?:住在|住|定居在?|搬到|搬去|搬回|搬来|搬进|"
            f"落户)(?:了)?(?!院|不|的|哪){_V}"
        ),
    ),
    ("home", 1, f"[，,](?:现在|目前)?(?:住在|住到|搬到){_V}"),
    ("job", 1, f"[，,](?:现在|目前)(?:是|做|当)(?:了)?(?:一?[名个位])?{_JOB}"),
    (
        "studies",
        1,
        (
            f"{_WHO}{_ADV}(?:在)?(?:上|读|念|考上|升入)(?:了)?(?P<v>幼儿园|小学|初中|高中|大学|研究生|博士|硕士|"
            f"[一二三四五六]年级|大[一二三四])"
        ),
    ),
    ("trait", 1, f"{_WHO}{_ADV}(?:是)?(?P<v>左撇子|色盲|近视|远视|聋人|独生子女?|双胞胎|内向|外向)"),
    (
        "time",
        1,
        (
            f"{_WHO}{_ADV}(?P<v>每?(?:周|星期|礼拜)[一二三四五六日天末](?:和[周星期]*[一二三四五六日天])?)(?:都|"
            f"会|早上|下午|晚上)*去?(?P<r>[^，。；！？,;!?\\s]{{2,6}})"
        ),
    ),
    ("favourite", 1, f"{_WHO}{_ADV}最(?:喜欢|爱)(?P<x>吃|喝|看|听|玩|去|穿)(?:的是)?(?!的){_V}"),
    ("home", 1, f"我们?的?家(?:现在)?(?:就)?(?:在|搬到了?|搬去了?){_V}"),
    ("employer", -1, f"{_WHO}{_ADV}(?:{_NOT}在{_V}(?:工作|上班|任职|干)|从{_V.replace('<v>', '<v2>')}(?:离职|辞职))"),
    (
        "employer",
        1,
        (
            f"{_WHO}{_ADV}(?:从(?P<o>[^，。；！？,;!?]{{1,12}}?))?(?:跳槽|换工作|转|换)?(?:到|去)?(?:跳槽[到去]|"
            f"入职|加入|去|换到)(?:了)?{_V.replace('{1,40}', '{2,20}?')}(?:公司)?(?:工作|上班|任职|(?<=公司)|了(?=[。！]|$)|"
            f"(?=[。！]|$))"
        ),
    ),
    ("employer", 1, f"{_WHO}{_ADV}在(?P<v>[^，。；！？,;!?\\s]{{2,20}}?)(?:工作|上班|任职|做(?!饭|梦|客|运动|题|作业))"),
    ("employer", 1, "(?:^|[，,])(?:现在|目前)?在(?P<v>[^，。；！？,;!?\\s]{2,20}?)(?:工作|上班|任职|做(?!饭|梦|客|运动|题|作业))"),
    ("job", -1, f"{_WHO}{_ADV}(?:{_NOT}(?:做|当|是)){_JOB}"),
    ("job", 1, f"{_WHO}{_ADV}(?:转行|改行)?(?:是|做|当|当上了?|成了?|成为了?|升为|升职为|升职当)(?:了)?(?:一?[名个位])?{_JOB}"),
    ("age", 1, f"{_WHO}{_ADV}(?:满|快)?(?P<v>[\\d一二三四五六七八九十]{{1,4}})岁"),
    (
        "birthday",
        1,
        ("(?:我们?的?)生日(?:是|在|就是)?(?P<v>[\\d一二三四五六七八九十农历腊正]{1,6}月[\\d一二三四五六七八九十初廿]{1,4}[日号]?)"),
    ),
    ("status", 1, f"{_WHO}{_ADV}(?:刚)?(?P<v>已婚|结婚|离婚|单身|退休|怀孕|失业|订婚)(?:了|的|(?=[，。！]|$))"),
    (
        "origin",
        1,
        (
            f"{_WHO}{_ADV}(?:来自|老家(?:在|是)|出生在|生在){_V}|"
            f"{_WHO.replace('<who>', '<who2>')}{_ADV}是(?P<v2>[^，。；！？,;!?\\s]{{2,8}})人(?=[，。！]|$)"
        ),
    ),
    ("studies", 1, f"{_WHO}{_ADV}(?:在?读|学的?是|主修|的?专业是|转专业到)(?!书){_V}"),
    ("speaks", -1, f"{_WHO}{_ADV}(?:不再|不)学{_V}"),
    ("speaks", 1, f"{_WHO}{_ADV}(?:会|能)(?:说|讲){_V}|{_WHO.replace('<who>', '<who2>')}{_ADV}在学(?P<v2>[^，。；！？,;!?\\s]{{1,10}})"),
    (
        "drives",
        1,
        f"{_WHO}{_ADV}(?:开的?(?:车)?是|开(?:着)?(?:一辆)|换了(?:一辆)?)(?P<v>[^，。；！？,;!?\\s]{{1,16}}?)(?:的车|车)?了?(?=[，。！]|$)",
    ),
    (
        "time",
        1,
        (
            f"{_WHO}{_ADV}(?P<v>[早晚上下午中夜里凌晨]{{0,3}}[\\d一二三四五六七八九十两]{{1,3}}点[半钟\\d分一二三四五十]{{0,4}})(?:才|"
            f"就|左右|之?前|多)?(?P<r>起床|睡觉|睡|上班|下班|吃晚饭|吃午饭|跑步|锻炼|健身)"
        ),
    ),
    (
        "favourite",
        1,
        (
            f"{_WHO}{_ADV}(?:最)?(?:喜欢|爱|常用)(?:吃|喝|看|听|"
            f"去)?的(?P<x>[^，。；！？,;!?\\s是]{{1,8}}?)(?:现在|目前|已经)?(?:是|变成了?|换成了?){_V}"
        ),
    ),
    (
        TASTE,
        -1,
        (
            f"{_WHO}{_ADV}(?:{_NOT}(?:是很|那么|很)?(?:喜欢|爱|想|习惯)(?:上)?(?:吃|喝|看|听|玩|用)?|讨厌|受不了|"
            f"反感|厌恶|戒掉?了?|戒了|{_NOT}(?:吃|喝|碰|用|抽|看|玩|听)|不能吃|不能喝|吃腻了?|喝腻了?|"
            f"看腻了?)(?!的人|饭了|了){_V}"
        ),
    ),
    (
        TASTE,
        1,
        (
            f"{_WHO}{_ADV}(?<!不)(?<!不太)(?:喜欢上?了?|爱上了?|爱|偏爱|热爱|迷上了?|钟爱|偏好|习惯|更想要)(?:吃|"
            f"喝|看|听|玩|用|坐|住)?(?!的人|的是){_V}"
        ),
    ),
    (TASTE, 1, f"{_WHO}{_ADV}(?:改)?(?:吃|喝)(?!了|过|饭|完|什么|点|的|素|药){_V}"),
    ("has", -1, "(?:我们?|咱们?)(?:家)?的?(?P<v>[^，。；！？,;!?\\s我是的]{1,6}?)(?:去世|死|走丢|丢|没|被偷)了"),
    (
        "has",
        -1,
        (
            f"{_WHO}{_ADV}(?:把(?P<v2>[^，。；！？,;!?\\s]{{1,12}}?)(?:卖|送人|扔|转让)了?|卖了?|没有|不养|不再养|"
            f"不再有|不再开)(?P<v>[^，。；！？,;!?\\s]{{0,12}}?)(?:了)"
        ),
    ),
    (
        "has",
        1,
        (
            f"{_WHO}{_ADV}(?:有|养了?|买了?|收养了?)(?:了)?(?P<v>(?:[一两二三四五六\\d]{{1,2}})?(?:只|个|条|辆|台|"
            f"匹|套|栋|部|把|位)(?!问题|会|想法|建议|疑问|小问题|事|航班|请求|忙)[^，。；！？,;!?\\s]{{1,16}})"
        ),
    ),
    (
        "uses",
        1,
        f"(?:^|[，,]|我们?|咱们?){_ADV}(?:从(?P<o>[^，。；！？,;!?]{{1,12}}?))?(?:改用|一般用|都用|换成|换到|改成|换用|转用|换为)(?:了)?{_V}",
    ),
)
_COMPILED: Final = tuple((attribute, polarity, re.compile(pattern)) for attribute, polarity, pattern in _RULES)
_MY: Final = re.compile(
    f"(?P<who>(?:我们?|咱们?)(?:的?(?:{_KIN}))?)的?(?P<x>(?!是|就|也|现在|想法|意思|问题|看法|"
    f"名字)[^，。；！？,;!?\\s是我的了在]{{1,8}}?)(?:现在|已经|目前|最近)?"
    f"(?:是(?!不是|怎么|什么|谁|哪|多少|否|吗)|改成了?|换成了?|变成了?|改为|更新为|叫){_V}"
)
_NO_ATTRIBUTE: Final = re.compile(
    ".*(?:问题|意思|想法|航班|订单|会议|计划|预算|建议|作业|代码|电脑|手机|网络|快递|包裹|密码|疑问|需求|"
    "要求|目的|目标|今天|明天|刚才|上面|错|感觉)"
)
_STATE_VALUE: Final = re.compile("(?:坏|好|对|错|不|没|在|很|挺|有点|晚|丢|不见|慢|空|满|这样|那样|真的|因为|为了|想|要|今天|明天)")
_TAIL: Final = re.compile(
    "(?:的(?:话|时候)?|了|啦|吧|呢|啊|哦|呀|而不是.*|不是.*|而非.*|，.*|多一点|一点|一些|的那种|这种|不过.*|但.*|因为.*|所以.*)$"
)
_COUNTED: Final = re.compile("^[一两二三四五六\\d]{1,2}(?:只|个|条|辆|台|匹|套|栋|部|把|位)")
_DROPPED: Final = re.compile(
    "(?:而不是|而非|不再(?:喜欢|爱|用|吃|喝|住在?|在)?|不(?:喜欢|爱|用|吃|喝|住在?|开|养)|不是|"
    "别再)(?P<v>[^，。；！？,;!?\\s]{1,16}?)(?:了|啦|(?=[，。；！？,;!?]|$))"
)
_CORRECTED: Final = re.compile(
    "[，,。；;…—\\s]*(?:不对|说错了?|哦不|啊不|错了|其实是?|应该是|更正一?下?|不，|不,|"
    "等等)[，,：:。\\s]*(?:应该)?(?:是|改成|换成)?(?P<v>[^，。；！？,;!?\\s]{1,20})"
)


def chinese_fact(text: str) -> Fact | None:
    """Return what a statement says; `None` if no pattern fits.

    Args:
        text: A statement with quoted words blanked out.
    """
    for attribute, polarity, pattern in _COMPILED:
        match = pattern.search(text)
        if not match:
            continue
        fact = _made(text, attribute, polarity, match)
        if fact:
            return fact
    match = _MY.search(text)
    if not match or _NO_ATTRIBUTE.match(match["x"]) or _STATE_VALUE.match(match["v"]):
        return None
    return _made(text, f"my {match['x']}", 1, match)


def chinese_value(text: str) -> str:
    """Return a value without the particles behind it."""
    before = ""
    while text != before:
        before, text = text, _TAIL.sub("", text) or text
    return text.strip()


def _made(text: str, attribute: str, polarity: int, match: re.Match[str]) -> Fact | None:
    groups = match.groupdict()
    name = "v" if groups.get("v") else "v2"
    value = groups.get(name) or ""
    if not value:
        return None
    if attribute == "time":
        attribute = f"time of {groups['r']}"
    if attribute == "favourite":
        attribute = f"favourite {groups['x']}"
    if attribute == "diet" and value == "吃肉":
        polarity, value = 1, "肉"
    if attribute == "has":
        value = _COUNTED.sub("", value) or value
    corrected = _CORRECTED.match(text, match.end(name))
    cleaned = chinese_value(corrected["v"] if corrected else value)
    left = _DROPPED.search(text) if polarity > 0 else None
    dropped = chinese_value(value) if corrected else chinese_value(groups.get("o") or (left["v"] if left else ""))
    who = groups.get("who") or groups.get("who2") or "我"
    return Fact(_subject(who), attribute, cleaned, polarity, dropped if dropped != cleaned else "") if cleaned else None


def _subject(who: str) -> str:
    kin = re.search(f"(?:{_KIN})$", who)
    if kin:
        return _SAME.get(kin.group(), kin.group())
    return who if who[0] in "他她" else USER
