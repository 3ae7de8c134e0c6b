// referee/web/static/ladder.js - updates the standings of a ladder: after a
// rated game it fetches the page again, and each row glides to its new place.
// The address keeps the order and the place of the page.
import { make } from "./elements.js";
import { fetchPage, listen, takeOver } from "./events.js";
import { countDown, onTerm, termOf } from "./term.js";

const GLIDE_MS = 700;
const LEAST_MS = 1000; // between two fetches
const AGAIN_MS = 10000; // after a fetch that failed
const SHARE = 4; // fetching takes at most a quarter of the time
const SAY_MS = 20000; // between two sentences for screen readers

const facts = document.getElementById("facts");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const now = {
	rated: -1,
	fits: -1,
	free: 0, // when the next fetch may begin
	timer: undefined,
	said: 0,
};

function rows()
{
	const all = new Map();

	for (const row of document.querySelectorAll(".standings tbody tr"))
		all.set(row.querySelector("th bdi").textContent, row);
	return all;
}

function places()
{
	const all = new Map();

	for (const [name, row] of rows())
		all.set(name, row.getBoundingClientRect().top);
	return all;
}

// ---- rows that move -----------------------------------------------------------

function glide(before)
{
	if (still.matches)
		return;
	for (const [name, row] of rows()) {
		const from = before.get(name);
		const by = from - row.getBoundingClientRect().top;

		if (from === undefined)
			row.animate([{ opacity: 0 }, { opacity: 1 }], GLIDE_MS);
		else if (Math.abs(by) > 1)
			row.animate([{ transform: `translateY(${by}px)` },
				{ transform: "none" }],
			{ duration: GLIDE_MS, easing: "ease-in-out" });
	}
}

// Only the leader is read out, and not often.
function announce(leader)
{
	const first = document.querySelector(".standings tbody th a");
	const status = document.getElementById("leads");

	if (first === null || first.textContent === leader ||
	    new URLSearchParams(location.search).has("sort") ||
	    Date.now() - now.said < SAY_MS)
		return;
	now.said = Date.now();
	status.textContent = `${first.textContent} leads now.`;
}

function put(page)
{
	if (termOf(page) !== termOf(document)) {
		takeOver(page, "main");
		countDown();
		return;
	}
	document.getElementById("why").replaceWith(
		document.importNode(page.getElementById("why"), true));
	const body = document.querySelector(".standings tbody");
	const next = page.querySelector(".standings tbody");

	if (body === null || next === null) {
		// This is after the first rated game, or after the last bot has left.
		if (next !== body)
			takeOver(page, "main");
		return;
	}
	const before = places();
	const leader = body.querySelector("th a")?.textContent;
	const focus = document.activeElement;
	const href = body.contains(focus) ? focus.getAttribute("href") : null;

	const unfolded = new Set([...body.querySelectorAll("details[open]")]
		.map((one) => one.closest("tr").querySelector("bdi").textContent));

	body.replaceWith(document.importNode(next, true));
	for (const [name, row] of rows())
		row.querySelector("details")
			?.toggleAttribute("open", unfolded.has(name));
	document.getElementById("notes").replaceWith(
		document.importNode(page.getElementById("notes"), true));
	if (href !== null)
		[...document.querySelectorAll(".standings tbody a")].find((link) =>
			link.getAttribute("href") === href)
			?.focus({ preventScroll: true });
	glide(before);
	announce(leader);
}

// ---- when ---------------------------------------------------------------------

async function load()
{
	const begun = performance.now();
	let least = LEAST_MS;

	try {
		put(await fetchPage(location.href));
	} catch {
		least = AGAIN_MS;
		now.changed = true;
	}
	const took = performance.now() - begun;

	now.free = performance.now() + Math.max(least - took, (SHARE - 1) * took);
	now.timer = undefined;
	if (now.changed)
		wait();
}

function wait()
{
	now.changed = now.timer !== undefined;
	if (now.changed)
		return;
	now.timer = setTimeout(() => load(),
		Math.max(0, now.free - performance.now()));
}

function fact(what, number)
{
	const found = document.querySelector(`#facts [data-fact="${what}"]`);

	if (found !== null)
		found.textContent = String(number);
}

if (facts !== null) {
	const { root, ladder } = facts.dataset;
	const status = make("p", { id: "leads", class: "sr", role: "status" });

	document.querySelector("main").after(status);
	onTerm(wait);
	listen(root, [`ladder:${ladder}`], {
		ladder(change) {
			fact("running", change.games_running);
			fact("sitting", change.bots_sitting);
			if (change.games_rated !== now.rated ||
			    change.fits !== now.fits)
				wait();
			now.rated = change.games_rated;
			now.fits = change.fits;
		},
	});
}
