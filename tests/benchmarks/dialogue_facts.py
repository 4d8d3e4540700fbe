"""Facts that people mention in passing, each with an exact value and a question that asks for it later.

`<v>` is the value, `<town>`, `<person>` and `<firm>` are drawn for each conversation and are the same in fact and question. A
value is a pattern: `#` is a digit, `@` a capital letter, `%` a hexadecimal digit; `date` and `name` are drawn from lists; a
negation is the phrase itself.
"""

from __future__ import annotations

from typing import NamedTuple


class Fact(NamedTuple):
    kind: str
    said: str
    value: str  # pattern
    asked: str
    by: str = "human"  # or ai; for a tool: name(subject)
    again: str = ""  # the same matter with a new value, said later


ENGLISH = (
    Fact(
        "number",
        "The caterer now wants <v> euros for the buffet, drinks not included.",
        "#,###",
        "What does the caterer charge for the buffet?",
        again="The caterer miscalculated, the buffet costs <v> euros in the end.",
    ),
    Fact("number", "Just so you have it: the crate for <town> weighs <v> kg.", "##.#", "How heavy was the crate that goes to <town>?"),
    Fact("number", "I measured the alcove again, it's <v> cm wide, not a hair more.", "1##", "How wide is the alcove?"),
    Fact(
        "number",
        "The quote from <firm> comes to <v> euros for the whole job, within three weeks.",
        "#,###",
        "How much did <firm> quote?",
        "ai",
    ),
    Fact("number", "We counted: <v> people signed up for the evening course.", "##", "How many sign-ups does the evening course have?"),
    Fact("number", "The electricity meter read <v> this morning.", "#####", "What did the electricity meter show?"),
    Fact("number", "The nightly import went through, <v> rows this time.", "###,###", "How many rows came in with the nightly import?"),
    Fact(
        "number",
        "I worked it out: the loan on the van costs <v> euros in interest.",
        "#,###",
        "How much interest do we pay on the van?",
        "ai",
    ),
    Fact(
        "number",
        '{"item": "oak shelves", "available": <v>, "reserved": 4}',
        "##",
        "How many oak shelves are in stock?",
        "get_stock(oak shelves)",
    ),
    Fact("number", "Mum's blood pressure was <v> at the doctor's, she says.", "1##/8#", "What was mum's blood pressure?"),
    Fact(
        "number",
        "Rent for the workshop goes up to <v> a month, the landlord told me at the door.",
        "#,###",
        "What's the new rent of the workshop?",
        again="Landlord wrote again about the workshop, he now asks <v> a month.",
    ),
    Fact("date", "The notary can see us on <v>, late afternoon.", "date", "When is our appointment with the notary?"),
    Fact(
        "date",
        "<person> moves out on <v> and wants to hand over the keys.",
        "date",
        "When does <person> leave the flat?",
        again="<person> told me the moving van was late, so it's <v> for the flat now.",
    ),
    Fact(
        "date",
        "The warranty on the dishwasher ends on <v>, so it should still be free.",
        "date",
        "Until when is the dishwasher's warranty?",
        "ai",
    ),
    Fact("date", "School concert is on <v>, I promised to film it.", "date", "When is the concert at school?"),
    Fact("date", "The old API gets switched off on <v> according to a mail from <firm>.", "date", "When will the old API be shut down?"),
    Fact("date", "I've got my driving test on <v>, wish me luck.", "date", "What day is my driving test?"),
    Fact(
        "date",
        '{"vehicle": "van", "inspection_due": "<v>", "mileage": 88123}',
        "date",
        "When is the van due for inspection?",
        "get_vehicle(van)",
    ),
    Fact("date", "My passport runs out on <v>, I saw it by accident.", "date", "When does my passport expire?"),
    Fact("date", "The apple trees come on <v>, the nursery phoned.", "date", "When are the apple trees delivered?"),
    Fact("date", "The library wants its books back on <v>.", "date", "When are the library books due?", "ai"),
    Fact(
        "id",
        "Invoice for the hall rental arrived, it's <v>.",
        "INV-#####",
        "What was the invoice number for the hall rental?",
        again="They replaced the hall rental invoice, the valid one is <v>.",
    ),
    Fact("id", "Your claim for the bicycle is registered under <v>.", "CL-#######", "Under which reference is the bicycle claim?", "ai"),
    Fact("id", "The build broke with <v>, the commit before was green.", "%%%%%%%", "Which commit broke the build?"),
    Fact(
        "id",
        '{"status": "confirmed", "booking_code": "<v>", "hotel": "Hotel Bergblick", "nights": 3}',
        "@#@@#@",
        "What's the booking code for Hotel Bergblick?",
        "book_hotel(Hotel Bergblick)",
    ),
    Fact("id", "Our customer number with the water company: <v>", "########", "What's our customer number at the water company?"),
    Fact("id", "The rental car has the plate <v>, parked on level 2.", "@@-@@ ####", "What's the plate of the rental car?"),
    Fact(
        "id",
        '{"content": "ceramic lamp", "tracking": "<v>", "state": "on its way"}',
        "TK##########",
        "Tracking number of the ceramic lamp?",
        "track_parcel(ceramic lamp)",
    ),
    Fact("id", "The login loop has a ticket now, <v>.", "WEB-####", "Which ticket is about the login loop?"),
    Fact("id", "Serial number on the back of the boiler: <v>", "B#-######-@", "What's the boiler's serial number?"),
    Fact("id", "I filed the return of the lamp shade, the label has the code <v>.", "RT@@####", "Which code is on the return label?", "ai"),
    Fact(
        "path", "The export ends up in <v>, took me an hour to find.", "/srv/billing/export/run_####.csv", "Where does the export end up?"
    ),
    Fact("path", "The flaky test lives in <v>.", "tests/checkout/test_refund_##.py", "In which file is the flaky test?"),
    Fact("path", "I put the retry logic into <v> and left the rest alone.", "src/net/backoff_##.py", "Where is the retry logic?", "ai"),
    Fact("path", "Photos from the wedding are under <v> on the big disk.", "/mnt/photos/20##/wedding_@@", "Where are the wedding photos?"),
    Fact(
        "path",
        "On the office machine the letter templates sit in <v>.",
        "C:\\Shares\\Letters\\v##",
        "Where do I find the letter templates?",
    ),
    Fact(
        "path",
        '{"job": "backup", "status": "ok", "archive": "<v>", "seconds": 418}',
        "/backup/night/####.tar.zst",
        "Where was the backup written?",
        "job_status(backup)",
    ),
    Fact("path", "nginx really reads <v>, the other file is dead.", "/etc/nginx/sites-enabled/shop##.conf", "Which file does nginx use?"),
    Fact("path", "The scan of my diploma is <v>.", "~/Documents/scans/diploma_##.pdf", "Where did I save my diploma?"),
    Fact("path", "The crash dump is in <v>, 40 MB.", "/var/crash/worker-##.core", "Where can I look at the crash dump?", "ai"),
    Fact(
        "url",
        "The form for the parking permit is at <v>.",
        "https://city.example.org/permits/##",
        "Where do I get the parking permit form?",
    ),
    Fact("url", "Staging moved, it's <v> now.", "https://stage-##.example.net/app", "What's the address of staging?"),
    Fact(
        "url",
        "The walnut bread you liked is here: <v>",
        "https://bread.example.com/r/####",
        "Where was the recipe for the walnut bread?",
        "ai",
    ),
    Fact(
        "url",
        '{"page": "incident report", "url": "<v>", "public": true}',
        "https://status.example.io/i/####",
        "Link to the incident report?",
        "find_page(incident report)",
    ),
    Fact("url", "Minutes of the board meeting: <v>", "https://docs.example.org/d/%%%%%%", "Where are the minutes of the board meeting?"),
    Fact("url", "The flat is still online: <v>", "https://flats.example.com/##-####", "Where can I see the listing of the flat?"),
    Fact("url", "Payment webhooks arrive at <v> by the way.", "https://hooks.example.net/pay/%%%%", "Where do payment webhooks go?"),
    Fact(
        "url",
        "The talk about compilers is on <v>, worth an hour.",
        "https://video.example.tv/w/@@##",
        "Where can I watch the talk about compilers?",
    ),
    Fact("name", "The caretaker is called <v>, nice man, a bit deaf.", "name", "What's the caretaker's name?"),
    Fact(
        "name",
        "At the bank we always deal with <v>.",
        "name",
        "Who is our contact at the bank?",
        again="Our person at the bank retired, <v> has taken over.",
    ),
    Fact("name", "The surgeon that day is <v>, according to the clinic.", "name", "Which surgeon will it be?", "ai"),
    Fact("name", "<v> from the third floor takes in our parcels.", "name", "Which neighbour takes our parcels?"),
    Fact(
        "name",
        '{"restaurant": "Zum Anker", "table": 14, "reserved_by": "<v>"}',
        "name",
        "Under which name is the table at Zum Anker?",
        "find_table(Zum Anker)",
    ),
    Fact("name", "My daughter's new maths teacher is <v>.", "name", "Who teaches my daughter maths?"),
    Fact("name", "The pull request was reviewed by <v>, who asks for changes.", "name", "Who reviewed the pull request?"),
    Fact("name", "We found somebody to tune the piano, <v>.", "name", "Who is going to tune the piano?"),
    Fact("name", "The plumber who did the bathroom was <v>, very quick.", "name", "Which plumber did the bathroom?"),
    Fact(
        "negation",
        "The warehouse in <town> does not take pallets on Mondays.",
        "does not take pallets",
        "How is it with pallets in <town> on Mondays?",
    ),
    Fact(
        "negation",
        "The new kettle isn't dishwasher safe, the leaflet says.",
        "isn't dishwasher safe",
        "Can the new kettle go into the dishwasher?",
    ),
    Fact(
        "negation",
        "<person> never got the contract, I asked at the post office.",
        "never got the contract",
        "Did <person> receive the contract?",
    ),
    Fact("negation", "The fare you picked can't be refunded, only moved.", "can't be refunded", "Could I get a refund on the fare?", "ai"),
    Fact("negation", "There's no lift at the dentist's, so grandpa needs help.", "no lift", "Is there an elevator at the dentist's?"),
    Fact(
        "negation",
        "The insurance doesn't cover bicycles left outside.",
        "doesn't cover bicycles",
        "Are bikes insured when they stand outside?",
    ),
    Fact(
        "negation",
        '{"hotel": "Pension Edelweiss", "pets": "no dogs, no cats", "parking": "yes"}',
        "no dogs",
        "Are pets welcome at Pension Edelweiss?",
        "hotel_rules(Pension Edelweiss)",
    ),
    Fact(
        "negation",
        "We haven't paid the second instalment for the roof yet.",
        "haven't paid the second instalment",
        "What about payments for the roof?",
    ),
    Fact(
        "negation",
        "The server had nothing to do with the outage, it was the switch.",
        "nothing to do with the outage",
        "Did the server cause the outage?",
    ),
    Fact("negation", "Nobody has a key to the cellar except <person>.", "Nobody has a key", "Who can open the cellar?"),
)

CHINESE = (
    Fact("number", "搬家公司报价<v>元，含拆装。", "####", "搬家公司要多少钱？", again="搬家公司重新算了，一共<v>元。"),
    Fact("number", "仓库里还剩<v>箱瓷砖。", "##", "瓷砖还有多少箱？"),
    Fact("number", "体检结果出来了，我的尿酸是<v>。", "4##", "我体检的尿酸是多少？"),
    Fact("number", "这批茶叶合计<v>元，已经含税。", "#,###", "那批茶叶一共多少钱？", "ai"),
    Fact("date", "装修队说<v>进场。", "日期", "装修队什么时候来？", again="装修队改时间了，<v>才能来。"),
    Fact("date", "房东<v>来收钥匙。", "日期", "房东哪天来拿钥匙？"),
    Fact("date", "签证面谈定在<v>上午。", "日期", "签证面谈是哪一天？"),
    Fact("date", "您的体检预约在<v>。", "日期", "我的体检约在什么时候？", "ai"),
    Fact("id", "电费户号是<v>，存一下。", "##########", "家里的电费户号是什么？"),
    Fact("id", "寄茶具的快递单号<v>。", "SF##########", "茶具的快递单号是多少？"),
    Fact("id", "退款已受理，工单号<v>。", "GD-######", "退款的工单号是多少？", "ai"),
    Fact("id", '{"状态": "已确认", "订单号": "<v>", "酒店": "云栖客栈"}', "YQ########", "云栖客栈的订单号是多少？", "book_hotel(云栖客栈)"),
    Fact("path", "支付的日志都写在<v>里面。", "/data/logs/pay-##", "支付日志写到哪个目录？"),
    Fact("path", "合同的扫描件放在<v>。", "/home/share/合同/20##.pdf", "合同扫描件在哪儿？"),
    Fact("path", "服务现在读的是<v>。", "/etc/app/conf.d/##.yaml", "服务用的是哪个配置文件？"),
    Fact("url", "羽毛球比赛的报名链接是<v>", "https://bm.example.cn/e/####", "羽毛球比赛在哪里报名？"),
    Fact("url", "测试环境换到<v>了。", "https://test##.example.cn", "测试环境的地址是什么？"),
    Fact("url", "会议录像在<v>，明天过期。", "https://v.example.cn/%%%%%%", "会议的录像在哪里看？"),
    Fact("name", "物业的负责人叫<v>。", "姓名", "物业负责人是谁？"),
    Fact("name", "给奶奶看病的医生是<v>。", "姓名", "奶奶的医生叫什么名字？"),
    Fact("name", "楼上的邻居<v>帮我们收快递。", "姓名", "哪位邻居帮忙收快递？"),
    Fact("name", "新来的前端同事是<v>。", "姓名", "新来的前端叫什么？"),
    Fact("negation", "菜场那家店不能开发票，只收现金。", "不能开发票", "菜场那家店可以开票吗？"),
    Fact("negation", "小区周末不准装修。", "不准装修", "小区周末能施工吗？"),
    Fact("negation", "之前租房的押金还没退给我们。", "还没退", "租房的押金怎么样了？"),
    Fact("negation", "库存接口没有缓存，每次都查库。", "没有缓存", "库存接口带缓存吗？"),
)
