/* referee/web/api-bots.h - takes uploads of bots over HTTP, and answers what
 * only the author of a bot may read. */
#ifndef REFEREE_API_BOTS_H
#define REFEREE_API_BOTS_H

#include <jansson.h>

#include "referee/web/page.h"

enum { API_BOTS_UPLOAD, API_BOTS_TRIAL };

/* Answer only the bot that the path names. */
page_handler api_bots_put, api_bots_log, api_bots_notes, api_bots_trial;

#define API_BOTS_WHY_BYTES 500
/* Writes why the bot that is called `name` plays nowhere: the organiser has
 * said so, or this daemon does not take its program.  This is a sentence
 * without its point, for everybody, or "". */
void api_bots_why(const struct pages *pages, const char *name,
		  char why[API_BOTS_WHY_BYTES]);
/* Writes why the version that ladders call `stands_as` plays nowhere: a later
 * one has its place. */
void api_bots_why_version(const struct pages *pages, const char *stands_as,
			  char why[API_BOTS_WHY_BYTES]);
/* Returns the names of the ladders by whose rules trials are played; none if there
 * are no trials. */
json_t *api_bots_trial_ladders(const struct pages *pages) MUST_CHECK;
/* Returns when and why the last upload for the bot of this number failed, or NULL if
 * it did not.  Reads a file: call it by a thread. */
json_t *api_bots_failed_upload(const char *data, int64_t bot) MUST_CHECK;
/* Appends where the bot `name` is suspended, and the notes of its games. */
void api_bots_tell(const struct pages *pages, const char *name,
		   struct text *out);

#endif
