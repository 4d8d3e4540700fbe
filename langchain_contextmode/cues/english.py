"""English: how somebody says what he wants to hold from now on, as grammar (who, attitude, object), not as a list of topics.

Patterns look at one lower-case sentence with straight apostrophes, in which quoted words and questions are blanked out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from langchain_contextmode.cues.english_bodily import BODILY
from langchain_contextmode.cues.english_demands import DEMANDS, RULES
from langchain_contextmode.cues.english_tastes import DISLIKES, PREFERENCES

if TYPE_CHECKING:
    from langchain_contextmode.schema import PinKind

_ALL: Final = BODILY + DEMANDS + DISLIKES + RULES + PREFERENCES
PATTERNS: Final[tuple[tuple[PinKind, re.Pattern[str]], ...]] = tuple((kind, re.compile(pattern)) for kind, pattern in _ALL)
"""Tried in this order; the first that fits names the kind."""

_HINTS: Final = tuple(
    hint.replace("_", " ")
    for hint in (  # noqa: SIM905  (words read better as a text)
        "if_ i'd_hate for_me for_us given_up gave_up cut_out swore_off stopped ve_long_ should n't n\u2019t dont cant wont isnt arent "
        "doesnt aint _ain't not never _no_ none nothing without hate hating dislik despis detest loath abhor avoid refus reject oppos "
        "resent dread trust shun boycott skip object shy steer clear away struggl suffer abstain refrain disagree fear draw_the "
        "run_from rarely seldom hardly barely longer aversion averse hatred phobi distaste disdain reservations trouble difficult "
        "hard_time bias bad_exp scare afraid terrif fright against uncomf interest_ interested_in disinter uninter interests uneasy "
        "wary skeptic sceptic turn puts_ tired sick fed_up bored annoy bother repuls disgust sensitiv overwhelm nervous anxi hesitant "
        "reluctant disturb picky useless hopeless distract intimid irritat stress made upset drain exhaust depress _get_ become feel "
        "i_think we_think ly_think consider i_find we_find ly_find so_find too_ cruel guilty up_to at_least simply briefly slowly "
        "plainly concise politely bluntly in_full step_by hard_for hard_on tough_for uncomfortable impossible painful boring_for "
        "triggering -free -friendly -accessible or_never prefer favor favour priorit gravitat lean opt_for swear valu ador believ "
        "care insist stick thriv seek tend support advoc embrac crav rely follow practi observ limit restrict minimi wear identif "
        "adher abide subscrib i_work we_work works_for works_best works_better live rather love i_like we_like ly_like so_like "
        "do_like still_like always_like enjoy appreci drawn into fond partial keen crazy obsess commit devot all_about big_on comfort "
        "particular strict conscious loyal inclin accustom fan lover enthus person_ person. persona vert alist introv owl riser "
        "purist foodie homebody beginner holic phile usually normally typical general mostly primar mainly exclus only always "
        "deliberat active sole purpose consist almost best better worst favo go-to ideal usual my_thing jam cup_of heart suit fits "
        "helps appeal matter passion weakness soft_spot affinity taste as_a as_some due_to because since given_ for_my wanna "
        "lifestyle my_schedule our_schedule skin faith religio values principles my_apartment home allerg pregnan diabet asthma "
        "epilep dyslex celiac coeliac claustro disab deaf hearing blind intoleran immuno prone recover sighted wheelchair crutch "
        "medication migraine adhd autis arthri vertigo insomn anemi gout eczema ibs blood condition problem issue disease lepsy itis "
        "injur pain surgery operation sore broken sprain twisted torn weak hurt walker guide stroller pushchair nause dizzy _ill_ "
        "ache _itch rash hives heartburn health medical doctor hurts reasons knee back hip eyes vegan vegeta veggie pesca lacto halal "
        "kosher gluten dairy teetotal keto plant muslim jewish hindu jain _low_ low- sugar nut _eat drink consum diet fast ask_me "
        "tell_me_first tell_me_before check_with consult notify warn until unless off_the off-limit off_limit out_of allowed "
        "no_account alone untouched hold hands_off keep stop answer reply respon speak talk write communi format structur phrase _use "
        "include _add_ omit drop spare give show leave_the leave_my leave_out leave_all leave_it output explan call address_me "
        "address_us bullet words_only deadline due_ _by_ before later latest budget most more exceed upper tops max cap ceiling "
        "maximum or_less or_under or_fewer stay make_sure be_sure just must has_to have_to it_need everything_need they_need all_need "
        "the_need needs place_need hotel_need require from_now from_here from_this from_today forward future hence every _each_ "
        "default mind notice rule negotia deal mandatory essential crucial unaccept lose_int tire_of lack try_ strive aim_ choose "
        "dress cook exercis commut strongly go_for look_for concern worr cautious mindful suspic job style approach philosoph routine "
        "goal hair body build figure metabol attention_span yard travel runner reader gamer sleeper learner shopper owing _taste "
        "liking remember forget ensure treat assume when important whenever tight small tiny busy hectic short young have_thin a_thin "
        "very_thin curly oily irregular unpredict kids children dogs cats note_ a_family large_family big_family requires"
    ).split()
)


def may_hold(text: str) -> bool:
    """Say cheaply whether a lower-case text holds letters without which no pattern fits."""
    padded = f" {text} "
    return any(hint in padded for hint in _HINTS)
