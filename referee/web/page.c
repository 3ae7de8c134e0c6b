/* referee/web/page.c - see page.h. */
#include "referee/web/page.h"

#include <stdio.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/scheduler/who.h"
#include "referee/web/record-view.h"

#define AUTHORIZATION_BYTES (7 + BOT_TOKEN_BYTES + 1) /* `Bearer TOKEN` */

#define BOTH_HEADERS "X-Bot: NAME and Authorization: Bearer TOKEN"
static const char no_token[] = "unknown bot name or wrong token";
static const char no_owner[] = "unknown owner or wrong token";
static const char expected_both[] = "expected " BOTH_HEADERS;
static const char expected_any[] =
	"expected both of " BOTH_HEADERS ", or neither";
static const char expected_owner[] =
	"expected X-Owner: NAME and Authorization: Bearer TOKEN";
static const char no_roster[] =
	"the referee cannot look up your token now; try again later";

/* Reads a header with a name.  Returns 1, 0 if it is not there, or -1 if it is
 * none. */
static int
read_name(const struct http_request *request, const char *header,
	  char name[NAME_BYTES + 1])
{
	int there = http_header(request, header, name, NAME_BYTES + 1);

	if (there <= 0)
		name[0] = '\0';
	return there == 1 && !message_name_ok(name, strlen(name)) ? -1 : there;
}

static int
read_token(const struct http_request *request, char token[AUTHORIZATION_BYTES])
{
	static const char scheme[] = "Bearer ";
	const size_t n = sizeof(scheme) - 1;
	int there = http_header(request, "Authorization", token,
				AUTHORIZATION_BYTES);

	if (there == 1 && strncasecmp(token, scheme, n) != 0)
		return -1;
	if (there == 1)
		memmove(token, token + n, strlen(token + n) + 1);
	return there;
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

bool
page_refuse_today(struct http_request *request, const char *sentence)
{
	http_retry_after(request,
			 (roster_today() + 1) * ROSTER_DAY_S - clock_seconds());
	return http_refuse(request, 429, sentence);
}

/* Says what is wrong with a token, and returns false, unless it fits. */
static bool
check_answer(struct http_request *request, enum who_token answer,
	     const char *who, const char *wrong)
{
	if (answer == WHO_TOKEN_WRONG)
		http_refuse_wrong(request, who, wrong);
	else if (answer == WHO_TOKEN_UNKNOWN)
		http_refuse(request, 503, no_roster);
	return answer == WHO_TOKEN_FITS;
}

static bool
check_bot(const struct pages *pages, struct http_request *request,
	  char name[NAME_BYTES + 1], const char *token)
{
	struct roster_bot known;
	enum who_token answer =
		who_check_token(pages->roster, pages->logger, name, token,
				strlen(token), &known);

	if (answer == WHO_TOKEN_FITS)
		memcpy(name, known.name, sizeof(known.name));
	return check_answer(request, answer, name, no_token);
}

/* Reads the two headers of an owner.  If the token is his, writes his name. */
static bool
check_owner(const struct pages *pages, struct http_request *request,
	    char owner[NAME_BYTES + 1])
{
	char token[AUTHORIZATION_BYTES], who[REFUSAL_WHO_BYTES];
	char sentence[ROSTER_REASON_BYTES + 64];
	struct roster_owner known;
	enum who_token answer;

	if (read_name(request, "X-Owner", owner) != 1 ||
	    read_token(request, token) != 1)
		return http_refuse(request, 400, expected_owner);
	answer = who_check_owner(pages->roster, pages->logger, owner, token,
				 strlen(token), &known);
	explicit_bzero(token, sizeof(token));
	snprintf(who, sizeof(who), REFUSAL_OWNER "%s", owner);
	if (!check_answer(request, answer, who, no_owner))
		return false;
	if (known.state == ROSTER_ENABLED)
		return true;
	snprintf(sentence, sizeof(sentence),
		 "you are banned%s%s; ask the organiser",
		 known.reason[0] != '\0' ? ": " : "", known.reason);
	return http_refuse(request, 403, sentence);
}

/* Gives the present name of the bot in X-Bot, which must be the owner's; "" if
 * there is no such header. */
static bool
check_bot_of(const struct pages *pages, struct http_request *request,
	     const char *owner, char name[NAME_BYTES + 1])
{
	struct roster_bot known;

	switch (read_name(request, "X-Bot", name)) {
	case 0:
		return true;
	case 1:
		who_look_up(pages->roster, name, &known);
		memcpy(name, known.name, sizeof(known.name));
		if (known.number != 0 && known.state != ROSTER_DELETED &&
		    strcmp(known.owner, owner) == 0)
			return true;
		return http_refuse(request, 403, "this is not your bot");
	default:
		return http_refuse(request, 400, "expected one X-Bot: NAME");
	}
}

/* `expected` is the answer to headers that are not in order. */
static bool
ask_who(const struct pages *pages, struct http_request *request,
	char name[NAME_BYTES + 1], const char *expected)
{
	char token[AUTHORIZATION_BYTES], owner[NAME_BYTES + 1];
	int named, shown;
	bool fits;

	if (read_name(request, "X-Owner", owner) != 0)
		return check_owner(pages, request, owner) &&
		       check_bot_of(pages, request, owner, name);
	named = read_name(request, "X-Bot", name);
	shown = read_token(request, token);
	if (named == 0 && shown == 0)
		return true;
	if (named != 1 || shown != 1)
		return http_refuse(request, 400, expected);
	fits = check_bot(pages, request, name, token);
	explicit_bzero(token, sizeof(token));
	return fits;
}

bool
page_ask_owner(const struct pages *pages, struct http_request *request,
	       char owner[NAME_BYTES + 1])
{
	if (read_name(request, "X-Owner", owner) != 0)
		return check_owner(pages, request, owner);
	return http_refuse(request, 401, expected_owner);
}

bool
page_is_this_owner(const struct pages *pages, struct http_request *request,
		   const char *name, char owner[NAME_BYTES + 1])
{
	if (!page_ask_owner(pages, request, owner))
		return false;
	if (strcmp(name, owner) == 0)
		return true;
	return http_refuse(request, 403, "this token belongs to another owner");
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

void
page_by(const struct http_request *request, const char *name,
	char by[ROSTER_BY_BYTES + 1])
{
	char owner[NAME_BYTES + 1];

	if (read_name(request, "X-Owner", owner) == 1)
		snprintf(by, ROSTER_BY_BYTES + 1, "owner %s", owner);
	else
		snprintf(by, ROSTER_BY_BYTES + 1, "bot %s", name);
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
	scheduler_shown_path(scheduler, shelf->shown);
	shelf->wrote[0] = '\0';
	shelf->frozen = scheduler_frozen(scheduler);
	shelf->readers = setup->readers;
	shelf->read_after_minutes = setup->read_after_minutes;
}
