// referee/web/static/replay.js - draws a game and steps through it, on the page that
// the server has made, which tells the game in words without it.
//
//	import { createReplay, goTo } from "./replay.js";
//
// On the page of a game that is over it begins by itself; goTo(line) then leads to
// a moment, and the document hears of each in a `moment` event, whose detail is
// {line, view, timeline}.  Other pages call createReplay() themselves.
//
// A replay has parts, each in a module of its own; this one knows the moment and
// tells them.
import { make, words } from "./elements.js";
import { Refused, Timeline } from "./frames.js";
import { createOpinions } from "./opinions.js";
import { Faults } from "./replay-faults.js";
import { Files } from "./replay-files.js";
import { restorePage } from "./replay-focus.js";
import { Guess } from "./replay-guess.js";
import { Lines } from "./replay-lines.js";
import { addressLine, createAddress, followLinks, hashLine } from "./replay-links.js";
import { createPanels } from "./replay-panels.js";
import { Player } from "./replay-play.js";
import { serverSource } from "./replay-source.js";
import { Steps } from "./replay-steps.js";
import { createStrip } from "./replay-strip.js";
import { Table } from "./replay-table.js";
import { equipTools } from "./replay-tools.js";
import { Views } from "./replay-views.js";

class Replay {
	constructor({ container, id, root, view, at, source, link, address = true })
	{
		this.container = container;
		this.id = id;
		this.root = root;
		this.view = view;
		this.source = source ?? serverSource(root, id);
		this.link = link ?? ((n, view) =>
			`${root}games/${id}?view=${view}&at=${n}#moment`);
		this.timelines = new Map(); // by view
		this.asks = new Map();
		this.n = at;
		this.address = address ? createAddress(this) : () => {};
		this.panels = createPanels(this);
	}

	find(selector)
	{
		return this.container.querySelector(selector) ??
			document.querySelector(selector);
	}

	get timeline()
	{
		return this.timelines.get(this.view);
	}

	get viewer()
	{
		return this.view === "all" ? -2 : this.view === "public" ? -1 :
			Number(this.view);
	}

	async begin()
	{
		await this.load(this.view);
		this.equip();
		this.repaint();
		this.show(this.n || this.timeline.length);
		this.stepped = true; // the address does not change before the first step
		this.offerOwn();
	}

	async load(view)
	{
		if (this.timelines.has(view))
			return;
		const [lines, asks] = await Promise.all([
			this.source.frames(view), this.source.asks(view)]);

		this.timelines.set(view, new Timeline(lines));
		this.asks.set(view, asks);
	}

	equip()
	{
		this.status = make("p", { class: "status soft", role: "status" });
		this.views = new Views(this);
		this.files = new Files(this);
		this.player = new Player(this);
		this.guess = new Guess(this);
		this.lines = new Lines(this);
		this.faults = new Faults(this);
		this.table = new Table(this);
		this.steps = new Steps(this);
		this.strip = createStrip((n) => this.goTo(n));
		this.controls = make("div", { class: "controls" },
			this.steps.nav, this.strip.figure);
		this.find(".felt").after(this.controls);
		equipTools(this);
		followLinks(this);
	}

	// Shows the view in the address, if a token opens it.
	async showWanted(at)
	{
		const refused = this.find("#refused");
		const { view } = refused?.dataset ?? {};

		if (view !== undefined && this.views.has(view) &&
		    await this.views.set(view, at))
			refused.remove();
	}

	// Offers the views that the token of a bot opens.
	async offerOwn()
	{
		const at = addressLine() || this.n;
		const names = this.timeline.table(this.timeline.length).seats
			.map(({ name }) => name);

		await this.views.offer(names);
		await this.loadOwn();
		await this.showWanted(at);
		await this.files.offer(names);
	}

	// Loads again the asks that came before the token was shown, because with it
	// they also say what was written to standard error.
	async loadOwn()
	{
		const { source, view } = this;
		const own = [...this.asks.keys()].filter((one) =>
			source.headers?.(one));

		await Promise.all(own.map(async (one) => this.asks.set(one,
			await source.asks(one))));
		if (view !== this.view || !own.includes(view))
			return;
		this.strip.draw(this.timeline, this.asks.get(view), this.n);
		this.panels();
	}

	nameOf(seat)
	{
		return this.timeline.table(this.timeline.length).seats[seat]?.name ??
			`seat ${seat}`;
	}

	href(n, view = this.view)
	{
		return this.link(n, view);
	}

	announce(text)
	{
		this.status.textContent = text;
	}

	setView(view, n = this.n)
	{
		return this.views.set(view, n);
	}

	// ---- what is shown

	// Paints everything that does not depend on the moment.
	repaint()
	{
		this.strip.draw(this.timeline, this.asks.get(this.view), this.n);
		this.faults.paint();
		this.files.paint();
		this.lines.forget();
	}

	paintTitle()
	{
		const round = this.timeline.round(this.n);

		this.find("#moment-title").textContent =
			`${round > 0 ? `Round ${round}, line` : "Line"} ` +
			`${this.n} of ${this.timeline.length}`;
	}

	// Goes to line n, or to the nearest one.
	show(n, stays = false)
	{
		const { timeline } = this;
		const before = this.n;

		if (timeline.length === 0)
			return;
		this.n = Math.min(Math.max(n, 1), timeline.length);
		this.table.show(before);
		this.tell(words(timeline.line(this.n).sentence));
		this.paintTitle();
		this.steps.paint();
		this.views.paint();
		this.strip.now(this.n);
		this.lines.show(before, stays);
		this.table.keepHeight();
		if (this.stepped) {
			this.address();
			this.panels();
		}
		document.dispatchEvent(new CustomEvent("moment", { detail: {
			line: this.n, view: this.view, timeline } }));
	}

	// Sets the sentence, which is read out when it changes.
	tell(sentence)
	{
		const told = this.find(".told");

		if (told.textContent !== sentence)
			told.textContent = sentence;
	}

	// ---- steps

	goTo(n)
	{
		this.player.stop();
		this.show(n);
	}

	// Goes to the next decision, or with -1 to the one before.
	step(by)
	{
		this.goTo(this.timeline.stop(this.n, by) || this.n);
	}

	line(by)
	{
		this.goTo(this.n + by);
	}

	roundStep(by)
	{
		const { timeline, n } = this;

		this.goTo((by < 0 ? timeline.roundBack(n) : timeline.after(n)) || n);
	}

	// ---- for a game that goes on

	// Adds new lines; a reader at the end goes on with them.
	append(lines)
	{
		const follows = this.n === this.timeline.length;
		const elsewhere = this.lines.isAway(this.n); // who reads there, stays

		this.timeline.append(lines);
		this.repaint();
		this.show(follows ? this.timeline.length : this.n, elsewhere);
	}
}

// Makes a page alive.  `container` has what referee/pages/game.c writes: #moment
// with .told and .felt, and the list .lines.  `at`: the line to begin
// with, 0: the last one.  `source` has frames(view) and asks(view), which promise
// the objects of these files; without it they are asked of the server.  `link`
// makes the address of a line in a view; without it that of the server's page.
// Promises an object with goTo(line), setView(view) and append(lines).
export async function createReplay(options)
{
	const replay = new Replay(options);

	await replay.begin();
	return replay;
}

// ---- the page of a game that is over ------------------------------------------

let page;

// Goes to a line of the page's game; returns false if it does not exist yet.
export function goTo(line)
{
	page?.goTo(line);
	return page !== undefined;
}

async function start(section)
{
	const { game, root, view, at } = section.dataset;

	try {
		page = await createReplay({
			container: section.closest(".replay"),
			id: game, root, view, at: hashLine() || Number(at),
		});
		createOpinions(page);
		restorePage();
	} catch (error) {
		if (!(error instanceof Refused) && !(error instanceof TypeError))
			throw error;
		section.append(make("p", { class: "warn", role: "alert" },
			"The replay cannot be loaded: ", error.message,
			". The links lead to all moments."));
	}
}

const section = document.querySelector("#moment[data-game]");

if (section)
	start(section);
