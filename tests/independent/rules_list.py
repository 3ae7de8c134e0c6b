"""Lists the rules of all games."""

import rules_daumen_drauf
import rules_daupun
import rules_doubles_dread
import rules_durnius
import rules_toepen

GAMES = {
    "daumen-drauf": rules_daumen_drauf.DaumenDrauf,
    "daupun": rules_daupun.Daupun,
    "doubles-dread": rules_doubles_dread.DoublesDread,
    "durnius": rules_durnius.Durnius,
    "toepen": rules_toepen.Toepen,
}
