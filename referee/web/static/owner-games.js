// referee/web/static/owner-games.js - the part of an owner's page that searches the
// games of the owner's bots and downloads their records.
import { once } from "./account.js";
import { make, words } from "./elements.js";

const FAULTS = ["any", "timeout", "illegal", "protocol", "crash"];
const ORDERS = [["lost", "lost first"], ["latest", "latest first"],
	["worst", "worst decision first"]];

function choice(label, name, options)
{
	return make("label", {}, label, make("select", { name },
		...options.map(([value, text]) => make("option", { value }, text))));
}

function input(label, name, type = "text")
{
	return make("label", {}, label, make("input", { name, type, min: "1",
		autocomplete: "off", spellcheck: "false" }));
}

const RECORDS = 100; // SERVE_GAMES_MAX: as many are in one file if they fit

// Makes {part, offer, again}: offer(bots) lets the form choose among these bots, again()
// asks once more for the games that are shown.  `asked` sends a request with the token of the
// owner.
export function gamesPart({ root, owner, say, asked, bots })
{
	const list = make("div");
	const records = make("button", { type: "button" });
	const form = make("form", {},
		choice("bot", "bot", [["", "all"],
			...bots.map(({ bot }) => [bot, bot])]),
		input("opponent", "other"), input("place", "place", "number"),
		choice("fault", "fault", [["", "with or without"],
			...FAULTS.map((one) => [one, one])]),
		choice("order", "order", ORDERS), make("button", {}, "Show"));
	let shown = { from: 1 }; // the page of games that came last: filter and first game
	let wanted = shown; // the page that was asked for last
	let takeBack; // what was said of one that did not come

	form.addEventListener("submit", (event) => {
		event.preventDefault();
		show({ from: 1, ...Object.fromEntries([...new FormData(form)]
			.filter(([, value]) => value.trim() !== "")) });
	});
	const get = once(download);

	records.addEventListener("click", () =>
		get(path("records", { ...shown, count: RECORDS })));
	records.hidden = true;
	show(shown);
	return { part: make("div", {}, form, list, make("p", {}, records)), offer, again };

	function offer(all)
	{
		const choices = form.elements.bot;
		const has = new Set([...choices.options].map(({ value }) => value));

		choices.append(...all.filter(({ bot }) => !has.has(bot)).map(({ bot }) =>
			make("option", { value: bot }, bot)));
	}

	// Returns true if it asks.  A link that has the focus stays, and a question that has
	// no answer yet.
	function again()
	{
		const may = wanted === shown && !list.contains(document.activeElement);

		if (may)
			show({ ...shown }, false);
		return may;
	}

	function path(what, wish)
	{
		return `api/1/owners/${owner}/${what}?${new URLSearchParams(wish)}`;
	}

	// Shows a page of games, unless another one is asked for before it comes.
	async function show(page, aloud = true)
	{
		wanted = page;
		const answer = await asked(path("games", page), {}, { tell: (...words) =>
			aloud && page === wanted ? takeBack = say(...words) : null });

		if (page !== wanted)
			return;
		if (!answer?.ok) {
			wanted = shown;
			return;
		}
		const found = JSON.parse(answer.said);

		if (aloud || !list.hasChildNodes())
			takeBack?.();
		shown = page;
		records.hidden = found.games.length === 0;
		records.textContent = "Download the records of games " +
			`${page.from} to ${Math.min(found.found, page.from + RECORDS - 1)}`;
		if (!found.opinions)
			form.querySelector("[value=worst]")?.remove();
		list.replaceChildren(...found.games.length === 0 ?
			[make("p", {}, "No such game.")] : [table(found), ...notes(found)]);
	}

	// The column of worst decisions is left out if none is known.
	function table({ games })
	{
		const judged = games.some(({ worst }) => worst);

		return make("table", { class: "games" }, make("thead", {},
			make("tr", {}, ...["game", "places and points", "ended (UTC)",
				...judged ? ["worst decision"] : []].map((text, i) =>
				make("th", { scope: "col", class: i > 2 ? "middling" : null },
					text)))),
		make("tbody", {}, ...games.map((game) => row(game, judged))));
	}

	function row({ id, ladder, seats, seat, ended, faults, replay, worst }, judged)
	{
		const at = worst && worst.loss > 0 ? `&at=${worst.at}` : "";
		const places = seats.map((one, s) => ({ ...one, own: s === seat }))
			.sort((a, b) => a.place - b.place);

		return make("tr", {}, make("th", { scope: "row" }, replay ?
			make("a", { href: root + replay + at }, id.slice(0, 8)) :
			id.slice(0, 8), make("br"), make("small", {}, ladder)),
		make("td", {}, make("ol", { class: "seats" }, ...places.map((one) =>
			make("li", {}, `${one.place}. `, one.own ?
				make("strong", {}, one.bot) : one.bot,
				words(` ${one.points}`), ...one.own ? faults.flatMap((kind) =>
					[" ", make("span", { class: "tag warn" }, kind)]) : [])))),
		make("td", {}, ended.replace("T", " ").replace("Z", "")),
		judged ? make("td", { class: "middling" }, !worst ? "?" : worst.loss > 0 ?
			worst.loss.toFixed(2) : "none") : null);
	}

	function notes({ games, found, next, more, opinions })
	{
		const { from } = shown;
		const all = [make("p", { class: "soft" },
			`Games ${from} to ${from + games.length - 1} of ${found}` +
			(more ? "; older ones were not searched: choose a bot." : "."))];

		if (opinions && games.some(({ worst }) => !worst))
			all.push(make("p", { class: "soft" }, "A worst decision is known " +
				"once the replay of a game was asked for the strong bot's " +
				"opinion."));
		if (next) {
			const on = make("button", { type: "button" }, "More games");

			on.addEventListener("click", () => show({ ...shown, from: next }));
			all.push(make("p", {}, on));
		}
		return all;
	}

	// A link cannot send the token.
	async function download(from)
	{
		const answer = await asked(from, {}, { file: true });

		if (!answer?.ok)
			return;
		const link = make("a", { download: `${owner}.tar`,
			href: URL.createObjectURL(await answer.blob()) });

		link.click();
		URL.revokeObjectURL(link.href);
		say("The records are downloaded; left-out.txt names those that are " +
			"missing, if any.");
	}
}
