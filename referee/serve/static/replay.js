// referee/serve/static/replay.js - steps through a game on the page that the server
// has made, which shows the same without it.
//
//	import { createReplay, goTo } from "./replay.js";
//
// On the page of a game that is over it begins by itself; goTo(line) then leads to
// a moment, and the document hears of each in a `moment` event, whose detail is
// {line, view, timeline}.  Other pages call createReplay() themselves.
import { make, words } from "./elements.js";
import { Refused, Timeline } from "./frames.js";
import { createOpinions } from "./opinions.js";
import { restoreFocus } from "./replay-focus.js";
import { createHelp, onKeys, onSwipe, onWheel } from "./replay-keys.js";
import { serverSource } from "./replay-source.js";
import { createStrip } from "./replay-strip.js";
import { tableText } from "./replay-text.js";
import { move } from "./motion.js";
import { drawTable } from "./table.js";
import { drawOptions } from "./table-options.js";

const PAUSES = [2400, 1200, 600, 300, 120]; // between two steps of play, in ms
const ADDRESS_MS = 200; // browsers refuse addresses that change too often
const GLIDE_MS = 300; // of a piece, at most
const NEAR = 40; // lines: from further away nothing glides
const PANEL_MS = 400; // that one stays before the server is asked for more
const PANELS = ["decision"]; // what the server alone writes of a moment
const FOUND_MAX = 500; // lines that a filter shows
const SAVE_MS = 60000; // for a browser to take a file

// ---- elements -----------------------------------------------------------------

function button(text, key, act, attributes = {})
{
	const one = make("button", { type: "button", "aria-keyshortcuts": key,
		...attributes }, text);

	one.addEventListener("click", act);
	return one;
}

// What a bot had sent, percent-encoded.
function decode(said)
{
	const bytes = [];

	for (let i = 0; i < said.length; i++) {
		const hex = /^%[0-9A-Fa-f]{2}/.test(said.slice(i, i + 3));

		bytes.push(hex ? parseInt(said.slice(i + 1, i + 3), 16) :
			said.charCodeAt(i));
		i += hex ? 2 : 0;
	}
	return new TextDecoder().decode(new Uint8Array(bytes));
}

// No control characters: the server writes them so, too.
function clean(text)
{
	return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "\ufffd");
}

function quote(text)
{
	return make("q", { dir: "auto" }, clean(text));
}

// ---- the replay ---------------------------------------------------------------

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
		this.address = address;
		this.timelines = new Map(); // by view
		this.asks = new Map();
		this.n = at;
		this.asked = 0; // of views: the last one wins
		this.speed = 3;
		this.filter = "";
		this.guess = null; // the view to return to, while a hand is guessed
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
		this.listen();
		this.repaint();
		this.show(this.n || this.timeline.length);
		this.stepped = true; // the address stays until then
		this.offerOwn();
	}

	// ---- views

	async load(view)
	{
		if (this.timelines.has(view))
			return;
		const [lines, asks] = await Promise.all([
			this.source.frames(view), this.source.asks(view)]);

		this.timelines.set(view, new Timeline(lines));
		this.asks.set(view, asks);
	}

	viewLinks()
	{
		return [...document.querySelectorAll("#views a")];
	}

	async setView(view, n = this.n)
	{
		const asked = ++this.asked;

		try {
			await this.load(view);
		} catch (error) {
			this.announce(`This view cannot be shown: ${error.message}`);
			return false;
		}
		if (asked !== this.asked)
			return false;
		this.view = view;
		this.tellView();
		this.repaint();
		this.show(n);
		return true;
	}

	nextView()
	{
		const links = this.viewLinks();
		const at = links.findIndex((one) => one.dataset.view === this.view);
		const next = links[(at + 1) % links.length];

		if (next === undefined) {
			this.announce("There is no other view.");
			return;
		}
		this.setView(next.dataset.view).then((shown) => {
			if (shown)
				this.announce(next.textContent);
		});
	}

	tellView()
	{
		const note = this.find("#view-note");

		for (const link of this.viewLinks())
			if (link.dataset.view === this.view)
				link.setAttribute("aria-current", "true");
			else
				link.removeAttribute("aria-current");
		if (this.view === "all")
			note?.replaceChildren("You see all cards.");
		else if (this.view === "public")
			note?.replaceChildren(
				"You see what everyone at the table saw.");
		else
			note?.replaceChildren("You see what this seat saw: ",
				make("bdi", {}, this.nameOf(this.viewer)), ".");
	}

	// What the token of a bot opens.
	async offerOwn()
	{
		const names = new Set([...document.querySelectorAll(".result bdi")]
			.map((one) => one.textContent));
		const links = this.find("#views ul");
		const files = this.find("#files ul");
		const there = new Set(this.viewLinks().map((one) =>
			one.dataset.view));

		for (const { view, text } of await this.source.views?.(names) ?? [])
			if (!there.has(view))
				links?.append(make("li", {}, make("a", {
					"data-view": view,
					href: this.href(this.n, view) }, text)));
		for (const { bot, seat, text } of
			await this.source.errors?.(names) ?? [])
			files?.append(make("li", {}, make("a", {
				class: "stderr",
				href: URL.createObjectURL(new Blob([text],
					{ type: "text/plain" })),
				download: `${this.id}.${seat}.stderr.txt`,
			}, "Standard error of ", make("bdi", {}, bot))));
	}

	// ---- what is shown

	nameOf(seat)
	{
		return this.timeline.table(this.timeline.length).seats[seat]?.name ??
			`seat ${seat}`;
	}

	href(n, view = this.view)
	{
		return this.link(n, view);
	}

	// All that does not depend on the moment.
	repaint()
	{
		this.strip.draw(this.timeline, this.asks.get(this.view), this.n);
		this.faults = this.timeline.all("fault");
		this.paintFaults();
		this.paintFiles();
		this.round = undefined;
	}

	paintFaults()
	{
		const list = this.find("#faults ul");
		const own = this.faults.filter((n) =>
			this.timeline.line(n).seat === this.viewer);

		list?.replaceChildren(...this.faults.map((n) => this.drawLine(n)));
		this.buttons.fault.disabled = this.faults.length === 0;
		this.buttons.own.disabled = own.length === 0;
	}

	paintFiles()
	{
		const files = this.find("#files");

		for (const [name, path, end] of [
			["of-view", `records/${this.id}`, "rec"],
			["frames", `games/${this.id}/frames`, "ndjson"]]) {
			const link = files?.querySelector(`a.${name}`);

			link?.setAttribute("href",
				`${this.root}api/1/${path}?view=${this.view}`);
			link?.setAttribute("download",
				`${this.id}.${this.view}.${end}`);
		}
	}

	// A link cannot send the token that has opened its view.
	async download(event)
	{
		const { href, download } = event.currentTarget;
		const headers = this.source.headers?.(
			new URL(href).searchParams.get("view"));

		if (headers === undefined)
			return;
		event.preventDefault();
		try {
			const answer = await fetch(href, { headers });

			if (!answer.ok)
				throw new Refused(answer.status,
					(await answer.text()).trim());
			const url = URL.createObjectURL(await answer.blob());

			make("a", { href: url, download }).click();
			setTimeout(() => URL.revokeObjectURL(url), SAVE_MS);
		} catch (error) {
			this.announce("This file cannot be downloaded: " +
				error.message);
		}
	}

	// As the server writes it.
	drawLine(n, now = false)
	{
		const line = this.timeline.line(n);
		const item = make("li", {
			class: line.marks?.includes("fault") ? "fault" : null,
			"aria-current": now ? "step" : null,
		}, make("a", { href: this.href(n) }, words(line.sentence)));

		if (line.said !== undefined)
			item.append(" It had sent: ", quote(decode(line.said)));
		for (const { seat, text } of line.remarks ?? [])
			item.append(make("p", { class: "remark" },
				make("bdi", {}, this.nameOf(seat)), " says: ",
				quote(text)));
		return item;
	}

	// The lines of the round, or those that the filter finds; what you are asked to
	// guess is left out.
	listed()
	{
		const { timeline } = this;
		const end = this.guess !== null ? this.n : timeline.length;
		const numbers = [];

		if (this.filter === "") {
			const after = timeline.after(this.n) || timeline.length + 1;

			for (let n = timeline.first(this.n); n < after && n <= end; n++)
				numbers.push(n);
			return numbers;
		}
		for (let n = 1; n <= end && numbers.length < FOUND_MAX; n++)
			if (this.textOf(n).includes(this.filter))
				numbers.push(n);
		return numbers;
	}

	textOf(n)
	{
		const { sentence, said, remarks } = this.timeline.line(n);

		return [words(sentence), said && decode(said),
			...(remarks ?? []).map((one) => one.text)]
			.join(" ").toLowerCase();
	}

	paintList()
	{
		const list = this.find("ol.lines");
		const focused = list.contains(document.activeElement);
		const numbers = this.listed();

		this.round = this.timeline.round(this.n);
		list.setAttribute("start", numbers[0] ?? 1);
		list.replaceChildren(...numbers.map((n) => {
			const item = this.drawLine(n, n === this.n);

			if (this.filter !== "")
				item.value = n;
			return item;
		}));
		this.items = new Map(numbers.map((n, i) => [n, list.children[i]]));
		this.count.textContent = this.filter === "" ? "" :
			`${numbers.length === FOUND_MAX ? "the first " : ""}` +
			`${numbers.length} lines`;
		if (focused)
			this.items.get(this.n)?.querySelector("a").focus(
				{ preventScroll: true });
	}

	paintCurrent(before)
	{
		const list = this.find("ol.lines");
		const item = this.items.get(this.n);

		this.items.get(before)?.removeAttribute("aria-current");
		item?.setAttribute("aria-current", "step");
		// Only the list scrolls, never the page.
		if (item && list.scrollHeight > list.clientHeight)
			list.scrollTop += item.getBoundingClientRect().top -
				list.getBoundingClientRect().top -
				list.clientHeight / 2;
	}

	paintSteps()
	{
		const { timeline, n } = this;
		const steps = { first: 1, "round-back": timeline.roundBack(n),
			back: timeline.stop(n, -1), on: timeline.stop(n, 1),
			"round-on": timeline.after(n), last: timeline.length };

		for (const [name, to] of Object.entries(steps)) {
			const link = this.find(`.steps .${name}`);
			const there = to > 0 && to !== n;

			link.setAttribute("href", this.href(there ? to : n));
			if (there)
				link.removeAttribute("aria-disabled");
			else
				link.setAttribute("aria-disabled", "true");
		}
		for (const link of this.viewLinks())
			link.setAttribute("href", this.href(n, link.dataset.view));
	}

	paintTitle()
	{
		const round = this.timeline.round(this.n);

		this.find("#moment-title").textContent =
			`${round > 0 ? `Round ${round}, line` : "Line"} ` +
			`${this.n} of ${this.timeline.length}`;
	}

	// Leads to line n, or to the one nearest to it.
	show(n)
	{
		const { timeline } = this;
		const before = this.n;
		const felt = this.find(".felt");

		if (timeline.length === 0)
			return;
		this.n = Math.min(Math.max(n, 1), timeline.length);
		const drawn = drawTable(timeline.table(this.n), this.viewer);

		this.changeTable(felt, drawn, before);
		this.tell(words(timeline.line(this.n).sentence));
		this.paintTitle();
		this.paintSteps();
		this.strip.now(this.n);
		if (this.guess !== null || (this.filter === "" &&
		    this.round !== timeline.round(this.n)) ||
		    this.round === undefined)
			this.paintList();
		this.paintCurrent(before);
		this.keepHeight(drawn);
		this.writeAddress();
		this.refreshPanels();
		document.dispatchEvent(new CustomEvent("moment", { detail: {
			line: this.n, view: this.view, timeline } }));
	}

	// Pieces glide where one steps.
	changeTable(felt, drawn, before)
	{
		const pause = this.timer ? PAUSES[this.speed - 1] / 2 : GLIDE_MS;

		if (this.shownView === this.view && this.n !== before &&
		    Math.abs(this.n - before) < NEAR)
			move(felt, drawn, Math.min(pause, GLIDE_MS));
		else
			felt.replaceWith(drawn);
		this.shownView = this.view;
	}

	// What the server alone knows of a moment comes once one stays there.
	refreshPanels()
	{
		const there = PANELS.filter((id) => document.getElementById(id));

		clearTimeout(this.panelTimer);
		if (!this.stepped || !this.source.page || there.length === 0)
			return;
		this.panelTimer = setTimeout(async () => {
			const { view, n } = this;
			const page = await this.source.page(view, n).catch(() => null);

			if (view !== this.view || n !== this.n)
				return;
			for (const id of there) {
				const other = page?.getElementById(id);

				if (other)
					document.getElementById(id).replaceWith(
						document.importNode(other, true));
			}
		}, PANEL_MS);
	}

	// It is read out where it changes.
	tell(sentence)
	{
		const told = this.find(".told");

		if (told.textContent !== sentence)
			told.textContent = sentence;
	}

	// What stands below the table does not jump while one steps.
	keepHeight(felt)
	{
		const place = this.find("#moment");
		const wide = place.clientWidth;
		const tall = felt.offsetHeight;

		this.tall = wide === this.wide ? Math.max(this.tall, tall) : 0;
		this.wide = wide;
		place.style.setProperty("--table-height", `${this.tall}px`);
	}

	writeAddress()
	{
		if (!this.address || this.writing || !this.stepped)
			return;
		this.writing = setTimeout(() => {
			this.writing = undefined;
			history.replaceState(null, "",
				`?view=${this.view}&at=${this.n}`);
		}, ADDRESS_MS);
	}

	announce(text)
	{
		this.status.textContent = text;
	}

	// ---- steps

	step(by)
	{
		this.stop();
		this.show(this.timeline.stop(this.n, by) || this.n);
	}

	line(by)
	{
		this.stop();
		this.show(this.n + by);
	}

	roundStep(by)
	{
		const { timeline, n } = this;

		this.stop();
		this.show((by < 0 ? timeline.roundBack(n) : timeline.after(n)) || n);
	}

	goTo(n)
	{
		this.stop();
		this.show(n);
	}

	// The next one after this moment, or the first one again.
	fault(numbers = this.faults)
	{
		const next = numbers.find((n) => n > this.n) ?? numbers[0];

		if (next === undefined) {
			this.announce("There is no fault.");
			return;
		}
		this.goTo(next);
		this.announce(`Fault ${numbers.indexOf(next) + 1} of ` +
			`${numbers.length}.`);
	}

	ownFault()
	{
		this.fault(this.faults.filter((n) =>
			this.timeline.line(n).seat === this.viewer));
	}

	// ---- play

	play()
	{
		if (this.timer) {
			this.stop();
			this.announce("Stopped.");
			return;
		}
		if (this.n >= this.timeline.length)
			this.show(1);
		this.announce(`Playing, speed ${this.speed} of ${PAUSES.length}.`);
		this.tellPlay("❚❚", "Stop");
		this.wait();
	}

	// What goes by too fast is not read out.
	wait()
	{
		this.find(".told").setAttribute("aria-live",
			this.speed > 2 ? "off" : "polite");
		this.timer = setTimeout(() => {
			const next = this.timeline.stop(this.n, 1);

			if (next === 0) {
				this.stop();
				this.announce("This is the end.");
				return;
			}
			this.show(next);
			this.wait();
		}, PAUSES[this.speed - 1]);
	}

	stop()
	{
		clearTimeout(this.timer);
		this.timer = undefined;
		this.tellPlay("▶", "Play");
		this.find(".told").setAttribute("aria-live", "polite");
	}

	tellPlay(sign, text)
	{
		this.buttons.play.replaceChildren(
			make("span", { "aria-hidden": "true" }, sign),
			make("span", { class: "label" }, text));
	}

	setSpeed(speed)
	{
		this.speed = speed;
		this.speeds.value = String(speed);
		this.announce(`Speed ${speed} of ${PAUSES.length}.`);
	}

	// ---- one hand alone

	// Whose decision comes next.
	turn()
	{
		const { timeline, n } = this;
		const next = timeline.find(n, 1, (at) =>
			timeline.line(at).marks?.includes("move"));

		return timeline.line(next || n)?.seat;
	}

	async toggleGuess()
	{
		const seat = this.viewer >= 0 ? this.viewer : this.turn();
		const back = this.guess;

		if (back !== null) {
			this.guess = null;
			await this.setView(back);
			this.announce("All that this view shows.");
		} else if (this.viewLinks().some((one) =>
			one.dataset.view === String(seat))) {
			this.guess = this.view;
			await this.setView(String(seat));
			this.announce(`Only the hand of ${this.nameOf(seat)}, and ` +
				"nothing that comes later. What would you do?");
		} else {
			this.announce("No hand can be seen here.");
		}
		this.buttons.guess.setAttribute("aria-pressed",
			String(this.guess !== null));
		document.body.classList.toggle("guessing", this.guess !== null);
	}

	// ---- lines by words

	setFilter(text)
	{
		this.filter = words(text.trim().toLowerCase());
		this.paintList();
		this.paintCurrent(this.n);
	}

	// ---- a position to send to others

	async copy()
	{
		const { n, timeline } = this;
		const text = [new URL(this.href(n), document.baseURI).href,
			this.find("#moment-title").textContent + ": " +
			timeline.line(n).sentence,
			tableText(timeline.table(n))].join("\n");

		try {
			await navigator.clipboard.writeText(text);
			this.announce("Link and position are copied.");
		} catch {
			this.showText("Copy this", text);
		}
	}

	// Where a page may not write to the clipboard.
	showText(title, text)
	{
		const area = make("textarea", { readonly: "", rows: "12",
			"aria-label": title });
		const dialog = make("dialog", { "aria-label": title },
			make("h2", {}, title), area);

		area.value = text;
		dialog.append(button("Close", null, () => dialog.close()));
		dialog.addEventListener("close", () => dialog.remove());
		document.body.append(dialog);
		dialog.showModal();
		area.select();
	}

	// ---- what only a script can do

	equip()
	{
		const controls = this.find(".controls");
		const told = this.find(".told");

		this.strip = createStrip(this.find(".strip"),
			(n) => this.goTo(n));
		this.status = make("p", { class: "status soft", role: "status" });
		this.help = createHelp();
		this.buttons = {
			play: button("", "Space", () => this.play(), { class: "play" }),
			guess: button("What would you do?", "h",
				() => this.toggleGuess(),
				{ "aria-pressed": "false" }),
			fault: button("Next fault", "f", () => this.fault()),
			own: button("My faults", null, () => this.ownFault()),
			view: button("Next view", "v", () => this.nextView()),
			copy: button("Copy position", "c", () => this.copy()),
			help: button("Keys", "?", () => this.help.showModal()),
		};
		this.tellPlay("▶", "Play");
		this.speeds = make("select", { "aria-label": "Speed" },
			...PAUSES.map((_, i) => make("option", { value: i + 1,
				selected: i + 1 === this.speed ? "" : null },
			`speed ${i + 1}`)));
		this.speeds.addEventListener("change", () =>
			this.setSpeed(Number(this.speeds.value)));
		told.setAttribute("aria-live", "polite");
		controls.querySelector("ul").append(make("li", {},
			this.buttons.play));
		controls.after(make("div", { class: "tools", role: "group",
			"aria-label": "Replay" }, this.speeds,
		...Object.values(this.buttons).slice(1)), this.status);
		this.equipFilter();
		// The list has all lines of the round now.
		for (const one of document.querySelectorAll("#happened .more"))
			one.remove();
		document.body.append(this.help);
		this.container.append(drawOptions());
		this.container.classList.add("alive");
	}

	equipFilter()
	{
		this.search = make("input", { type: "search",
			"aria-keyshortcuts": "/", autocomplete: "off" });
		this.count = make("span", { role: "status", class: "soft" });
		this.search.addEventListener("input", () =>
			this.setFilter(this.search.value));
		this.search.addEventListener("keydown", (event) => {
			if (event.key !== "Escape")
				return;
			event.preventDefault();
			this.search.value = "";
			this.setFilter("");
			this.find("#moment").focus({ preventScroll: true });
		});
		this.find("ol.lines").before(make("p", { class: "filter" },
			make("label", {}, "Only lines with ", this.search), " ",
			this.count));
	}

	listen()
	{
		onKeys({
			ArrowLeft: () => this.step(-1),
			ArrowRight: () => this.step(1),
			"Shift+ArrowLeft": () => this.roundStep(-1),
			"Shift+ArrowRight": () => this.roundStep(1),
			",": () => this.line(-1),
			".": () => this.line(1),
			Home: () => this.goTo(1),
			End: () => this.goTo(this.timeline.length),
			" ": () => this.play(),
			...Object.fromEntries(PAUSES.map((_, i) =>
				[String(i + 1), () => this.setSpeed(i + 1)])),
			v: () => this.nextView(),
			h: () => this.toggleGuess(),
			f: () => this.fault(),
			c: () => this.copy(),
			"/": () => this.search.focus(),
			"?": () => this.help.showModal(),
		});
		const section = this.find("#moment");

		section.tabIndex = -1;
		onWheel(section, ".felt", (by) => this.move(by));
		onSwipe(section, ".felt", (by) => this.move(by));
		document.addEventListener("click", (event) => this.follow(event));
		for (const link of document.querySelectorAll("#files a[download]"))
			link.addEventListener("click",
				(event) => this.download(event));
		addEventListener("hashchange", () => this.readHash());
		addEventListener("resize", () => this.keepHeight(
			this.find(".felt")));
	}

	// Whether there was a step to make.
	move(by)
	{
		const to = this.timeline.stop(this.n, by);

		if (to > 0)
			this.goTo(to);
		return to > 0;
	}

	// A link to a moment of this game leads there without a new page.
	follow(event)
	{
		const link = event.target.closest?.("a[href]");

		if (!link || event.button !== 0 || event.ctrlKey ||
		    event.metaKey || event.shiftKey || event.altKey ||
		    link.hasAttribute("download"))
			return;
		const url = new URL(link.href);
		const at = Number(url.searchParams.get("at"));

		if (url.pathname !== location.pathname || !(at >= 1))
			return;
		event.preventDefault();
		this.stop();
		if (link.getAttribute("aria-disabled") === "true")
			return;
		this.come(url.searchParams.get("view") ?? this.view, link);
		// A link of the views keeps the moment.
		this.setView(url.searchParams.get("view") ?? this.view,
			link.closest("#views") ? this.n : at);
	}

	// From far away one is led to the table.
	come(view, link)
	{
		const section = this.find("#moment");

		if (link.closest("#moment, #happened, #views"))
			return;
		section.focus({ preventScroll: true });
		section.scrollIntoView({ block: "start", behavior: "instant" });
	}

	// `#42`
	readHash()
	{
		const n = /^#([1-9][0-9]*)$/.exec(location.hash);

		if (n)
			this.goTo(Number(n[1]));
		return n !== null;
	}

	// ---- for a game that goes on

	// Lines that have come; who was at the end goes with them.
	append(lines)
	{
		const follows = this.n === this.timeline.length;

		this.timeline.append(lines);
		this.repaint();
		this.show(follows ? this.timeline.length : this.n);
	}
}

// Makes a page alive.  `container` has what referee/pages/game.c writes: #moment
// with .told, .felt and .controls, and the list .lines.  `at`: the line to begin
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

// Leads to a line of the page's game; false: it is not there yet.
export function goTo(line)
{
	page?.goTo(line);
	return page !== undefined;
}

async function start(section)
{
	const { game, root, view, at } = section.dataset;
	const asked = /^#([1-9][0-9]*)$/.exec(location.hash);

	try {
		page = await createReplay({
			container: section.closest(".replay"),
			id: game, root, view, at: Number(asked?.[1] ?? at),
		});
		createOpinions(page);
		restoreFocus();
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
