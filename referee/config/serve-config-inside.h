/* referee/config/serve-config-inside.h - the tables of the daemon's options,
 * for the code that reads and prints them. */
#ifndef REFEREE_CONFIG_INSIDE_H
#define REFEREE_CONFIG_INSIDE_H

#include "referee/config/config-parse.h"
#include "referee/config/serve-config.h"

extern const struct config_key config_top_keys[];
extern const struct config_key config_listener_keys[];
extern const struct config_key config_limit_keys[];
extern const struct config_key config_local_bot_keys[];
extern const struct config_key config_ladder_keys[];

/* Returns true if a listener of this kind has the option. */
bool config_listener_has(const struct config_listener *listener,
			 const struct config_key *key);

#endif
