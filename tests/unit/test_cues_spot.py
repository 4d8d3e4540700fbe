"""Which sentences of a human message outlast it."""

from __future__ import annotations

import pytest

from langchain_contextmode.cues import Spotted, spot

PINS = {
    "preference": [
        "I value quiet rooms more than a view.",
        "I'm drawn to plain, old furniture.",
        "We'd rather take the scenic road.",
        "I usually sit at the back.",
        "I learn names best when I write them down.",
        "Stout is my thing.",
        "I won't work with agencies.",
        "As someone with small kids, I plan early.",
        "I live in a tiny flat and gravitate towards folding chairs.",
        "我更喜欢靠窗的座位。",
        "我平时只听古典音乐。",
        "我习惯早起。",
        "我prefer靠过道的座位",
    ],
    "dislike": [
        "I can't stand cilantro.",
        "Loud bars make me uncomfortable.",
        "Camping isn’t for me.",
        "I have a strong aversion to lifts.",
        "I find group calls exhausting.",
        "The other two are too noisy for my taste.",
        "I get grumpy when lunch is late.",
        "I try to avoid night buses.",
        "I'm not a fan of buffets.",
        "我受不了噪音。",
        "我不太喜欢人多的地方。",
        "我不想坐红眼航班。",
    ],
    "format": [
        "Answer in bullet points.",
        "Keep it under 100 words.",
        "Always reply in German.",
        "Could you please always write in British English?",
        "Call me Sam.",
        "请用表格回答。",
        "以后都用英文回答我。",
        "回答控制在100字以内。",
        "叫我小李就行。",
    ],
    "limit": [
        "My budget is 800 euros.",
        "No more than two stops.",
        "Nothing before 9 am please.",
        "I can only do weekends.",
        "The bag has to fit under the seat.",
        "Please keep Friday morning free.",
        "我们的预算是三千元。",
        "每晚不超过500元。",
        "9点之前别打电话。",
    ],
    "deadline": [
        "The report must be done by Friday.",
        "The deadline is 5 May.",
        "I need an answer by tomorrow noon.",
        "必须在周五之前完成。",
        "最晚下午五点给我。",
        "截止日期是6月1日。",
    ],
    "prohibition": [
        "Do NOT push to production until I say go.",
        "Never delete files without asking me.",
        "Leave the tests alone.",
        "No queues please.",
        "Not Alfama, that's where the noise is.",
        "Please don’t contact my boss about this.",
        "Ask me before you spend money.",
        "未经我允许不要删除文件。",
        "千万别告诉我老板。",
        "能不能别用缩写？",
    ],
    "diet": [
        "As a vegan, I read every label.",
        "I don't eat pork.",
        "Tom is vegan and Anna eats everything.",
        "My son can't have dairy.",
        "We keep kosher at home.",
        "我吃素，蛋可以。",
        "记住，我不吃香菜。",
    ],
    "health": [
        "My daughter is allergic to peanuts, so no nuts anywhere.",
        "I'm pregnant.",
        "I use a wheelchair.",
        "I'm allergic to bees, is that a problem there?",
        "My doctor says I must avoid salt.",
        "我对花生过敏。",
        "我妈妈坐轮椅。",
        "我晕船，所以火车更好。",
    ],
    "rule": [
        "By default use the staging database.",
        "In future, show me a draft first.",
        "Use tabs, not spaces.",
        "Only suggest places that are open on Mondays.",
        "Dinner at seven, always.",
        "Make sure nothing is planned on Sundays.",
        "从现在起先给结论。",
        "每次回答前先给结论。",
        "一定要靠近地铁站。",
    ],
}

NO_PINS = {
    "request of the moment": [
        "I'd like to watch a film.",
        "I need a cheap hotel in Rome.",
        "Find me a restaurant.",
        "12 March please",
        "I'm looking for a vegan place tonight.",
        "I want two tickets.",
        "我想找一家人均100-150元的餐馆。",
        "帮我推荐一个景点。",
    ],
    "words of others": [
        "My boss says he never eats fish.",
        "He said: do not touch it.",
        'She wrote "never call me again" on the wall.',
        "他说不要去。",
        "老板说“以后都不许迟到”。",
    ],
    "opinions of others": ["My brother hates fish.", "My sister likes jazz.", "我弟弟讨厌鱼。"],
    "supposition": ["If I were allergic, what would you do?", "Suppose my budget were 300.", "假如我对花生过敏怎么办？"],
    "politeness": [
        "I don't mind.",
        "No problem.",
        "Don't worry about it.",
        "Never mind.",
        "I can't wait!",
        "Thanks, I love it!",
        "别客气。",
        "不用了谢谢。",
    ],
    "question": [
        "Do you prefer tea?",
        "Must I bring my passport?",
        "What is the best budget phone?",
        "Is the kitchen vegan?",
        "How do I avoid deadlocks?",
        "I wonder when the deadline is.",
        "有没有素食餐厅？",
        "预算是多少？",
        "要不要去看看？",
    ],
    "refusal of an offer": ["No, I don't need subtitles.", "Not now.", "no thanks", "No, that's all."],
    "pointer": ["I like it.", "That sounds great, I love that idea.", "我喜欢这个。"],
    "past": ["I used to hate olives.", "I went to Rome and never came back.", "I always wanted to see Paris."],
    "small talk": [
        "I don't know.",
        "I can't find my keys.",
        "We had a great time.",
        "You never know.",
        "特别好！",
        "一定很好玩！",
        "",
        " \n",
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in PINS.items() for text in texts])
def test_what_constrains_is_spotted(kind, text):
    """A sentence that constrains what follows is pinned whole, with its kind, in English and Chinese."""
    assert spot(text) == (Spotted(text, kind),)


@pytest.mark.parametrize("text", [text for texts in NO_PINS.values() for text in texts])
def test_what_does_not_last_is_no_pin(text):
    """Requests of the moment, words and opinions of others, suppositions, thanks, questions and refusals are no pins."""
    assert spot(text) == ()


def test_sentences_are_copied_in_order():
    """Pins come in the order in which they were said, cut at sentences, without the chatter between them."""
    text = "Hi there! I'm allergic to nuts. Nice weather today. 预算不超过500元。谢谢！\n- Never call before 9 a.m. please\n"
    assert [pin.text for pin in spot(text)] == ["I'm allergic to nuts.", "预算不超过500元。", "Never call before 9 a.m. please"]


def test_message_in_quotation_marks_is_its_authors():
    """Marks around a whole message quote nobody; inside a message they do."""
    assert [pin.text for pin in spot('"I never eat meat."')] == ["I never eat meat."]
    assert spot('The sign read "no dogs, never feed the ducks" and we laughed.') == ()
