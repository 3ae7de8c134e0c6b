/* referee/web/page-tournaments.c - see page-html.h.
 *
 * A thread reads the files, and a page is kept until its file, or for the list
 * the folder, has changed.  `referee tournament` writes the files, also while
 * we run; a file that cannot be read is left out of the list.
 *
 * The seeds of a final that began while its ladder's standings were frozen tell their
 * true order, so it is shown only while we have this ladder and it has thawed.  Its
 * file does not tell when it began, but when it was written last; a file that was
 * written before the present freeze is of an earlier one, and is shown. */
#include "referee/web/page-html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "protocol/message.h"
#include "referee/base/json-line.h"
#include "referee/base/serve-limits.h"
#include "referee/pages/tournament.h"
#include "referee/web/page-ask.h"
#include "referee/web/page-cache.h"

struct tournament_ask {
	struct page_ask ask; /* first */
	int what;
	char folder[LADDER_PATH_BYTES];
	char id[ID_BYTES + 1];
	char ladder[LADDER_PLACES][NAME_BYTES + 1]; /* "": none */
	/* The second at which the ladder froze; 0: it is not frozen. */
	int64_t since[LADDER_PLACES];
};

static bool
is_list(int what)
{
	return what == TOURNAMENT_ALL || what == TOURNAMENT_ALL_JSON;
}

static bool
is_json(int what)
{
	return what == TOURNAMENT_ALL_JSON || what == TOURNAMENT_ONE_JSON;
}

static bool
is_hidden(const struct tournament_ask *asked,
	  const struct tournament_told *told)
{
	for (unsigned i = 0; i < LADDER_PLACES && told->frozen; i++)
		if (strcmp(asked->ladder[i], told->final) == 0)
			return asked->since[i] != 0 &&
			       told->told >= asked->since[i];
	return told->frozen;
}

static void
write_json(json_t *json, struct text *to)
{
	json_text_line(json, TOURNAMENT_DIGITS, to);
}

static void
write_list(const struct tournament_told *told, unsigned count, struct text *to)
{
	json_t *all = json_array(), *head;

	for (unsigned i = 0; i < count; i++) {
		head = tournament_head_json(&told[i]);
		JSON_ADD(head,
			 TEXT_IF("winner",
				 told[i].over ? told[i].bot[0].name : NULL));
		json_array_append_new(all, head);
	}
	write_json(JSON_OBJECT(JSON("tournaments", all)), to);
}

static void
make_all(struct tournament_ask *asked)
{
	char id[TOURNAMENTS_LISTED][ID_BYTES + 1], path[LADDER_PATH_BYTES];
	const unsigned files = tournament_files(asked->folder, id);
	struct tournament_told *told = zeroed(files + 1, sizeof(*told));
	unsigned count = 0, i;
	struct error ignored;

	for (i = 0; i < files; i++) {
		if (tournament_file_path(asked->folder, id[i], path) &&
		    tournament_file_read(path, &told[count], &ignored) == 0 &&
		    !is_hidden(asked, &told[count]))
			count++;
		else
			tournament_told_release(&told[count]);
	}
	if (is_json(asked->what))
		write_list(told, count, &asked->ask.text);
	else
		tournaments_page(page_html_site(), told, count,
				 &asked->ask.text);
	for (i = 0; i < count; i++)
		tournament_told_release(&told[i]);
	free(told);
}

static void
make_one(struct tournament_ask *asked)
{
	struct page_ask *ask = &asked->ask;
	char path[LADDER_PATH_BYTES];
	struct tournament_told told = { .bots = 0 };
	struct error ignored;

	if (!tournament_file_path(asked->folder, asked->id, path) ||
	    tournament_file_read(path, &told, &ignored) < 0) {
		ask->code = 404;
		ask->sentence = "there is no such tournament";
	} else if (is_hidden(asked, &told)) {
		ask->code = 403;
		ask->sentence = "this final began while the standings of its "
				"ladder were frozen, and is hidden until the "
				"organiser shows them";
	} else if (is_json(asked->what)) {
		write_json(tournament_json(&told), &ask->text);
	} else if (asked->what == TOURNAMENT_PROJECTOR) {
		tournament_projector(page_html_site(), &told, &ask->text);
	} else {
		tournament_page(page_html_site(), &told, &ask->text);
	}
	tournament_told_release(&told);
}

static void
make(struct page_ask *ask)
{
	struct tournament_ask *asked = (struct tournament_ask *)ask;

	if (is_list(asked->what))
		make_all(asked);
	else
		make_one(asked);
	if (ask->code == 200 && ask->text.full) {
		ask->code = 503;
		ask->sentence = PAGE_TOO_LARGE;
	}
}

static const struct page_maker maker = {
	.type = PAGE_HTML,
	.most = SERVE_HTML_BYTES,
	.make = make,
	.unread = "cannot read the tournaments now; try again later",
};

/* Notes which ladders there are, and which of them are frozen now. */
static void
note_ladders(const struct pages *pages, struct tournament_ask *asked)
{
	struct scheduler *scheduler;

	LADDERS_EACH (pages->ladders, scheduler, i) {
		asked->since[i] = scheduler_frozen(scheduler);
		snprintf(asked->ladder[i], sizeof(asked->ladder[i]), "%s",
			 scheduler_name(scheduler));
	}
}

/* Returns another number after the file has changed, or for the list the
 * folder, in which each change of a file makes an entry; or a ladder has frozen,
 * thawed, come or gone. */
static uint64_t
version_of(const struct tournament_ask *asked)
{
	uint64_t version = PAGE_VERSION_NONE;
	char path[LADDER_PATH_BYTES];
	struct stat st;

	if (is_list(asked->what))
		snprintf(path, sizeof(path), "%s", asked->folder);
	else if (!tournament_file_path(asked->folder, asked->id, path))
		return 0;
	if (stat(path, &st) < 0)
		return 0;
	version = page_version(version, asked->ladder, sizeof(asked->ladder));
	version = page_version(version, asked->since, sizeof(asked->since));
	return page_version(version, &st.st_mtim, sizeof(st.st_mtim));
}

void
page_tournaments(struct pages *pages, struct http_request *request,
		 const struct page_path *names)
{
	const char *id = names->name[0];
	char key[PAGE_KEY_BYTES];
	struct tournament_ask *asked;

	if (!is_list(names->what) && !message_id_ok(id, strlen(id))) {
		http_refuse(request, 404, "there is no such tournament");
		return;
	}
	asked = page_ask_new(pages, request, sizeof(*asked), &maker);
	asked->what = names->what;
	if (is_json(asked->what))
		asked->ask.type = PAGE_JSON;
	snprintf(asked->folder, sizeof(asked->folder), "%s/" TOURNAMENT_FOLDER,
		 pages->config->data);
	snprintf(asked->id, sizeof(asked->id), "%s", id);
	note_ladders(pages, asked);
	snprintf(key, sizeof(key), "tournament %d %s", names->what, asked->id);
	page_ask_keep(&asked->ask, key, version_of(asked));
}
