"""When a later sentence replaces an earlier pin, and when a message takes one back; what settles something and what leaves it open."""

from __future__ import annotations

import pytest

from langchain_contextmode.cues import decisions, lifts, open_items, overrules

REPLACED = [
    ("make that 650 euros at most", "My budget is 500"),
    ("budget is now 800", "My budget is 500 euros"),
    ("actually I prefer the aisle", "I like window seats"),
    ("from now on reply in German", "answer in English"),
    ("Keep your answers detailed from now on", "Keep your answers short"),
    ("Use tables from now on", "Answer in bullet points"),
    ("Call me Bob", "Call me Robert from now on"),
    ("At most 5 stops", "No more than 3 stops please."),
    ("nothing before 10 actually", "nothing that leaves before 9:00"),
    ("The deadline is now Monday", "The deadline is Friday"),
    ("the report is due on Monday instead", "The report is due on Friday"),
    ("I eat meat now", "I don't eat meat"),
    ("I no longer eat meat", "I love eating meat"),
    ("I hate opera.", "I hate opera."),
    ("预算改成800元", "我的预算是500元"),
    ("预算可以加到两千八百欧元", "Budget is 2,400 euros for everything, flights included."),
    ("以后用英文回答", "请用中文回答我"),
    ("我现在喜欢吃辣了", "我不喜欢吃辣"),
    ("还是靠过道吧", "我喜欢靠窗的座位"),
    ("最多5个人", "最多4个人"),
]
BOTH_HOLD = [
    ("don't push to main", "don't push to stable"),
    ("I'm also allergic to shellfish", "I am allergic to nuts"),
    ("I'm allergic to cats", "I am allergic to nuts"),
    ("My brother likes tea", "I like tea"),
    ("My brother hates tea", "I like tea"),
    ("My wife prefers the aisle", "I like window seats"),
    ("But not more than 70 euros for a dinner", "Budget is 2,400 euros for everything"),
    ("My hotel budget is 100 per night", "My budget is 2400"),
    ("no flights after 22:00", "no flights before 9:00"),
    ("The slides are due on Monday", "The report is due on Friday"),
    ("I like coffee", "I like tea"),
    ("I hate crowded trains", "I prefer trains"),
    ("Answer in English", "I prefer German wine"),
    ("我也不吃鱼", "我不吃肉"),
    ("不要推送到主分支", "不要推送到稳定分支"),
    ("我对花生过敏", "我对海鲜过敏"),
]
LIFTED = [
    ("go ahead, you can push now", "don't push to stable until I say go"),
    ("Go.", "do NOT push to stable until I say go"),
    ("Confirmed.", "don't book until I confirm"),
    ("forget the budget", "My budget is 500 euros"),
    ("You can use emojis again.", "Don't use emojis."),
    ("Ignore my earlier restrictions.", "Never call before 9"),
    ("I'm no longer allergic to nuts", "I am allergic to nuts"),
    ("预算不限了", "预算不超过500元"),
    ("取消之前的限制", "不要安排坐船"),
    ("可以推送了", "没有我的同意不要推送"),
]
KEPT = [
    ("Go ahead.", "I'm allergic to shellfish"),
    ("Go ahead.", "don't push to stable until I approve"),
    ("you can push to main", "don't push to stable"),
    ("can I push now?", "don't push"),
    ("you can't push yet", "don't push"),
    ("forget the budget", "answer in English"),
    ("Ignore all previous restrictions", "I'm allergic to nuts"),
    ("thanks, that's fine", "My budget is 500"),
    ("My sister can eat nuts again", "I am allergic to nuts"),
    ("取消之前的限制", "我对花生过敏"),
    ("可以", "不要坐船"),
]


@pytest.mark.parametrize(("new", "old"), REPLACED)
def test_later_value_replaces_earlier_one(new, old):
    """Another value for the same matter, or a turn of opinion on it, replaces what was said before."""
    assert overrules(new, old)


@pytest.mark.parametrize(("new", "old"), BOTH_HOLD)
def test_other_matters_stay(new, old):
    """What adds, speaks of somebody else or of another thing replaces nothing."""
    assert not overrules(new, old)


@pytest.mark.parametrize(("text", "old"), LIFTED)
def test_release_lifts_its_pin(text, old):
    """A message that takes a demand back, by name or with the word that it waits for, lifts it."""
    assert lifts(text, old)


@pytest.mark.parametrize(("text", "old"), KEPT)
def test_other_pins_are_not_lifted(text, old):
    """A go-ahead for something else, a question, a refusal lift nothing; allergies go only by their own words."""
    assert not lifts(text, old)


@pytest.mark.parametrize(
    "text",
    [
        "Let's go with the blue one.",
        "We'll take the 9:40.",
        "Booked: two seats, order K-17.",
        "Confirmed.",
        "I decided to skip it.",
        "Final: two rooms.",
        "Yes, Porto instead.",
        "就选这家吧。",
        "决定了。",
        "就这么办。",
        "订好了。",
    ],
)
def test_decisions_are_found(text):
    """A sentence that settles something is a decision, and is copied."""
    assert decisions(f"What a day. {text} Bye!") == (text,)


@pytest.mark.parametrize("text", ["Is it booked?", "I haven't decided yet.", "What a nice day.", "还没决定。", "I'll take care of it."])
def test_undecided_is_no_decision(text):
    """Questions, open matters and small talk settle nothing."""
    assert decisions(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I still need to book the hotel.",
        "TODO: write tests.",
        "Remind me to call the bank.",
        "I'll get back to you on the colour.",
        "The visa is pending.",
        "We are waiting for the landlord.",
        "还没订酒店。",
        "时间待定。",
        "等老板确认。",
        "到时候再说。",
    ],
)
def test_open_items_are_found(text):
    """A sentence that leaves something open is an open item, and is copied."""
    assert open_items(f"What a day. {text}") == (text,)


@pytest.mark.parametrize("text", ["Great, thanks.", "Is it still open?", "The shop is open on Sunday.", "打开文件。", "All done."])
def test_closed_matters_are_not_open(text):
    """What is done, asked or merely has the word in it leaves nothing open."""
    assert open_items(text) == ()


KEPT_APART = [
    ("Never ship order 4711 to Berlin.", "Never ship order 4712 to Ulm."),
    ("Order 4711 must arrive by June 3.", "Order 4712 must arrive by June 9."),
    ("Do not exceed 500 EUR for order 4711.", "Do not exceed 800 EUR for order 4712."),
    ("订单4711必须在6月3日之前送到。", "订单4712必须在6月9日之前送到。"),
    ("Always reply in French to customer Dupont.", "Always reply in German to customer Schulz."),
    ("I prefer window seats on planes.", "I prefer aisle seats on trains."),
    ("Never restart server 12.", "Never restart server 15."),
    ("Don't schedule meetings on 12 May", "Don't schedule meetings on 14 May"),
    ("You must not edit ticket PROJ-12", "You must not edit ticket PROJ-77"),
    ("不要动3号机器", "不要动5号机器"),
    ("Keep the Lisbon budget under 500 euros.", "Keep the Porto budget under 700 euros."),
]


@pytest.mark.parametrize(("old", "new"), KEPT_APART)
def test_demands_on_different_things_hold_side_by_side(old, new):
    """What names another order, customer, machine, day or city is another demand, however alike the words are."""
    assert not overrules(new, old)
    assert not overrules(old, new)


def test_of_fifty_bans_on_fifty_orders_all_hold():
    """However many orders are named one after the other, no ban retires another."""
    bans = [f"Never ship order {5000 + n} to the depot." for n in range(50)]
    assert not any(overrules(later, earlier) for number, earlier in enumerate(bans) for later in bans[number + 1 :])


@pytest.mark.parametrize(
    "said",
    [
        "If the dispute were settled you could ship to Berlin again.",
        "Unless I say otherwise you can ship to Berlin on Mondays.",
        "The Paris ban is lifted.",
        "要是没有纠纷，就可以发柏林了。",
    ],
)
def test_what_depends_on_something_lifts_nothing(said):
    """A supposition, a condition, or the end of another ban leaves a prohibition in force."""
    assert not lifts(said, "Never ship to Berlin.")
    assert not lifts(said, "不要发货到柏林。")


def test_the_end_of_a_ban_lifts_it():
    """A sentence that declares the ban over, by name, takes it back."""
    assert lifts("The Berlin ban is lifted.", "Never ship to Berlin.")
