"""Five tasks as an application would declare them: three of SGD's services, two of CrossWOZ's domains; and any other from slot names."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

from langchain_contextmode.task.spec import TaskSpec

HotelPrice = Literal[
    "100元以下", "100-200元", "200-300元", "300-400元", "400-500元", "500-600元", "600-700元", "700-800元", "800-1000元", "1000元以上"
]
Spending = Literal["50元以下", "50-100元", "100-150元", "150-500元", "500-1000元", "1000元以上"]
Rating = Literal["3分以上", "3.5分以上", "4分以上", "4.5分以上", "5分"]
Facility = Literal[
    "宽带上网", "行李寄存", "叫醒服务", "无烟房", "会议室", "国际长途电话", "吹风机", "24小时热水", "免费市内电话", "接待外宾",
    "残疾人设施",
    "中式餐厅", "西式餐厅", "健身房", "早餐服务", "看护小孩服务", "接站服务", "接机服务", "洗衣服务", "商务中心", "桑拿", "SPA", "棋牌室",
    "酒吧", "暖气", "无线网络", "免费停车", "收费停车",
]  # fmt: skip


class Restaurant(BaseModel):
    """Reserve a table."""

    restaurant_name: str | None = Field(None, description="Name of the restaurant")
    location: str | None = Field(None, description="City of the restaurant")
    category: str | None = Field(None, description="Kind of food or cuisine")
    date: dt.date | None = Field(None, description="Day of the reservation")
    time: dt.time | None = Field(None, description="Time of the reservation")
    number_of_seats: int | None = Field(None, description="Number of people in the party", ge=1, le=20)
    price_range: Literal["cheap", "moderate", "pricey", "ultra high-end"] | None = Field(None, description="Price range")


class RentalCar(BaseModel):
    """Rent a car."""

    pickup_city: str | None = Field(None, description="City where the car is picked up")
    pickup_location: str | None = Field(None, description="Airport, station or place where the car is picked up")
    pickup_date: dt.date | None = Field(None, description="Day of the pickup, start of the rental")
    pickup_time: dt.time | None = Field(None, description="Time of the pickup")
    dropoff_date: dt.date | None = Field(None, description="Day of the return, end of the rental")
    type: Literal["Standard", "Compact", "Full-size"] | None = Field(None, description="Type of car")


class Bus(BaseModel):
    """Book a bus ticket."""

    from_location: str | None = Field(None, description="City the bus leaves from")
    to_location: str | None = Field(None, description="City the bus goes to")
    leaving_date: dt.date | None = Field(None, description="Day of departure")
    leaving_time: dt.time | None = Field(None, description="Time of departure")
    travelers: int | None = Field(None, description="Number of people travelling", ge=1, le=10)


Hotel = create_model(
    "Hotel",
    __doc__="找一家酒店。",
    名称=(str | None, Field(None, description="酒店的名称")),
    价格=(HotelPrice | None, Field(None, description="每晚价格")),
    评分=(Rating | None, Field(None, description="评分")),
    酒店类型=(Literal["经济型", "舒适型", "高档型", "豪华型"] | None, Field(None, description="酒店类型")),
    酒店设施=(list[Facility] | None, Field(None, description="酒店设施")),
)
Meal = create_model(
    "Meal",
    __doc__="找一家餐馆。",
    名称=(str | None, Field(None, description="餐馆的名称")),
    人均消费=(Spending | None, Field(None, description="人均消费")),
    评分=(Rating | None, Field(None, description="评分")),
    推荐菜=(str | None, Field(None, description="推荐菜")),
)


CHOSEN: dict[str, TaskSpec] = {
    "Restaurants_2": TaskSpec.from_model(
        Restaurant,
        nodes={"collect": ["restaurant_name", "location", "date", "time"], "confirm": []},
        synonyms={
            "price_range": {"cheap": ["inexpensive"], "moderate": ["moderately priced"], "pricey": ["expensive"]},
            "location": ["city"],
        },
    ),
    "RentalCars_1": TaskSpec.from_model(
        RentalCar,
        nodes={"collect": ["pickup_city", "pickup_location", "pickup_date", "pickup_time", "dropoff_date"], "confirm": []},
        synonyms={
            "pickup_date": ["pick up date", "pick it up", "pick up", "pickup", "from", "starting", "start"],
            "pickup_time": ["pick up time", "pick it up at"],
            "dropoff_date": ["drop off", "dropoff", "return it", "return", "until", "till", "through"],
        },
    ),
    "Buses_1": TaskSpec.from_model(Bus, nodes={"collect": ["from_location", "to_location", "leaving_date", "leaving_time"], "pay": []}),
    "酒店": TaskSpec.from_model(Hotel, nodes={"收集": ["价格"], "确认": ["名称"]}),
    "餐馆": TaskSpec.from_model(
        Meal, nodes={"收集": ["人均消费"], "确认": ["名称"]}, synonyms={"推荐菜": ["菜"], "人均消费": ["人均", "消费"]}
    ),
}


def declared(service: str, slots: dict[str, list[str]]) -> TaskSpec:
    """Declare a task from nothing but slot names and a few of their values, to see what the chosen five do not show.

    Args:
        service: Its name.
        slots: Slot to all surface forms seen.
    """
    fields: dict[str, Any] = {}
    for slot, forms in slots.items():
        fields[slot] = (_type(slot, forms) | None, Field(None, description=slot.replace("_", " ")))
    return TaskSpec.from_model(create_model(service, **fields), nodes={"collect": []})


def _type(slot: str, forms: list[str]) -> Any:
    kinds = sorted(set(forms) - {"dontcare"})
    if slot.endswith("date"):
        return dt.date
    if slot.endswith("time") and "event" not in slot:
        return dt.time
    if set(kinds) <= {"True", "False"}:
        return bool
    if all(form.isdigit() for form in kinds):
        return int
    names = {form.lower(): form for form in kinds}
    if len(names) <= 12:
        return Literal[tuple(names.values())]  # type: ignore[return-value]
    return str
