/* referee/cli/commands.h - the commands of the program, which are in
 * command-NAME.c. */
#ifndef REFEREE_COMMANDS_H
#define REFEREE_COMMANDS_H

#include "referee/base/command.h"

extern const struct command command_backup;
extern const struct command command_bench;
extern const struct command command_bots;
extern const struct command command_check;
extern const struct command command_connect;
extern const struct command command_games;
extern const struct command command_ladder;
extern const struct command command_match;
extern const struct command command_owners;
extern const struct command command_queue;
extern const struct command command_replay;
extern const struct command command_report;
extern const struct command command_restore;
extern const struct command command_serve;
extern const struct command command_tournament;
extern const struct command command_verify;
extern const struct command command_worker;

#endif
