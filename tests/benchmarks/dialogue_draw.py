"""What is drawn by lot: people, places, values, results of tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import dialogue_talk as talk
from dialogue_near import NEAR

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

TOWNS = ("Lübeck", "Graz", "Leeds", "Ghent", "Aarhus", "Brno", "Porto", "Turku", "Galway", "Verona", "Tartu", "Utrecht")
PERSONS = ("Marek", "Ingrid", "Tobias", "Yasmin", "Oskar", "Paula", "Henrik", "Noemi", "Stefan", "Leila")
FIRMS = ("Kestrel & Sons", "Nordlicht AG", "Bluewater Ltd", "Hofmann Bau", "Tallis Group", "Orbital Works", "Quarry Lane", "Vento SRL")
GIVEN = ("Wilhelmina", "Cornelius", "Rosalind", "Thaddeus", "Ottilie", "Ambrose", "Philippa", "Leopold", "Henrietta", "Gideon")
FAMILY = ("Odenthal", "Achterberg", "Pemberton", "Vasquez", "Lindqvist", "Okafor", "Szymanski", "Tremblay", "Kowalczyk", "Haverford")
SURNAMES = "赵钱孙李周吴郑冯陈褚卫蒋沈韩杨"
NAMES = ("国庆", "秀兰", "思远", "雅婷", "志强", "文博", "晓燕", "子涵", "建华", "梦琪")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
TOOLS = (
    ("search_hotels", "rooms in <town>", "hotel", ("Blue Heron", "Stadtpark", "Old Mill", "Marina", "Linden")),
    ("search_trains", "trains to <town>", "train", ("IC", "RE", "EC", "NJ", "RB")),
    ("list_orders", "open orders of <firm>", "order", ("desk lamp", "paper A4", "toner", "chair mat", "whiteboard")),
    ("find_issues", "open issues about login", "issue", ("timeout", "typo", "wrong locale", "slow query", "broken link")),
    ("search_shops", "paint near <town>", "shop", ("Colour Box", "Hobby & Home", "Baumarkt West", "Pinsel", "Art Depot")),
)


class Draw:
    """What one conversation draws by lot; nothing comes twice before everything came once."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._decks: dict[str, list[str]] = {}

    def _next(self, name: str, cards: Sequence[str]) -> str:
        deck = self._decks.get(name)
        if not deck:
            deck = self._decks[name] = self.rng.sample(list(cards), len(cards))
        return deck.pop()

    def fillers(self) -> dict[str, str]:
        """Return what the placeholders of one template stand for."""
        return {
            "<town>": self._next("town", TOWNS),
            "<person>": self._next("person", PERSONS),
            "<firm>": self._next("firm", FIRMS),
            "<n>": str(self.rng.randrange(2, 40)),
        }

    def chatter(self) -> list[str]:
        """Return what a user says in between, and the answer."""
        name, cards = self.rng.choices(
            (("en", talk.CHATTER), ("zh", talk.CHATTER_CHINESE), ("long", talk.EXPLAINED), ("near", NEAR)),
            weights=(0.45, 0.15, 0.15, 0.25),
        )[0]
        return fill(self._next(name, cards), self.fillers()).split(" | ")

    def search(self) -> tuple[str, str, str, str]:
        """Return a tool, what it is asked for, its result as JSON, and what the assistant says to it."""
        tool, query, what, names = self.rng.choice(TOOLS)
        rows = [
            {
                "id": f"{what[0].upper()}{self.rng.randrange(1_000, 9_999)}",
                what: name,
                "price": round(self.rng.uniform(20, 400), 2),
                "since": f"2026-{self.rng.randrange(1, 13):02}-{self.rng.randrange(1, 29):02}",
                "rating": round(self.rng.uniform(5, 10), 1),
            }
            for name in self.rng.sample(names, self.rng.randrange(3, 6))
        ]
        best = max(rows, key=lambda row: row["rating"])
        said = f"I found {len(rows)}; {best[what]} looks best ({best['price']}, rated {best['rating']})."
        return tool, fill(query, self.fillers()), json.dumps({"results": rows}), said

    def value(self, pattern: str) -> str:
        """Return a value of the pattern's form."""
        rng = self.rng
        if pattern == "date":
            day, month, year = rng.randrange(2, 29), rng.randrange(1, 13), rng.choice((2026, 2027))
            name = MONTHS[month - 1]
            numbers = (f"{year}-{month:02}-{day:02}", f"{day:02}.{month:02}.{year}")
            return rng.choice((f"{day} {name} {year}", f"{name} {day}", f"{day} {name}", *numbers))
        if pattern == "日期":
            month, day = rng.randrange(1, 13), rng.randrange(1, 29)
            return rng.choice((f"{month}月{day}号", f"2027年{month}月{day}日"))
        if pattern == "name":
            return f"{self._next('given', GIVEN)} {self._next('family', FAMILY)}"
        if pattern == "姓名":
            return self._next("surname", SURNAMES) + self._next("name", NAMES)
        drawn: dict[str, Callable[[], str]] = {
            "#": lambda: rng.choice("123456789"),
            "@": lambda: rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ"),
            "%": lambda: rng.choice("0123456789abcdef"),
        }
        return "".join(drawn[char]() if char in drawn else char for char in pattern)


def fill(text: str, fillers: dict[str, str]) -> str:
    """Put values in place of placeholders."""
    for name, value in fillers.items():
        text = text.replace(name, value)
    return text
