// referee/web/static/owner-games.js - the part of an owner's page that searches the
// games of the owner's bots and downloads their records.
import { ask } from "./account.js";
import { make, words } from "./elements.js";
import { ownerHeaders, ownerToken } from "./token.js";

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

// Makes the part.
export function gamesPart({ root, owner, say, bots })
{
	const list = make("div");
	const records = make("button", { type: "button" },
		"Download the records of these games");
	const form = make("form", {},
		choice("bot", "bot", [["", "all"],
			...bots.map(({ bot }) => [bot, bot])]),
		input("opponent", "other"), input("place", "place", "number"),
		choice("fault", "fault", [["", "with or without"],
			...FAULTS.map((one) => [one, one])]),
		choice("order", "order", ORDERS), make("button", {}, "Show"));
	let asked = new URLSearchParams(), from = 1; // the page that is shown

	form.addEventListener("submit", (event) => {
		event.preventDefault();
		asked = new URLSearchParams([...new FormData(form)]
			.filter(([, value]) => value.trim() !== ""));
		show(1);
	});
	records.addEventListener("click", download);
	records.hidden = true;
	show(1);
	return make("div", {}, form, list, make("p", {}, records));

	function path(what)
	{
		const query = new URLSearchParams(asked);

		query.set("from", from);
		return `${root}api/1/owners/${owner}/${what}?${query}`;
	}

	function headers()
	{
		return { headers: ownerHeaders(owner, ownerToken(owner)) };
	}

	async function show(first)
	{
		from = first;
		const answer = await ask(say, path("games"), headers());

		if (!answer?.ok)
			return;
		const found = JSON.parse(answer.said);

		records.hidden = found.games.length === 0;
		list.replaceChildren(...found.games.length === 0 ?
			[make("p", {}, "No such game.")] : [table(found), ...notes(found)]);
	}

	function table({ games })
	{
		return make("table", { class: "games" }, make("thead", {},
			make("tr", {}, ...["game", "places and points", "ended (UTC)",
				"worst decision"].map((text, i) => make("th",
				{ scope: "col", class: i > 2 ? "middling" : null }, text)))),
		make("tbody", {}, ...games.map(row)));
	}

	function row({ id, ladder, seats, seat, ended, faults, replay, worst })
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
		make("td", { class: "middling" }, !worst ? "?" : worst.loss > 0 ?
			worst.loss.toFixed(2) : "none"));
	}

	function notes({ games, found, next, more, opinions })
	{
		const all = [make("p", { class: "soft" },
			`Games ${from} to ${from + games.length - 1} of ${found}` +
			(more ? "; older ones were not searched: choose a bot." : "."))];

		if (games.some(({ worst }) => !worst))
			all.push(make("p", { class: "soft" }, opinions ?
				"A worst decision is known once the replay of a game was " +
				"asked for the strong bot's opinion." :
				"This referee has no strong bot that judges decisions."));
		if (next) {
			const on = make("button", { type: "button" }, "More games");

			on.addEventListener("click", () => show(next));
			all.push(make("p", {}, on));
		}
		return all;
	}

	// A link cannot send the token.
	async function download()
	{
		const answer = await ask(say, path("records"), headers(), true);

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
