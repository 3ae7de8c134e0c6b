// referee/web/static/replay-source.js - gets the data of a replay from this
// server.  A bot's author has pasted its token on the bot's page (author.js),
// and so sees here what the bot may see.
import { fetchFrames, fetchLines } from "./frames.js";
import { calledNow, headersOf, tokenOf } from "./token.js";

function parsePage(text)
{
	return new DOMParser().parseFromString(text, "text/html");
}

// Returns the source of a game whose paths begin with `root`.
export function serverSource(root, id)
{
	const with_token = new Map(); // headers, by the view that needs them
	const api = (what, view) => [
		`${root}api/1/games/${id}/${what}?view=${view}`,
		with_token.get(view)];

	const own = []; // pages that views() has fetched with tokens

	return {
		own,
		frames: (view) => fetchFrames(...api("frames", view)),
		// The public may not see times, and a game can be shown without them.
		asks: async (view) => view === "public" ? [] :
			fetchLines(...api("asks", view)).catch(() => []),
		// The headers of a request for a view that needs a token.
		headers: (view) => with_token.get(view),
		page: async (view, n) => {
			const answer = await fetch(
				`${root}games/${id}?view=${view}&at=${n}`,
				{ headers: with_token.get(view) });

			return answer.ok ? parsePage(await answer.text()) : null;
		},

		// Returns the views that the bots' tokens open: {view, text} each.
		// `names` are by seat: the view of a seat takes the token of its own bot,
		// which alone may read what that bot wrote.
		async views(names)
		{
			const found = new Map();

			for (const bot of new Set(names))
				for (const [view, text] of await views_of(bot))
					if (!found.has(view) || names[view] === bot) {
						found.set(view, text);
						with_token.set(view, proof(bot));
					}
			return [...found].map(([view, text]) => ({ view, text }));
		},

		// Returns the standard error of bots for their author: {bot, seat, text,
		// from} each; `from` bytes before the text are not kept.
		async errors(names)
		{
			const all = [];

			for (const bot of new Set(names))
				all.push(...await errors_of(bot));
			return all;
		},
	};

	// Returns the headers with the token of this bot; null: it is not here.
	function proof(bot)
	{
		const name = calledNow(bot), token = tokenOf(name);

		return token && headersOf(name, token);
	}

	async function errors_of(bot)
	{
		const headers = proof(bot);
		const answer = headers && await fetch(
			`${root}api/1/bots/${calledNow(bot)}/notes`,
			{ headers });

		return !answer?.ok ? [] : (await answer.json()).games
			.filter((game) => game.id === id && game.stderr)
			.map(({ seat, stderr, stderr_from }) =>
				({ bot, seat, text: stderr, from: stderr_from }));
	}

	// Reads the allowed views from the server's page.
	async function views_of(bot)
	{
		const headers = proof(bot);
		const answer = headers && await fetch(
			`${root}games/${id}?view=public`, { headers });

		if (!answer?.ok)
			return [];
		const page = parsePage(await answer.text());

		own.push(page);
		return [...page.querySelectorAll("#views a")].map((one) =>
			[one.dataset.view, one.textContent]);
	}
}
