/* referee/frames/list.h - the games that have a display model of their own.
 * MODEL(toepen) stands for the struct frame_game frame_toepen.  Any other game
 * is drawn by any-game.c. */
MODEL(daumen_drauf)
MODEL(daupun)
MODEL(doubles_dread)
MODEL(durnius)
MODEL(toepen)
