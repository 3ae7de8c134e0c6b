// referee/web/static/term.js - says how long it is until the dates of a ladder's term.
// The page has the dates; without scripts they stand alone.  While a date that was to
// come has passed, the document hears of it in a `term` event: what the page says is old.
// The first page, which has no other script, then fetches its ladders again.
import { fetchPage, takeOver } from "./events.js";

const EACH_MS = 1000;
const ASK_MS = 2000; // most time until a page asks what a date has changed; doubled up to
const ASK_MAX_MS = 60000;
const UNITS = [
	["day", 86400],
	["hour", 3600],
	["minute", 60],
	["second", 1],
];

// The unit is the largest of which at least two are left.
function words(seconds)
{
	const [unit, long] = UNITS.find(([, size]) => seconds >= 2 * size) ??
		UNITS.at(-1);
	const count = Math.floor(seconds / long);

	return `in ${count} ${unit}${count === 1 ? "" : "s"}`;
}

// Says it now, for a part of a page that has just come.
export function countDown()
{
	let passed = false;

	for (const time of document.querySelectorAll("time.until")) {
		const left = (Date.parse(time.dateTime) - Date.now()) / 1000;

		time.dataset.date ??= time.textContent;
		const text = left < 1 ? time.dataset.date
			: `${time.dataset.date} (${words(left)})`;

		if (time.textContent !== text)
			time.textContent = text;
		passed ||= left < 0;
	}
	if (passed)
		document.dispatchEvent(new Event("term"));
}

// Returns what a page says about terms, without the time that is left.
export function termOf(page)
{
	return [...page.querySelectorAll(".term")].map((one) => {
		const term = one.cloneNode(true);

		for (const time of term.querySelectorAll("time"))
			time.textContent = time.dateTime;
		return term.textContent;
	}).join("\n");
}

// Calls load() after a date has passed, until the page says something else.  Many pages
// are open then, and the server's clock may be another one.
export function onTerm(load)
{
	let timer, ms = ASK_MS, said = termOf(document);

	document.addEventListener("term", () => {
		if (timer !== undefined)
			return;
		const says = termOf(document);

		if (says !== said)
			ms = ASK_MS;
		said = says;
		timer = setTimeout(() => {
			timer = undefined;
			load();
		}, ms * (1 + Math.random()) / 2);
		ms = Math.min(2 * ms, ASK_MAX_MS);
	});
}

// Fetches a part of the page again.
export async function freshen(url, id)
{
	try {
		takeOver(await fetchPage(url), id);
		countDown();
	} catch {
		// The server is away.
	}
}

if (document.getElementById("ladders"))
	onTerm(() => freshen(location.href, "ladders"));
countDown();
setInterval(countDown, EACH_MS);
