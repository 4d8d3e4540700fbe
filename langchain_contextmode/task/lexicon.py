"""What common words of field names are called in Chinese, so that a task declared in English is filled by a Chinese message."""

from __future__ import annotations

from typing import Final

CHINESE: Final[dict[str, tuple[str, ...]]] = {
    "budget": ("预算",),
    "price": ("价格", "价钱"),
    "cost": ("费用", "花费"),
    "fare": ("票价",),
    "destination": ("目的地",),
    "origin": ("出发地", "始发地"),
    "departure": ("出发",),
    "arrival": ("到达",),
    "return": ("返回", "回程", "回来"),
    "date": ("日期",),
    "time": ("时间",),
    "start": ("开始", "出发"),
    "end": ("结束",),
    "hotel": ("酒店", "宾馆", "旅馆"),
    "restaurant": ("餐馆", "餐厅", "饭店"),
    "room": ("房间",),
    "rooms": ("房间",),
    "breakfast": ("早餐",),
    "parking": ("停车", "车位"),
    "travellers": ("人数", "几个人"),
    "travelers": ("人数", "几个人"),
    "people": ("人数", "几个人"),
    "guests": ("人数", "几位"),
    "passengers": ("乘客", "人数"),
    "seats": ("座位",),
    "nights": ("晚", "住几晚"),
    "days": ("天数", "几天"),
    "city": ("城市",),
    "name": ("名字", "姓名"),
    "phone": ("电话", "手机"),
    "email": ("邮箱", "邮件"),
    "address": ("地址",),
    "quantity": ("数量",),
    "size": ("尺寸", "大小"),
    "color": ("颜色",),
    "colour": ("颜色",),
    "class": ("舱位", "等级"),
    "cuisine": ("菜系", "口味"),
    "deadline": ("截止日期", "期限"),
    "pace": ("节奏",),
}
"""English word, lower case, to Chinese ones."""
