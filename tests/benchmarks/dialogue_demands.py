"""What people demand and what they decide; the same placeholders as in `dialogue_facts`."""

from __future__ import annotations

from typing import NamedTuple


class Demand(NamedTuple):
    said: str  # one sentence
    core: str  # what a summary in other words would have to hold
    asked: str
    overruled_by: str = ""
    new_core: str = ""


class Choice(NamedTuple):
    offered: str  # by the assistant, in the message before; empty: the user decides on his own
    said: str
    answered: str
    core: str
    asked: str


DEMANDS = (
    Demand("I can't eat anything with gluten, I'm coeliac.", "gluten", "What could I order at the bakery?"),
    Demand(
        "Keep the whole weekend under 900 euros, please.",
        "900",
        "How much may the weekend cost?",
        "OK forget about 900 euros for the weekend, we can go up to 1,200.",
        "1,200",
    ),
    Demand("Never push to main directly, always open a pull request.", "push to main", "How do I get this small change in?"),
    Demand(
        "I prefer aisle seats on anything longer than two hours.",
        "aisle seat",
        "Which seat should you pick for the long flight?",
        "From now on window seats for me, I changed my mind about the aisle.",
        "window seat",
    ),
    Demand("Please answer in short bullet points, I read this on my phone.", "bullet", "Give me an overview of the options."),
    Demand("The report has to be with the auditors by 30 September, no later.", "30 September", "By when must the report be there?"),
    Demand("Don't call my mother about any of this, it's a surprise.", "my mother", "Whom may we ring about the party?"),
    Demand("My knee is still bad, so no stairs and no long walks.", "knee", "Plan a museum visit for me."),
    Demand("All prices must include VAT when you show them to me.", "VAT", "Show me what the printers cost."),
    Demand("I hate phone calls, so always choose e-mail if there is a choice.", "phone call", "How should the firm get in touch with me?"),
    Demand("Meetings only between ten and three, I pick up the kids.", "between ten and three", "When can we schedule the call?"),
    Demand("We're vegetarian at home, no meat and no fish on the list.", "vegetarian", "What goes on the shopping list?"),
    Demand("Whatever we buy, nothing from <firm>, I had trouble with them.", "<firm>", "Which supplier should we take for the shelves?"),
    Demand("No dependency under the GPL may get into the product.", "GPL", "Can I add this library?"),
    Demand("I'd rather take the train than fly within the country.", "train", "How do I get to the conference?"),
    Demand("Only book things that can be cancelled for free.", "cancelled for free", "Reserve a room for the fair."),
    Demand("Use metric units everywhere, inches mean nothing to me.", "metric", "How big is the table?"),
)

DEMANDS_CHINESE = (
    Demand("我对花生过敏，点菜一定要避开。", "花生", "晚饭点什么好？"),
    Demand("这次团建预算不要超过五千块。", "五千", "团建能花多少钱？", "团建的预算改了，八千以内都可以。", "八千"),
    Demand("我不喜欢靠马路的房间，太吵。", "靠马路", "订哪间房？"),
    Demand("周三之前必须把方案交给客户。", "周三之前", "方案什么时候要交？"),
    Demand("不要直接改线上数据库。", "线上数据库", "这条数据怎么修？"),
    Demand("我膝盖不好，别安排爬山。", "爬山", "周末去哪儿玩？"),
    Demand("给我的回复请尽量简短，一两句话就行。", "简短", "帮我总结一下进展。"),
)

CHOICES = (
    Choice(
        "",
        "We'll take the slate tiles for the hall, that's settled.",
        "Good, slate tiles.",
        "slate tiles",
        "Which floor did we choose for the hall?",
    ),
    Choice("", "Decided: the kick-off goes to Rotterdam.", "Fine, I'll look at venues there.", "Rotterdam", "Where will the kick-off be?"),
    Choice(
        "For the audit log, shall we take Postgres or stay with SQLite?",
        "Postgres.",
        "All right, Postgres it is.",
        "Postgres",
        "Which database does the audit log use?",
    ),
    Choice(
        "For the workshop I can offer the Larkspur room or the Finch room.",
        "Finch, please book it.",
        "Booked the Finch room.",
        "Finch",
        "Which room did we book for the workshop?",
    ),
    Choice(
        "",
        "Let's go with the second offer for the windows, the one from <firm>.",
        "I'll tell them.",
        "<firm>",
        "Whose offer for the windows did we accept?",
    ),
    Choice("", "OK, we postpone the release to week 41.", "Understood.", "week 41", "When do we release now?"),
    Choice(
        "Two ways with the chimney: a new liner, or taking it down.",
        "Take it down, nobody uses it.",
        "All right, we take it down.",
        "it down",
        "What did we settle on for the chimney?",
    ),
    Choice("", "I've made up my mind, the boat will be called Fridolin.", "Lovely name.", "Fridolin", "What name does the boat get?"),
    Choice("", "Agreed with the team: feature flags stay in Togglehouse.", "Clear.", "Togglehouse", "Where do we keep the feature flags?"),
    Choice(
        "",
        "Right, we drop the podcast and put the money into the newsletter.",
        "Done.",
        "drop the podcast",
        "What happens with the podcast?",
    ),
    Choice(
        "Shall I reserve the night train, the 21:40 with couchettes?",
        "Yes, do that.",
        "Reserved, couchettes.",
        "21:40",
        "Which train did we settle on?",
    ),
    Choice("", "The colour for the fence is RAL 6005, final answer.", "A nice green.", "RAL 6005", "Which colour does the fence get?"),
    Choice("", "For the logo we stay with the hand-drawn heron.", "Noted.", "hand-drawn heron", "What's on the logo?"),
    Choice("", "I spoke with Ana, we'll run the survey on paper after all.", "Paper, good.", "on paper", "How do we run the survey?"),
)

CHOICES_CHINESE = (
    Choice("", "客厅就定蓝色那款沙发吧。", "好的。", "蓝色那款", "客厅的沙发选了什么？"),
    Choice("机票有国航和东航两个选择，您要哪个？", "东航，订吧。", "已订东航。", "东航", "机票订的哪家航空公司？"),
    Choice("", "我们决定年会放在苏州。", "明白。", "苏州", "年会在哪儿办？"),
    Choice("", "招标那边就用方案乙，甲不要了。", "好的，方案乙。", "方案乙", "招标最后用了哪个方案？"),
    Choice("要不要把周报改成每两周一次？", "可以，就这么办。", "好的。", "每两周一次", "周报多久写一次？"),
)
