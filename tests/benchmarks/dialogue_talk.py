"""What people say in between: small talk, small questions, and the words around a sentence; placeholders as in `dialogue_facts`."""

from __future__ import annotations

ANSWERS = (
    "Noted.",
    "Thanks, I have it.",
    "Good to know.",
    "All right.",
    "Understood, thanks.",
    "Got it.",
    "OK, I'll keep that in mind.",
    "Sure.",
)
ANSWERS_CHINESE = ("好的。", "收到。", "明白了。", "知道了，谢谢。", "行。")
PROMPTS = ("And?", "Anything new?", "Did you do it?", "What did you find?", "Any news?")
PROMPTS_CHINESE = ("还有别的吗？", "有进展吗？")
ORDERS = ("Look it up, please.", "Can you check that?", "Please see to it.", "Could you do that for me?")
ORDERS_CHINESE = ("请查一下。", "帮我看看。")
ECHOES = ("Noted: <v>.", "Thanks, <v>, I have it.", "OK, so <v>.")
ECHOES_CHINESE = ("好的，<v>。", "收到：<v>。")
BEFORE = ("By the way: ", "Oh, before I forget. ", "One more thing. ", "", "", "", "Hm, wait. ", "So. ", "While I'm at it: ")
BEFORE_CHINESE = ("对了，", "", "", "还有，", "顺便说一下，", "")
AFTER = ("", "", "", " Anyway.", " Where were we?", " That's all for now.", " Not urgent.", " I'm off for lunch.")
AFTER_CHINESE = ("", "", "", "先这样。", "不急。")

CHATTER = (
    "How's it going? I've had three coffees and still can't think. | Then a short walk might do more than a fourth.",
    (
        "Can you explain what a monad is, but as if I were a gardener? | Think of pots: you can put a plant in, and pot into pot "
        "becomes one pot."
    ),
    "It's raining in <town> again. | Good for the garden, bad for the mood.",
    "The neighbours are drilling since 7, I count <n> holes by now. | Perhaps they hang up a very long shelf.",
    "What's a good word for 'nice' in a letter? | Depends: kind, pleasant, thoughtful. Kind is the warmest.",
    "Write me two lines for <person>'s birthday card. | Another year, and still the best laugh in the room. Happy birthday, <person>!",
    "Is it true that octopuses have three hearts? | Yes: two for the gills, one for the rest of the body.",
    "I tried the new place near the station, the soup was cold. | A pity. Perhaps tell them, they may not know.",
    (
        "Could you turn this into a proper sentence: meeting good, all there, much talk | The meeting went well, everybody "
        "attended and there was a lively discussion."
    ),
    "My train is <n> minutes late, so I have time. | Then let's use it. What shall we look at?",
    (
        "Do you think blue or grey curtains go with a wooden floor? | Grey is calmer, blue is fresher; with warm wood blue makes "
        "a nice contrast."
    ),
    (
        "def total(items):\n    return sum(i.price * i.count for i in items)\n\nWhat's wrong with this if items is None? | It "
        "raises TypeError; return 0 for an empty or missing list."
    ),
    (
        "I get 'connection reset by peer' now and then, <n> times today. | Usually the other side closes idle connections; a "
        "shorter keep-alive helps."
    ),
    "Football was awful yesterday, we lost <n>:0. | Ouch. At least it's over.",
    "<person> says hello, we met at the market. | How nice, greetings back.",
    "What does 'idempotent' mean again? | Doing it twice has the same effect as doing it once.",
    "Please make this politer: Send the papers now. | Could you please send us the papers as soon as you can?",
    "I wonder whether plants like music. | There are studies on vibrations, but nothing that would make me buy them a radio.",
    "Remind me how to make a list unique in Python and keep the order. | list(dict.fromkeys(items)) does it.",
    "The cat sleeps on my keyboardddddddd | I noticed. Give her my regards.",
    "Our printer says 'PC load letter'. | It wants paper in the cassette; letter is the American size.",
    "Hotels in <town> are full because of the fair, unbelievable. | Fairs do that. The suburbs usually have rooms left.",
    "How do I politely decline an invitation to a wine tasting? | Thank them, say you have plans, and wish them a good evening.",
    "I've read <n> pages of that novel and still nobody has done anything. | Then it's literature.",
    "Which is longer, the Rhine or the Elbe? | The Rhine, by a bit more than a hundred kilometres.",
    "My phone battery lasts half a day, is that normal? | For an old battery yes; check which app uses it most.",
    "Can I freeze cooked rice? | Yes, flat in bags, and cool it quickly.",
    "I need a synonym for 'synergy' that doesn't sound like a consultant. | Working together.",
    "Do we say 'different from' or 'different than'? | 'Different from' is right everywhere.",
    "The demo went OK, two people clapped. | Two more than at most demos.",
    "What's the weather like where you are? | No weather in here, only text.",
    "Had to reboot the router <n> times since breakfast. | That sounds like a fault on the line, or an old power supply.",
    (
        "SELECT name, count(*) FROM visits GROUP BY name HAVING count(*) > 10; does that need an index? | On name it helps; "
        "without one the table is sorted."
    ),
    "<firm> sent their brochure again, straight into the bin. | Recycling is a kind of reading, too.",
    "My back hurts from that chair. | Get up every half hour, and raise the screen a little.",
    "A haiku about Monday, please. | Grey cup, grey window / the inbox hums like a hive / I water the fern",
    "Why do onions make you cry? | Cutting frees a sulphur compound that turns into acid in the eye.",
    "Tell me something I don't know about <town>. | It has more bridges than most people who live there think.",
    "That reminds me, I still have to sharpen the knives. | A wet stone and ten minutes, then they are fine for months.",
    "I dreamt that the compiler wrote me a letter. | With a friendly error message, I hope.",
    "How many minutes does an egg need? | About six for soft, ten for hard, from boiling water.",
    "What is a good name for a variable that counts retries? | attempts; short and clear.",
    "The kids built a den out of <n> cushions. | Excellent engineering.",
    "Can you spell 'rhythm' without looking? | R, H, Y, T, H, M. No vowels to hold on to.",
    "I can't decide what to cook. | Eggs, potatoes, whatever green there is: tortilla.",
    "Is a tomato a fruit? | Botanically yes, in the kitchen no.",
    "We watched a film about a lighthouse, in black and white. | Moody, I suppose. Did you like it?",
    (
        "Traceback (most recent call last):\n  File \"run.py\", line <n>, in <module>\nKeyError: 'user' | The dict has no such key; "
        "use get, or check the input."
    ),
)

CHATTER_CHINESE = (
    "今天好热，<town>都三十多度了。 | 多喝水，下午尽量别出门。",
    "帮我想个群名，给羽毛球队的。 | “挥拍就走”怎么样？",
    "你觉得奶茶和咖啡哪个提神？ | 咖啡的咖啡因一般更多。",
    "地铁上遇到<person>了，聊了一路。 | 真巧。",
    "这句话怎么翻译：熟能生巧。 | Practice makes perfect.",
    "楼下新开了一家面馆，排了<n>个人。 | 看来味道不错。",
    "我家猫又把杯子推下去了。 | 它在做重力实验。",
    "列表去重用什么方法好？ | 用 dict.fromkeys 可以保持顺序。",
    "昨晚的球赛看了吗？ | 没有，听说很精彩。",
    "写一句祝福语给同事升职。 | 祝贺高升，前程似锦！",
    "为什么天空是蓝色的？ | 因为空气分子把蓝光散射得更多。",
    "今天开了<n>个会，累死了。 | 辛苦了，早点休息。",
    "这个按钮放左边还是右边？ | 右边更符合习惯。",
    "我想学吉他，会不会太晚？ | 什么时候开始都不晚。",
    "煮饺子要点几次水？ | 一般三次。",
    "最近有什么好看的书？ | 看您喜欢小说还是历史。",
)

EXPLAINED = (
    (
        "How does a heat pump work, roughly? | It moves heat instead of making it. A fluid evaporates outside, where it takes up "
        "warmth even from cold air, is compressed, which makes it hot, and gives the heat off inside before it expands again. "
        "For each unit of electricity you get about three to four units of heat, fewer on frosty days. It works best with large "
        "radiators or floor heating, since they need less hot water."
    ),
    (
        "What should I look at before I buy a used piano? | Three things. First the soundboard and the pin block: cracks are "
        "expensive, loose pins mean that it won't hold its tuning. Then the hammers: deep grooves need filing, moths need "
        "replacing. Last the history: a piano that stood in a heated room without humidity control for decades usually has all "
        "of these at once. Take somebody along who tunes for a living."
    ),
    (
        "Why is our test suite slower on the build server than on my laptop? | Often the disk. The tests start many small "
        "processes and read many small files, and the server's network volume answers each of them late. Try a local scratch "
        "folder first. If that changes nothing, look at how many cores the container may use; a runner that sees sixteen and may "
        "use two starts far too many workers."
    ),
    (
        "Explain to me how sourdough rises without yeast from a packet. | Flour carries wild yeasts and lactic bacteria. Mixed "
        "with water and fed daily they take over the jar: the bacteria make it sour, which keeps other guests away, and the "
        "yeasts make gas. A ripe starter doubles in a few hours. The dough needs longer than with bought yeast, and the cool, "
        "slow rise is what gives it its taste."
    ),
    (
        "Compare the three ways to get to the island for me. | The ferry is the slowest and the calmest: you can walk around, "
        "have a coffee and take luggage. The speedboat takes half the time, rolls a lot in wind and is cancelled first. The "
        "small plane is quick, but with the way to the airfield and the wait you gain little. If nobody gets seasick, the ferry "
        "is the nicest way to arrive."
    ),
    (
        "What's the point of code review if we have tests? | Tests tell you whether the code does what its author expected. A "
        "reader tells you whether he expected the right thing, whether the next person will understand it, and whether half of "
        "it exists already somewhere else. Reviews also spread knowledge: after some weeks there is no part of the system that "
        "only one person has seen."
    ),
    (
        "请讲讲怎么养好一盆兰花。 | 兰花最怕积水和闷热。盆土要疏松透气，树皮和颗粒土都可以；夏天遮阴，冬天放在明亮的"
        "窗边。浇水等表面干了再浇，一次浇透，盆底的水要倒掉。平时多通风，生长期可以施一点薄肥，开花的时候不要移动位置。"
    ),
    (
        "为什么我们的网站一到晚上就变慢？ | 常见的原因有三个：晚上访问的人多，数据库连接不够用；定时任务也在这个时间"
        "跑，占了磁盘；还有缓存集中过期，请求一下子都打到后台。建议先看监控里连接数和磁盘的曲线，再把定时任务错开，最后"
        "给缓存的过期时间加一点随机。"
    ),
)
