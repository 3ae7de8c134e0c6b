/* referee/games/list.h - every game, by name: the one line that a new one adds
 * to the code outside of its own files.  GAME(toepen) stands for the struct
 * game_rules game_toepen. */
GAME(daumen_drauf)
GAME(daupun)
GAME(doubles_dread)
GAME(durnius)
GAME(toepen)
