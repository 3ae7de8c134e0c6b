/* referee/pages/rules.c - see rules.h. */
#include "referee/pages/rules.h"

#include <string.h>

#include "referee/games/game.h"
#include "referee/pages/markdown.h"
#include "referee/pages/rules-text.h"

void
rules_list_page(const struct site *site, struct text *to)
{
	const struct game_rules *const *game;
	struct html html;

	html_begin(&html, site, to, "./");
	layout_begin(&html, &(struct layout){ .title = "Rules of the games" });
	HTML_OPEN(&html, "ul", "class", "cards");
	for (game = games; *game != NULL; game++) {
		html_fmt(&html,
			 "<li class='card'><h2><a href='rules/%s'>%s</a></h2>"
			 "<p>%s</p><p class='soft'>%u ",
			 (*game)->name, (*game)->title, (*game)->brief,
			 (*game)->min_seats);
		if ((*game)->min_seats < (*game)->max_seats)
			html_fmt(&html, "to %u ", (*game)->max_seats);
		html_fmt(&html, "seats</p></li>");
	}
	html_close(&html, "ul");
	layout_end(&html);
}

static const struct rules_text *
find_text(const char *game)
{
	const struct rules_text *file;
	const size_t n = strlen(game);

	for (file = rules_texts; file->name != NULL; file++)
		if (strncmp(file->name, game, n) == 0 &&
		    strcmp(file->name + n, ".md") == 0)
			return file;
	return NULL;
}

bool
rules_page(const struct site *site, const char *game, struct text *to)
{
	const struct game_rules *rules = game_find(game);
	const struct rules_text *file = find_text(game);
	struct html html;

	if (rules == NULL || file == NULL)
		return false;
	html_begin(&html, site, to, "../");
	layout_begin(&html,
		     &(struct layout){ .title = rules->title,
				       .crumb = { { "Rules", "rules" } } });
	HTML_LEAF(&html, rules->brief, "p", "class", "lead");
	HTML_OPEN(&html, "div", "class", "prose");
	markdown_write(&html, (const char *)file->bytes, file->n);
	html_close(&html, "div");
	layout_end(&html);
	return true;
}
