/* referee/web/page.c - see page.h. */
#include "referee/web/page.h"

#include <stdio.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/scheduler/who.h"
#include "referee/web/record-view.h"

#define AUTHORIZATION_BYTES (7 + BOT_TOKEN_BYTES + 1) /* `Bearer TOKEN` */

static const char no_token[] = "unknown bot name or wrong token";
#define BOTH_HEADERS "X-Bot: NAME and Authorization: Bearer TOKEN"
static const char expected_both[] = "expected " BOTH_HEADERS;
static const char expected_any[] =
	"expected both of " BOTH_HEADERS ", or neither";

/* Reads the two headers.  Returns 1, 0 if neither is there, or -1 if they are
 * not in order. */
static int
read_headers(struct http_request *request, char name[NAME_BYTES + 1],
	     char token[AUTHORIZATION_BYTES])
{
	static const char scheme[] = "Bearer ";
	const size_t n = sizeof(scheme) - 1;
	int named = http_header(request, "X-Bot", name, NAME_BYTES + 1);
	int shown = http_header(request, "Authorization", token,
				AUTHORIZATION_BYTES);

	if (named == 0 && shown == 0)
		return 0;
	if (named != 1 || shown != 1 || !message_name_ok(name, strlen(name)) ||
	    strncasecmp(token, scheme, n) != 0)
		return -1;
	memmove(token, token + n, strlen(token + n) + 1);
	return 1;
}

void
page_send(struct http_request *request, int code, const char *type,
	  struct text *body)
{
	const struct http_answer answer = { .code = code,
					    .type = type,
					    .bytes = body->bytes,
					    .n = body->used };

	if (body->full)
		http_refuse(request, 503, PAGE_TOO_LARGE);
	else
		http_answer(request, &answer);
	text_release(body);
}

/* `expected` is the answer to headers that are not in order. */
static bool
ask_who(const struct pages *pages, struct http_request *request,
	char name[NAME_BYTES + 1], const char *expected)
{
	char token[AUTHORIZATION_BYTES];
	int given = read_headers(request, name, token);
	enum who_token answer;
	struct roster_bot known;

	if (given == 0) {
		name[0] = '\0';
		return true;
	}
	if (given < 0) {
		http_refuse(request, 400, expected);
		return false;
	}
	answer = who_check_token(pages->roster, pages->logger, name, token,
				 strlen(token), &known);
	explicit_bzero(token, sizeof(token));
	if (answer == WHO_TOKEN_FITS)
		memcpy(name, known.name, sizeof(known.name));
	else if (answer == WHO_TOKEN_WRONG)
		http_refuse_wrong(request, name, no_token);
	else if (answer == WHO_TOKEN_UNKNOWN)
		http_refuse(request, 503,
			    "the referee cannot look up your token now; try "
			    "again later");
	return answer == WHO_TOKEN_FITS;
}

bool
page_ask_who(const struct pages *pages, struct http_request *request,
	     char name[NAME_BYTES + 1])
{
	return ask_who(pages, request, name, expected_any);
}

bool
page_is_owner(const struct pages *pages, struct http_request *request,
	      const char *name)
{
	char who[NAME_BYTES + 1];
	struct roster_bot bot;

	if (!ask_who(pages, request, who, expected_both))
		return false;
	who_look_up(pages->roster, name, &bot);
	if (who[0] != '\0' && strcmp(who, bot.name) == 0)
		return true;
	if (who[0] == '\0')
		http_refuse(request, 401, expected_both);
	else
		http_refuse(request, 403, "this token belongs to another bot");
	return false;
}

int
page_find_ladder(const struct pages *pages, struct http_request *request,
		 const char *name)
{
	const int place = ladders_find(pages->ladders, name);
	struct error why;

	if (place >= 0)
		return place;
	ladders_none(pages->ladders, name, &why);
	http_refuse(request, 404, why.text);
	return -1;
}

void
page_shelf(const struct scheduler *scheduler, struct record_shelf *shelf)
{
	const struct config_ladder *setup = scheduler_setup(scheduler);

	snprintf(shelf->name, sizeof(shelf->name), "%s", setup->name);
	scheduler_path(scheduler, shelf->path);
	shelf->readers = setup->readers;
	shelf->read_after_minutes = setup->read_after_minutes;
}
