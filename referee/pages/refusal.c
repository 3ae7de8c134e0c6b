/* referee/pages/refusal.c - see refusal.h. */
#include "referee/pages/refusal.h"

static const char *
title_of(int code)
{
	switch (code) {
	case 401:
	case 403:
		return "Not for everyone";
	case 404:
	case 410:
		return "Not found";
	case 429:
	case 503:
		return "Not now";
	default:
		return "This cannot be answered";
	}
}

void
refusal_page(const struct site *site, const char *root, int code,
	     const char *sentence, struct text *to)
{
	struct html html;

	html_begin(&html, site, to, root);
	layout_begin(&html, &(struct layout){ .title = title_of(code) });
	html_fmt(&html, "<p>%d: %s.</p>", code, sentence);
	if (code == 401)
		html_fmt(&html, "<p class='soft'>The author of a bot can paste "
				"the token on the page of the bot, and then "
				"come here again.</p>");
	html_fmt(&html, "<p><a href=''>All ladders</a></p>");
	layout_end(&html);
}
