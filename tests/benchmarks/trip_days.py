"""What the two travellers of the bundled conversation say on the days before and during their trip; written for the benchmark."""

from __future__ import annotations

import json
from typing import NamedTuple


class Said(NamedTuple):
    name: str
    text: str
    answer: str
    call: str = ""
    arguments: dict[str, object] | None = None
    result: object = None

    def result_text(self) -> str:
        """Return the tool's result as it stands in a tool message."""
        return json.dumps(self.result, ensure_ascii=False)


DAYS = (
    Said(
        "Daniel",
        "Friday evening then. Somewhere quiet for the last dinner, same rules as always, and you know how I am about shellfish.",
        "Quinta Verde on Friday 22 May at 19:30: a garden, a vegetarian menu, no shellfish in the house, about 31 euros each. Book it?",
        "search_restaurants",
        {"city": "Porto", "date": "2026-05-22", "time": "19:30", "persons": 2},
        {
            "results": [
                {
                    "restaurant_id": "R377",
                    "name": "Quinta Verde",
                    "avg_price_eur": 31,
                    "vegetarian_mains": 6,
                    "note": "Garden, no shellfish.",
                },
                {"restaurant_id": "R381", "name": "Cais 14", "avg_price_eur": 38, "vegetarian_mains": 1, "note": "Shared fryer."},
            ]
        },
    ),
    Said(
        "Daniel",
        "Yes, take it.",
        "Booked: Quinta Verde, Friday 22 May, 19:30, code QV-2205.",
        "book_restaurant",
        {"restaurant_id": "R377", "date": "2026-05-22", "time": "19:30", "persons": 2},
        {"status": "confirmed", "code": "QV-2205", "phone": "+351 22 555 0239"},
    ),
    Said("Daniel", "My bike light is dry again. The rice worked.", "Then rice has two uses. Good to hear."),
    Said("Yue", "我需要带外套吗？那边晚上凉不凉？", "晚上大约12度，带一件薄外套就够了。"),
    Said("Yue", "好。我怕冷，餐厅请尽量订室内的位子。", "好的，以后都订室内的位子。"),
    Said("Daniel", "She's right, indoors then, also on Friday.", "I'll ask Quinta Verde for a table inside."),
    Said(
        "Daniel",
        "How do I get the boarding passes?",
        "Online check-in opens 30 hours before departure: Friday 15 May at 5:25, with reference QX7M4T.",
        "get_checkin",
        {"booking_reference": "QX7M4T"},
        {"opens": "2026-05-15T05:25+02:00", "closes": "2026-05-16T10:25+02:00", "passengers": 2, "bag_drop": "Terminal 1, desks 14 to 22"},
    ),
    Said("Daniel", "At half past five I'm asleep. I'll do it over breakfast.", "That is early enough, the seats are fixed anyway."),
    Said(
        "Daniel",
        "Did you know that the word marmalade comes from Portuguese?",
        "Yes, from marmelo, the quince. A nice thing to say at breakfast.",
    ),
    Said(
        "Daniel",
        "Please don't send me anything about work during the trip, only the meeting on Friday.",
        "Understood: nothing about work, except the meeting.",
    ),
    Said(
        "Daniel",
        "We're at the airport, desk 17, queue of about twenty people.",
        "That should take a quarter of an hour. Bag drop closes at 10:40.",
    ),
    Said("Daniel", "Through. Coffee for 5.80, outrageous again.", "Airport coffee is a tax on early arrival."),
    Said("Yue", "到了！司机在哪里等？", "出租车站在到达大厅出口右边，到酒店大约25欧元。"),
    Said(
        "Daniel",
        "Taxi was 27 euros. The hotel gave us room 12, the door code is 4471.",
        "Noted: taxi 27 euros, room 12, door code 4471.",
    ),
    Said("Daniel", "The courtyard is lovely. Bells every quarter of an hour, though.", "They usually stop at ten in the evening."),
    Said("Yue", "晚饭很好吃，素菜很多。谢谢你的推荐。", "太好了！明天上午去吃蛋挞。"),
    Said(
        "Daniel",
        "Dinner was 41 euros with wine and a tip. What's left now?",
        "1,253.40 less 36 for the fado, 27 for the taxi and 41: 1,149.40 euros.",
    ),
    Said("Daniel", "Nata da Esquina: six of them. Six. For two people.", "Nobody will judge you here. On to the sea?"),
    Said("Yue", "有轨电车真好玩，我一点也不晕。", "那就好，回程也可以坐电车。"),
    Said(
        "Daniel",
        "I lost my sunglasses on the tram, brown ones, a case with my initials.",
        "I can ask the lost property office; which tram was it?",
    ),
    Said(
        "Daniel",
        "Tram 1, around three, car 131.",
        "Reported under LP-88213. They open tomorrow at 9:00 and call the hotel if the glasses turn up.",
        "report_lost",
        {"line": "1", "car": "131", "item": "sunglasses, brown, case with initials DB"},
        {"status": "open", "case": "LP-88213", "office": "Rua do Passeio 9", "opens": "09:00"},
    ),
    Said(
        "Daniel",
        "Monday: we'd rather do nothing big. Garden and lunch. No hills please, her knee complains.",
        "The gardens of Serralves are flat by the lake.",
    ),
    Said("Daniel", "Is the ticket office there cash only?", "They take cards; the small kiosk in the park is cash only."),
    Said("Yue", "我想买一些瓷砖画带回家，哪里有小店？", "Carmo 教堂附近有一家小作坊，手绘的，小块大约12欧元。"),
    Said(
        "Daniel",
        "She bought nine. Nine tiles, 104 euros, and they weigh a ton.",
        "Then the one checked bag was a good idea: 23 kilos are allowed.",
    ),
    Said("Daniel", "Write down: tiles 104, lunch 33, garden 24.", "Written down. 1,149.40 less 161: 988.40 euros are left."),
    Said(
        "Daniel",
        "Tomorrow the Douro. Which train was it again, and do we need to reserve?",
        "IR 863 at 9:20 from São Bento, back with IR 868 at 15:33. No seats to reserve.",
    ),
    Said(
        "Daniel",
        "The man at the counter says track works, the 9:20 leaves from Campanhã at 9:31.",
        "Then take the metro to Campanhã, about 15 minutes. Be there at 9:15.",
    ),
    Said("Yue", "火车上的风景太美了，一路都是葡萄园。", "坐右边靠窗，能看到河。"),
    Said("Daniel", "Lunch in Pinhão was good, 29 euros. A dog sat under our table the whole time.", "A good sign for a kitchen."),
    Said(
        "Daniel",
        "Back. No plans for tomorrow, as agreed, but it's her birthday. Ideas for a cake? Nothing with nuts, she doesn't like them.",
        "A lemon cake from Doce Horta, no nuts, 18 euros, ready at 11:00. Shall I order it?",
    ),
    Said(
        "Daniel",
        "Yes! On the cake: Yue, in Chinese.",
        "Ordered: lemon cake with 悦 on it, Doce Horta, Wednesday 20 May at 11:00, order DH-0520-7.",
        "order_cake",
        {"shop": "Doce Horta", "kind": "lemon", "text": "悦", "pickup": "2026-05-20T11:00"},
        {"status": "confirmed", "order": "DH-0520-7", "total_eur": 18},
    ),
    Said("Yue", "今天是我生日！丹尼尔居然记得，还有蛋糕。", "生日快乐！希望蛋糕好吃。"),
    Said("Daniel", "The glasses were found! I fetched them, 3 euros fee.", "Wonderful. Case LP-88213 can be closed."),
)
