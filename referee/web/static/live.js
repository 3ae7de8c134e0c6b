// referee/web/static/live.js - updates /live and /projector/LADDER. The large
// table follows one game line by line, as fast as people can read; quick games
// are shown to their ends although they are over.  Then the next one begins.
import { words } from "./elements.js";
import { fetchPage, listen, takeOver } from "./events.js";
import { applyFrame, fetchFrames, Timeline } from "./frames.js";
import { move } from "./motion.js";
import { drawTable } from "./table.js";
import { drawOptions } from "./table-options.js";
import { countDown, freshen, onTerm } from "./term.js";

const PUBLIC = -1;
const EMPTY = new Timeline().table(0);
const PAUSE_MS = 900; // pause after a line if there is time
const QUICK_MS = 60; // the shortest pause
const BEHIND_MS = 6000; // waiting lines are shown within this time
const QUEUE = 60; // the most waiting lines: earlier ones are skipped
const HOLD_MS = 5000; // after the end of a game
const LIST_MS = 3000; // least time between two lists
const LISTS_MS = 10000; // most time between two lists
const LEAST_ZOOM = 0.4;
const EDGE_PX = 60; // below a table
const FITS = 4; // tries to make a table fit
const TURN_MS = 15000; // how long a projector shows each table and the standings
const LADDERS = 7; // topics in addition to the game

const projector = document.documentElement.classList.contains("projector");

// ---- the large table ----------------------------------------------------------

class Board {
	constructor(section, ended)
	{
		this.section = section;
		this.ended = ended; // called when the last line has been shown for a while
		this.root = section.dataset.root;
		this.game = section.dataset.game;
		this.ladder = section.dataset.ladder;
		this.shown = Number(section.dataset.line ?? 0);
		this.begin();
	}

	begin()
	{
		this.state = EMPTY;
		this.line = 0;
		this.queue = [];
		this.over = false;
		this.drawn = false;
		this.zoom = 1;
		if (projector)
			this.fit(this.section.querySelector(".felt"));
	}

	// Takes in the lines that the page already has, and draws only the last table.
	take(lines)
	{
		for (const line of lines)
			if (this.line + this.queue.length < this.shown)
				this.apply(line);
			else
				this.queue.push(line);
		while (this.queue.length > QUEUE)
			this.apply(this.queue.shift());
		if (!this.drawn && this.line > 0 && this.line >= this.shown)
			this.paint();
		this.go();
	}

	apply(line)
	{
		this.state = applyFrame(this.state, line);
		this.line++;
	}

	again()
	{
		clearTimeout(this.timer);
		this.timer = undefined;
		this.shown = 0;
		this.begin();
	}

	end()
	{
		this.over = true;
		this.go();
	}

	// The game ended before it could be watched, so its record has the rest.
	async tellRest()
	{
		try {
			const lines = await fetchFrames(
				`${this.root}api/1/games/${this.game}/frames` +
				"?view=public");

			this.take(lines.slice(this.line + this.queue.length));
		} catch {
			// The record is not available.
		}
		this.end();
	}

	pause()
	{
		const ms = BEHIND_MS / (this.queue.length + 1);

		return Math.max(QUICK_MS, Math.min(PAUSE_MS, ms));
	}

	go()
	{
		if (this.timer !== undefined || this.closed)
			return;
		if (this.queue.length > 0) {
			this.draw(this.queue.shift());
			this.timer = setTimeout(() => this.next(), this.pause());
		} else if (this.over) {
			this.timer = setTimeout(() => this.ended(), HOLD_MS);
		}
	}

	next()
	{
		this.timer = undefined;
		this.go();
	}

	draw(line)
	{
		this.apply(line);
		if (line.marks?.includes("round"))
			this.zoom = 1;
		this.paint();
		this.section.querySelector(".told").textContent =
			words(line.sentence);
		this.section.dataset.line = String(this.line);
	}

	paint()
	{
		const felt = this.section.querySelector(".felt");
		const drawn = drawTable(this.state, PUBLIC);

		this.drawn = true;
		drawn.style.setProperty("zoom", String(this.zoom));
		move(felt, drawn);
		if (projector)
			this.fit(drawn);
	}

	// Makes a table small enough to be visible without scrolling.  It becomes
	// large again with the next round.
	fit(felt)
	{
		felt.style.setProperty("zoom", String(this.zoom));
		for (let i = 0; i < FITS; i++) {
			const { top, height } = felt.getBoundingClientRect();
			const room = innerHeight - top - EDGE_PX;

			if (height <= room || room <= 0)
				return;
			this.zoom = Math.max(LEAST_ZOOM,
				this.zoom * room / height);
			felt.style.setProperty("zoom", String(this.zoom));
		}
	}

	close()
	{
		this.closed = true;
		clearTimeout(this.timer);
	}
}

// ---- which game ---------------------------------------------------------------

const show = {
	board: null,
	stream: null,
	since: 0, // when the list was fetched
	timer: undefined,
	asked: 0, // tables asked for
};

function address(game)
{
	const here = location.pathname;

	return game ? `${here}?game=${game}` : here;
}

function ladders()
{
	return [...new Set([...document.querySelectorAll("[data-ladder]")].map(
		(one) => one.dataset.ladder))].slice(0, LADDERS);
}

function closeAll()
{
	show.board?.close();
	show.stream?.close();
	show.board = show.stream = null;
}

// Follows the game that the page shows.
function follow()
{
	const section = document.getElementById("table");
	const { root, game } = section.dataset;
	const all = ladders();

	closeAll();
	if (game)
		show.board = new Board(section, () => next());
	const board = show.board;
	const topics = [...game ? [`frames:${game}`] : [],
		...all.map((name) => `ladder:${name}`)];

	if (topics.length === 0) {
		later();
		return;
	}
	show.stream = listen(root, topics, {
		frames: (lines) => board?.take(lines),
		again: () => board?.again(),
		over: () => board?.end(),
		ladder: () => changed(),
		refused: () => {
			show.stream.close();
			board?.tellRest();
		},
	});
	if (!game)
		later();
}

// Looks later if there is a game to watch.
function later(game)
{
	clearTimeout(show.wait);
	show.wait = setTimeout(() => next(game), HOLD_MS);
}

// Goes to another game: the given one, or the server's choice.  Only the last
// call counts, whenever the answers come.
async function next(game)
{
	const asked = ++show.asked;

	clearTimeout(show.wait);
	show.board?.close(); // it would go to another game at its end
	try {
		const page = await fetchPage(address(game));

		if (asked !== show.asked)
			return;
		takeOver(page, "table");
		takeOver(page, "tables");
		takeOver(page, "standings");
		countDown();
		follow();
	} catch {
		if (asked === show.asked)
			later(game); // the server is away
	}
}

// ---- the list -----------------------------------------------------------------

function changed()
{
	if (projector || show.timer !== undefined)
		return;
	const wait = Math.max(0, show.since + LIST_MS - Date.now());

	show.timer = setTimeout(() => list(), wait);
}

// Fetches the list now and then, because points also change during games.
function keepListing()
{
	if (!document.hidden)
		changed();
}

async function list()
{
	show.since = Date.now();
	try {
		takeOver(await fetchPage(address(show.board?.game)), "tables");
		mark();
	} catch {
		// The list stays unchanged.
	}
	show.timer = undefined;
}

function mark()
{
	for (const link of document.querySelectorAll("#tables [data-game]"))
		if (link.dataset.game === show.board?.game)
			link.setAttribute("aria-current", "true");
		else
			link.removeAttribute("aria-current");
}

// Shows the table that was clicked.
async function choose(event)
{
	const link = event.target.closest?.("#tables a[data-game]");

	if (!link || event.button !== 0 || event.ctrlKey || event.metaKey ||
	    event.shiftKey || event.altKey)
		return;
	event.preventDefault();
	history.replaceState(null, "", link.href);
	await next(link.dataset.game);
	const title = document.getElementById("table-title");

	if (title !== null) {
		title.tabIndex = -1;
		title.focus({ preventScroll: true });
		title.scrollIntoView({ block: "nearest" });
	}
}

// ---- a projector --------------------------------------------------------------

// Returns the game that follows this one.
async function after(root, ladder, game)
{
	const answer = await fetch(`${root}api/1/ladders/${ladder}/running`);
	const all = (await answer.json()).games.filter((one) => !one.elsewhere)
		.map((one) => one.id);

	return all[(all.indexOf(game) + 1) % Math.max(1, all.length)];
}

function turn(what)
{
	document.documentElement.dataset.shows = what;
}

async function cycle()
{
	const table = document.getElementById("table");
	const ladder = decodeURIComponent(location.pathname.split("/").pop());

	if (document.documentElement.dataset.shows === "table" &&
	    document.querySelector("#standings tr") !== null) {
		turn("standings");
		return;
	}
	turn("table");
	try {
		await next(await after(table.dataset.root, ladder,
			show.board?.game));
	} catch {
		// The server is away.
	}
}

if (projector) {
	turn("table");
	// The dates stand beside a table that goes on.
	onTerm(() => freshen(address(show.board?.game), "standings"));
	setInterval(() => cycle(), TURN_MS);
} else {
	document.addEventListener("click", (event) => choose(event));
	document.querySelector("main").append(drawOptions());
	setInterval(() => keepListing(), LISTS_MS);
}
follow();
