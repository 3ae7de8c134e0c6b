// referee/web/static/opinions.js - shows the strong bot's opinions on the page
// of a game, from /api/1/games/ID/opinions. createOpinions(replay); follows it
// by its event `moment` Only "Biggest swing" asks the server for something that
// it may have to compute.  A line of its own tells how that goes.
import { make } from "./elements.js";

const TRIES = 300; // tries of some seconds each

class Opinions {
	constructor(section, replay)
	{
		this.section = section;
		this.panel = section.querySelector("#opinion");
		this.status = make("div", { role: "status" });
		this.panel.before(this.status);
		this.replay = replay;
		this.known = new Map(); // by view: opinions by line, and the other data
		this.view = null;
		this.line = 0;
		this.busy = false;
		for (const link of document.querySelectorAll("#views a"))
			this.offer(link.dataset.view);
		document.addEventListener("moment", ({ detail }) =>
			this.show(detail.view, detail.line));
		this.show(replay.view, replay.n);
	}

	// Offers opinions for a seat whose view is allowed.
	offer(view)
	{
		if (!/^[0-7]$/.test(view) ||
		    this.section.querySelector(`a.swing[data-seat="${view}"]`))
			return;
		const link = make("a", { class: "swing", "data-seat": view,
			href: this.replay.href(this.replay.n, view) },
		make("span", {}, "Biggest swing of ",
			make("bdi", {}, this.replay.nameOf(Number(view)))));

		link.addEventListener("click", (event) => {
			event.preventDefault();
			event.stopPropagation(); // it leads to no moment yet
			this.replay.player.stop();
			this.swing(view);
		});
		this.section.querySelector("ul").append(make("li", {}, link));
		this.section.hidden = false;
	}

	// Fetches the opinions that were known when the page was made, which costs
	// nothing.  The reader has not asked for them, so the page says nothing of them.
	async begin()
	{
		const { known } = this.section.dataset;

		if (known !== undefined)
			await this.load(known, () => null).catch(() => null);
	}

	say(...text)
	{
		this.status.replaceChildren(...text.length > 0 ?
			[make("p", {}, ...text)] : []);
	}

	// ---- the server

	async fetch(view, say)
	{
		const { root, id, source } = this.replay;
		const headers = source.headers?.(view) ?? {};
		const url = `${root}api/1/games/${id}/opinions?view=${view}`;

		for (let i = 0; i < TRIES; i++) {
			const answer = await fetch(url, { headers });
			const text = await answer.text();

			if (answer.status === 200) {
				say();
				return text;
			}
			if (answer.status !== 202)
				throw new Error(text.trim());
			say("The strong bot is thinking about this game.");
			await pause(Number(answer.headers.get("Retry-After")));
		}
		throw new Error("the strong bot does not answer");
	}

	async load(view, say)
	{
		if (this.known.has(view))
			return;
		const text = await this.fetch(view, say);
		const lines = text.trim().split("\n").map((one) => JSON.parse(one));

		this.known.set(view, {
			...lines.at(-1),
			at: new Map(lines.slice(0, -1).map((one) => [one.at, one])),
		});
		if (view === this.view)
			this.show(view, this.line);
	}

	// ---- the worst decision of a seat

	// The answer may take minutes: a reader who went on finds a link to the moment.
	async swing(view)
	{
		if (this.busy)
			return;
		const { replay, view: before, line } = this;
		const name = replay.nameOf(Number(view));

		this.busy = true;
		this.say();
		try {
			await this.load(view, (...text) => this.say(...text));
			const { swing } = this.known.get(view);

			if (swing === undefined)
				this.say(`The strong bot found no mistake of ${name}.`);
			else if (this.view !== before || this.line !== line)
				this.say("Found: ", make("a", { href:
					replay.href(swing, view) },
				`the biggest swing of ${name}`), ".");
			else
				await replay.setView(view, swing);
		} catch (error) {
			this.say(`There is no opinion: ${error.message}`);
		} finally {
			this.busy = false;
		}
	}

	// ---- a moment

	show(view, line)
	{
		const known = this.known.get(view);

		this.offer(view);
		this.view = view;
		this.line = line;
		if (known === undefined) {
			this.panel.replaceChildren();
			return;
		}
		const opinion = known.at.get(line);

		this.panel.replaceChildren(...(opinion === undefined ?
			[make("p", { class: "soft" },
				"Here this seat has nothing to decide.")] :
			drawOpinion(opinion)));
		if (known.judged < known.choices)
			this.panel.append(make("p", { class: "soft" },
				`Of ${known.choices} decisions ${known.judged} ` +
				"were judged."));
	}
}

function pause(seconds)
{
	return new Promise((done) => setTimeout(done, 1000 * (seconds || 1)));
}

function drawValue({ token, value, error }, made)
{
	return make("tr", {},
		make("th", { scope: "row" }, make("code", {}, token),
			made ? " (made)" : ""),
		make("td", { class: "n" }, value.toFixed(2)),
		make("td", { class: "n soft" }, `\u00b1${error.toFixed(2)}`));
}

// Draws the best moves, and the one that was made.
function drawOpinion({ sentence, moves, best, made })
{
	const rows = best.map((one) => drawValue(one, one.token === made?.token));
	const column = (text, attributes) =>
		make("th", { scope: "col", ...attributes }, text);

	if (made !== undefined && !best.some((one) => one.token === made.token))
		rows.push(drawValue(made, true));
	return [
		make("p", {}, sentence),
		make("table", { class: "opinion" },
			make("caption", {}, `The best of ${moves} moves`),
			make("thead", {}, make("tr", {}, column("Move", {}),
				column("Expected", { class: "n" }),
				column("Error", { class: "n" }))),
			make("tbody", {}, ...rows)),
		make("p", { class: "soft" }, "Expected is the share of the other " +
			"seats that this seat would be placed before, by what it " +
			"knew."),
		make("p", {}, make("a", { class: "to-table", href: "#moment" },
			"The table at this moment")),
	];
}

export function createOpinions(replay)
{
	const section = document.querySelector("#opinions");

	if (section !== null)
		new Opinions(section, replay).begin();
}
