/* referee/web/api-owners.c - see api-owners.h. */
#include "referee/web/api-owners.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "ladder/roster-owner.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/scheduler/who.h"
#include "referee/web/trials.h"

/* ---- bounds of a day -------------------------------------------------- */

/* Returns true if `who` may do this once more today, and counts it; else it
 * answers the request.  What cannot be counted is refused. */
static bool
may_do(struct pages *pages, struct http_request *request, enum roster_kind kind,
       const char *who, int64_t most, const char *sentence)
{
	struct error why;
	int64_t count;

	if (roster_count(pages->roster, kind, who, roster_today(), &count,
			 &why) < 0)
		return http_refuse(
			request, 503,
			"the referee cannot count this now; try again "
			"later");
	if (count >= most)
		return page_refuse_today(request, sentence);
	if (roster_add_count(pages->roster, kind, who, roster_today(), 1,
			     &why) == 0)
		return true;
	return http_refuse(request, 503,
			   "the referee cannot write now; try again later");
}

/* ---- answers ---------------------------------------------------------- */

const char *
api_owners_off(const struct roster_bot *bot)
{
	if (bot->state == ROSTER_DELETED)
		return "this bot is removed";
	return bot->state == ROSTER_WITHDRAWN ? "this bot is withdrawn"
					      : "this bot is disabled";
}

static void
answer_json(struct http_request *request, int code, json_t *json)
{
	struct text text = { .max = SIZE_MAX };

	json_text_line(json, 0, &text);
	page_send(request, code, PAGE_JSON, &text);
}

static void
refuse_change(struct http_request *request, const struct error *why)
{
	/* Paths are for the log alone. */
	http_refuse(request, why->kind == ERROR_INPUT ? 409 : 503,
		    strchr(why->text, '/') == NULL
			    ? why->text
			    : "the daemon's log says why");
}

/* Answers with the token, which is the one line of `out`. */
static void
on_token(struct http_request *request, const struct text *out,
	 const struct error *why)
{
	char token[ROSTER_TOKEN_BYTES + 1];

	if (why != NULL) {
		refuse_change(request, why);
		return;
	}
	snprintf(token, sizeof(token), "%.*s", (int)out->used, out->bytes);
	answer_json(request, 201, JSON_OBJECT(TEXT("token", token)));
	explicit_bzero(token, sizeof(token));
}

static void
on_changed(struct http_request *request, const struct text *out UNUSED,
	   const struct error *why)
{
	if (why != NULL)
		refuse_change(request, why);
	else
		answer_json(request, 200, JSON_OBJECT(BOOL("done", true)));
}

static void
change(struct pages *pages, struct http_request *request, const char *by,
       page_changed *done, const char *what, const char *first,
       const char *second)
{
	char *word[3] = { (char *)(uintptr_t)what, (char *)(uintptr_t)first,
			  (char *)(uintptr_t)second };

	pages->change(pages->change_arg, by, second == NULL ? 2 : 3, word, done,
		      request);
}

/* ---- signing up ------------------------------------------------------- */

/* Returns true if the code can make an account; else it answers the request.  A wrong
 * code is answered late, as a wrong token is, and costs no more: strangers may send
 * as many as they like, so none is written down. */
static bool
check_code(const struct pages *pages, struct http_request *request,
	   const char *code)
{
	struct error why;
	int fits = roster_code_fits(pages->roster, code, &why);

	if (fits < 0)
		return http_refuse(request, 503,
				   "the referee cannot read its codes now; "
				   "try again later");
	if (fits == 0)
		http_refuse_wrong(request, "", ROSTER_NO_CODE);
	return fits > 0;
}

/* Returns true if this address may make one more account today, and counts it; else
 * it answers the request. */
static bool
may_sign_up(struct pages *pages, struct http_request *request)
{
	char from[HTTP_SENDER_BYTES];

	http_who(request, from);
	return from[0] == '\0' ||
	       may_do(pages, request, ROSTER_SIGN_UPS, from,
		      (int64_t)pages->config->limits.sign_ups,
		      "too many sign-ups from your address today; try again "
		      "tomorrow (UTC)");
}

void
api_owners_sign_up(struct pages *pages, struct http_request *request,
		   const struct page_path *path)
{
	char code[ROSTER_CODE_BYTES + 1];
	char by[ROSTER_BY_BYTES + 1];

	if (pages->config->sign_up == CONFIG_SIGN_UP_OFF) {
		http_refuse(request, 403,
			    "nobody can sign up here; ask the organiser for a "
			    "token");
		return;
	}
	if (http_header(request, "X-Code", code, sizeof(code)) != 1) {
		http_refuse(request, 400, "expected X-Code: CODE");
		return;
	}
	if (check_code(pages, request, code) && may_sign_up(pages, request)) {
		snprintf(by, sizeof(by), "owner %s", path->name[0]);
		change(pages, request, by, on_token, "sign-up", path->name[0],
		       code);
	}
	explicit_bzero(code, sizeof(code));
}

/* ---- what an owner does ----------------------------------------------- */

/* Finds out who asks.  If that is the owner in `name`, or any if it is NULL,
 * writes who does the change and returns true; else it answers the request. */
static bool
ask_owner(const struct pages *pages, struct http_request *request,
	  const char *name, char owner[NAME_BYTES + 1],
	  char by[ROSTER_BY_BYTES + 1])
{
	const bool asked =
		name == NULL ? page_ask_owner(pages, request, owner)
			     : page_is_this_owner(pages, request, name, owner);

	if (asked)
		snprintf(by, ROSTER_BY_BYTES + 1, "owner %s", owner);
	return asked;
}

static bool
may_make(struct pages *pages, struct http_request *request, const char *owner)
{
	return may_do(pages, request, ROSTER_BOTS_MADE, owner,
		      SERVE_OWNER_TOKENS,
		      "you have made as many bots, tokens and changes today "
		      "as the limit allows; try again tomorrow (UTC)");
}

void
api_owners_token(struct pages *pages, struct http_request *request,
		 const struct page_path *path)
{
	char owner[NAME_BYTES + 1], by[ROSTER_BY_BYTES + 1];

	if (ask_owner(pages, request, path->name[0], owner, by) &&
	    may_make(pages, request, owner))
		change(pages, request, by, on_token, "owner-token", owner,
		       NULL);
}

/* Returns true if there is such a bot that is not removed, and if it is this
 * owner's; a bot of another owner is refused.  `*known` is zeroed if there is
 * none. */
static bool
is_own(const struct pages *pages, struct http_request *request,
       const char *name, const char *owner, struct roster_bot *known)
{
	who_look_up(pages->roster, name, known);
	if (known->number == 0 || strcmp(known->owner, owner) == 0)
		return true;
	return http_refuse(request, 403, "this is not your bot");
}

void
api_owners_bot_token(struct pages *pages, struct http_request *request,
		     const struct page_path *path)
{
	char owner[NAME_BYTES + 1], by[ROSTER_BY_BYTES + 1];
	struct roster_bot known;

	if (!ask_owner(pages, request, NULL, owner, by) ||
	    !is_own(pages, request, path->name[0], owner, &known) ||
	    !may_make(pages, request, owner))
		return;
	if (known.number == 0)
		change(pages, request, by, on_token, "token", path->name[0],
		       owner);
	else
		change(pages, request, by, on_token, "replace", known.name,
		       NULL);
}

/* Returns true for a bot of the owner that is there; else it answers. */
static bool
find_own(const struct pages *pages, struct http_request *request,
	 const char *name, char by[ROSTER_BY_BYTES + 1],
	 struct roster_bot *known)
{
	char owner[NAME_BYTES + 1];

	if (!ask_owner(pages, request, NULL, owner, by) ||
	    !is_own(pages, request, name, owner, known))
		return false;
	if (known->number != 0 && known->state != ROSTER_DELETED)
		return true;
	return http_refuse(request, 404, "you have no such bot");
}

void
api_owners_withdraw(struct pages *pages, struct http_request *request,
		    const struct page_path *path)
{
	char by[ROSTER_BY_BYTES + 1];
	struct roster_bot known;

	if (!find_own(pages, request, path->name[0], by, &known))
		return;
	/* The organiser's reason stays. */
	if (known.state != ROSTER_ENABLED)
		answer_json(request, 200, JSON_OBJECT(BOOL("done", true)));
	else if (may_make(pages, request, known.owner))
		change(pages, request, by, on_changed, "withdraw", known.name,
		       NULL);
}

void
api_owners_return(struct pages *pages, struct http_request *request,
		  const struct page_path *path)
{
	char by[ROSTER_BY_BYTES + 1];
	struct roster_bot known;

	if (!find_own(pages, request, path->name[0], by, &known))
		return;
	if (known.state == ROSTER_DISABLED)
		http_refuse(request, 403,
			    "the organiser has disabled this bot");
	else if (known.state == ROSTER_ENABLED)
		answer_json(request, 200, JSON_OBJECT(BOOL("done", true)));
	else if (may_make(pages, request, known.owner))
		change(pages, request, by, on_changed, "enable", known.name,
		       NULL);
}

/* ---- an earlier version ------------------------------------------------ */

static const char too_often[] =
	"your owner has uploaded as many bots today as the limit allows; try "
	"again tomorrow (UTC)";

/* Counts as an upload, because the daemon has as much to do. */
void
api_owners_go_back(struct pages *pages, struct http_request *request,
		   const struct page_path *path)
{
	char number[24], by[ROSTER_BY_BYTES + 1];
	struct roster_bot bot;

	who_look_up(pages->roster, path->name[0], &bot);
	if (http_query(request, "number", number, sizeof(number)) != 1)
		http_refuse(request, 400, "expected ?number=N");
	else if (bot.state != ROSTER_ENABLED)
		http_refuse(request, 403, api_owners_off(&bot));
	else if (bot.owner[0] == '\0' ||
		 may_do(pages, request, ROSTER_UPLOADS, bot.owner,
			(int64_t)pages->config->limits.owner_uploads,
			too_often)) {
		page_by(request, bot.name, by);
		change(pages, request, by, on_changed, "back", bot.name,
		       number);
	}
}

/* Forgets the trial once its version is entered. */
static void
drop_entered(struct pages *pages, const struct roster_bot *bot,
	     const char *hash)
{
	struct roster_entry entry;

	if (who_is_local(pages->roster, bot->name, &entry) &&
	    strcmp(entry.hash, hash) == 0)
		trials_drop(pages->trials, bot->number);
}

void
api_owners_enter_trial(struct pages *pages, struct http_request *request,
		       const struct page_path *path)
{
	char by[ROSTER_BY_BYTES + 1], hash[ROSTER_CONTENT_BYTES + 1] = "";
	struct roster_bot bot;
	const char *found;

	who_look_up(pages->roster, path->name[0], &bot);
	found = trials_hash(pages->trials, bot.number);
	if (found == NULL) {
		http_refuse(request, 409, "this bot has no trial");
		return;
	}
	if (bot.state != ROSTER_ENABLED) {
		http_refuse(request, 403, api_owners_off(&bot));
		return;
	}
	snprintf(hash, sizeof(hash), "%s", found);
	page_by(request, bot.name, by);
	change(pages, request, by, on_changed, "admit", bot.name, hash);
	drop_entered(pages, &bot, hash);
}
