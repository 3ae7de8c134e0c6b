// referee/web/report.js - the script of a report: it shows one section at a
// time, and the games step by step.
import { parseLines } from "./frames.js";
import { createReplay } from "./replay.js";

const parts = [...document.querySelectorAll(".part")];
let alive = null; // the section whose game is active

// Returns the embedded data of a game, in the form that the daemon sends.
function embedded(what, id)
{
	const script = document.getElementById(`${what}-${id}`);

	return script === null ? [] : parseLines(script.textContent);
}

// A game's script finds elements by their IDs.  So the active section loses its
// prefix, and the IDs are unique without it.
function unprefix(part)
{
	const prefix = `${part.id}-`;

	for (const key of ["id", "for", "aria-labelledby", "aria-describedby",
		"aria-controls"])
		for (const one of part.querySelectorAll(`[${key}]`))
			one.setAttribute(key, one.getAttribute(key).split(" ")
				.map((id) => id.startsWith(prefix) ?
					id.slice(prefix.length) : id)
				.join(" "));
}

// A link may name a line: `?game=ID&at=42#game-ID`.
function lineOf(id)
{
	const query = new URLSearchParams(location.search);

	return query.get("game") === id ? Number(query.get("at")) : 0;
}

async function play(part, moment)
{
	const { game, view } = moment.dataset;

	alive = part;
	unprefix(part);
	const replay = await createReplay({
		container: part.querySelector(".replay") ?? part,
		id: game, root: "", view, at: lineOf(game), address: false,
		link: (n) => `?game=${game}&at=${n}#${part.id}`,
		source: {
			frames: async () => embedded("frames", game),
			asks: async () => embedded("asks", game),
			headers: () => undefined,
			views: async () => [],
		},
	});

	for (const one of part.querySelectorAll("[data-swing], [data-opinion]"))
		addButton(one, () => replay.goTo(
			Number(one.dataset.swing ?? one.dataset.opinion)));
}

// Adds a button that leads to a judged decision.
function addButton(item, act)
{
	const button = document.createElement("button");

	button.type = "button";
	button.append("Go there");
	button.addEventListener("click", act);
	item.append(" ", button);
}

function show()
{
	const id = decodeURIComponent(location.hash.slice(1));
	const part = document.getElementById(id)?.closest(".part") ?? parts[0];
	const moment = part.querySelector("[data-game]");

	// A page has one active game: another one needs a new page.
	if (moment !== null && alive !== null && alive !== part) {
		location.reload();
		return;
	}
	for (const one of parts)
		one.hidden = one !== part;
	if (moment !== null && alive === null)
		play(part, moment);
	if (id !== "")
		document.getElementById(id)?.scrollIntoView();
}

addEventListener("hashchange", show);
show();
