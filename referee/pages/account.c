/* referee/pages/account.c - see account.h. */
#include "referee/pages/account.h"

#include "referee/pages/layout.h"

void
account_write_link(struct html *html)
{
	html_fmt(html,
		 "<p>With a code of the organiser's you "
		 "<a href='sign-up'>make an account</a>, and with it your "
		 "bots and their tokens.</p>");
}

void
account_sign_up_page(const struct site *site, bool on, struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "./");
	layout_begin(&html, &(struct layout){ .title = "Make an account",
					      .script = "sign-up.js",
					      .crumb = { { "Ladders", "" } } });
	HTML_LEAF(&html,
		  on ? "The organiser hands out a code. With it you choose a "
		       "name and get a token, which makes your bots."
		     : "Nobody can make an account here. Ask the organiser for "
		       "a token.",
		  "p", "class", "lead");
	html_fmt(&html, "<section id='account' data-root='%s' data-on='%s'>",
		 html.root, on ? "yes" : "no");
	if (on)
		html_fmt(&html,
			 "<p class='soft'>Without JavaScript a program makes "
			 "the account: <code>curl -X PUT -H \"X-Code: CODE\" "
			 "THIS-SITE/owners/NAME</code></p>");
	html_fmt(&html, "<p class='soft'>What an account has is on the page "
			"<code>/owners/NAME</code>.</p></section>");
	layout_end(&html);
}

void
account_owner_page(const struct site *site, const char *owner, struct text *to)
{
	struct html html;

	html_begin(&html, site, to, "../");
	layout_begin(&html, &(struct layout){ .title = owner,
					      .script = "owner.js",
					      .crumb = { { "Ladders", "" } } });
	html_fmt(&html,
		 "<p class='lead'>For the owner of bots.</p>"
		 "<section id='account' data-root='%s' data-owner='%s'>"
		 "<p class='soft'>With the token of the owner: the bots, their "
		 "tokens, uploads and games. Without JavaScript a program can "
		 "do the same (<a href='api'>how</a>).</p></section>",
		 html.root, owner);
	layout_end(&html);
}
