"""Demands that wait for a word: the word that the user named lifts them, and no other word does."""

from __future__ import annotations

import pytest

from langchain_contextmode.cues import lifting, lifts, spot
from langchain_contextmode.cues.waiting import awaited

WAITS = {
    "do NOT drop the old tables until I write 'go'": ("go", ["go", "'Go!'", "ok, go", "Go now please."]),
    "No mail leaves the house before you get my OK.": ("ok", ["OK", "You have my OK.", "okay, thanks"]),
    'Don\'t print the flyers until I reply "ship it".': ("ship it", ["Ship it!", "“ship it”", "Right, ship it."]),
    "No refunds before I type CONFIRM, please.": ("confirm", ["confirm", "Confirmed."]),
    "Never restart the cluster without my green light.": ("green light", ["Green light.", "you've got my green light"]),
    "Do not merge before I give you the go-ahead.": ("go ahead", ["Go ahead.", "here's the go-ahead"]),
    "Don't order the tiles unless you hear 'banana' from me.": ("banana", ["Banana"]),
    "等我说“发布”再上线。": ("发布", ["发布", "“发布”！", "好的，发布吧。"]),
    "没有我的同意不要付款。": ("同意", ["同意", "我同意了。"]),
    "我没说开始之前别动数据库。": ("开始", ["开始吧", "好，开始"]),
}
OTHER = ["Continue", "Let us go on.", "Should I say it now?", "I will not write it yet.", "Thanks!", "继续", "谢谢，好的"]
PAIRS = [(pin, said) for pin, (_, words) in WAITS.items() for said in words]


@pytest.mark.parametrize("pin", WAITS)
def test_the_named_word_is_read_off_the_demand(pin):
    """A demand that waits for a word is pinned, and the word is known, quoted or not."""
    assert spot(pin)
    assert awaited(pin) == WAITS[pin][0]


@pytest.mark.parametrize(("pin", "said"), PAIRS)
def test_the_named_word_lifts_its_demand(pin, said):
    """The word itself, with quotation marks or politeness around it, takes the demand back."""
    assert lifts(said, pin)
    assert lifting(said)


@pytest.mark.parametrize("pin", WAITS)
def test_no_other_word_lifts_it(pin):
    """Words that other demands wait for, questions and refusals leave a demand as it is."""
    foreign = [said for other, said in PAIRS if WAITS[other][0] not in {WAITS[pin][0], "go", "go ahead"}]
    assert [said for said in [*OTHER, *foreign] if lifts(said, pin)] == []


@pytest.mark.parametrize("said", ["go", "Go ahead.", "ok, go"])
def test_a_bare_go_lifts_nothing_that_waits_for_another_word(said):
    """A go means go only where the demand waits for it."""
    assert not lifts(said, 'Don\'t print the flyers until I reply "ship it".')
    assert not lifts(said, "Never restart the cluster without my approval.")
    assert not lifts(said, "Never restart the cluster.")


def test_a_bare_ok_counts_only_alone():
    """An "ok" in front of another sentence answers something else."""
    assert not lifts("OK. What is the weather like?", "No mail leaves the house before you get my OK.")


@pytest.mark.parametrize(("pin", "said"), [("Don't call her until I say so.", "Go ahead."), ("Don't call her until I tell you.", "Go!")])
def test_a_demand_without_a_named_word_takes_a_go(pin, said):
    """Where the user only said that he will tell, a go is the telling."""
    assert lifts(said, pin)


@pytest.mark.parametrize(
    "pin", ["I'm allergic to nuts.", "Answer in English.", "Don't touch sheet 'Costs'.", "不要坐船。", "", "'" * 50_000]
)
def test_most_demands_wait_for_no_word(pin):
    """Nothing is awaited where nobody announces a word."""
    assert awaited(pin) == ""
