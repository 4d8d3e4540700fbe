"""Chinese names that their form tells: places by how they end (和颐酒店), people by how they are introduced or addressed (王女士).

Chinese has no capitals and no spaces. A place name is taken to begin behind the last word that only joins things (去, 在,
推荐, 附近的), so that it may come out too long, never too short at its end; names without such a form are not found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLACE: Final = (
    "酒店|饭店|宾馆|旅馆|旅社|客栈|公寓|民宿|餐厅|餐馆|酒楼|酒家|饭庄|食府|烤鸭店|火锅店|咖啡馆|咖啡厅|茶馆|酒吧|公园|乐园|动物园|植物园|博物馆|博物院|美术馆|纪念馆|展览馆|图书馆|体育馆|体育场"
    "|剧院|剧场|电影院|音乐厅|广场|大厦|大学|学院|中学|小学|医院|诊所|机场|火车站|地铁站|车站|东站|西站|南站|北站|码头|寺|庙|故居|长城|古镇|胡同|步行街|大街|大道|路|街|公司|集团|银行|超市|商场"
    "|商城|购物中心|会议中心|俱乐部|度假村|景区|风景区|森林公园"
)
_JOINING: Final = (
    "推荐|附近|周边|旁边|对面|地址|电话|预订|预定|订|想|要|请|您|你|我们|我|他们|她|他|它|去|到|在|从|离|往|住|吃|逛|玩|看|找|选|定|是|有|叫|的|和|与|跟|及|或|了|吧|吗|呢|啊|也|还|就|很|抱歉|号楼|啥|这|那|哪|某|每|各|另|别|其他"
    "|一下|一|两|三|几|个|(?<![国大专人])家|座|间|所|条|什么|怎么|可以|能|会|把|被|给|让|比|为|对|出发|帮|查|问|不|没|挺|好|请问|安排|游览|参观|前往|知道"
)
_SPLIT: Final = re.compile(rf"(?:{_JOINING})")
_HAN: Final = re.compile(r"[\u4e00-\u9fff·]{2,200}(?:[(\uff08][\u4e00-\u9fff]{2,12}店[)\uff09])?")
_ENDING: Final = re.compile(
    rf"(?:{_PLACE})(?:(?:(?![的有啥是了在吗])[\u4e00-\u9fff]){{0,6}}店)?(?:[(\uff08][\u4e00-\u9fff]{{2,12}}店[)\uff09])?"
)
_PLAIN: Final = frozenset(
    ("高档", "豪华", "经济", "舒适", "五星", "四星", "三星", "便宜", "高级", "同一", "星级", "快捷", "商务", "连锁", "热门", "十字")
)
_INTRODUCED: Final = re.compile(r"(?:我叫|名叫|叫做|姓名[是:\uff1a]?\s?)(?P<name>[\u4e00-\u9fff]{2,4})(?![\u4e00-\u9fff])")
_ADDRESSED: Final = re.compile(
    r"(?:^|(?<=[^\u4e00-\u9fff])|(?<=[和与跟给是找问请让叫为]))(?:(?![和与跟给是找问请让叫为我你您他她])[\u4e00-\u9fff]){1,3}?(?:先生|女士|小姐|老师|经理|医生|教授|师傅|总监|主任)"
)
_NOBODY: Final = re.compile(r"[这那哪一两几位个名各每您你我他她老]")
_SIZES: Final = frozenset("大小老新本该贵中西线马铁公网半")
_FEW: Final = 4
_MAX_PLACE: Final = 16


def han_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of Chinese place names and persons, in no particular order."""
    for run in _HAN.finditer(text):
        yield from _places(text, *run.span())
    for match in _INTRODUCED.finditer(text):
        yield match.span("name")
    for match in _ADDRESSED.finditer(text):
        if not _NOBODY.match(match.group()):
            yield match.span()


def _places(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    reached = start
    for match in _ENDING.finditer(text, start, end):
        before = begin = max(reached, match.start() - _MAX_PLACE)
        for word in _SPLIT.finditer(text, begin, match.start()):
            before, begin = begin, word.end()
        if match.start() - begin == 1 and text[begin] not in _SIZES and match.start() - before < _FEW:
            begin = before  # 和颐酒店: what joins elsewhere begins this name
        stem = text[begin : match.start()]
        if len(stem) > 1 and stem not in _PLAIN:
            inside = any(c in "(\uff08" for c in text[begin : match.end()]) and text[match.end() - 1] not in ")\uff09"
            yield begin, match.end() + (inside and text[match.end() : match.end() + 1] in {")", "\uff09"})
        reached = match.end()
