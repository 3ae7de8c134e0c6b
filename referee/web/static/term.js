// referee/web/static/term.js - says how long it is until the dates of a ladder's term.
// The page has the dates; without scripts they stand alone.  While a date that was to
// come has passed, the document hears of it in a `term` event: what the page says is old.
const EACH_MS = 1000;
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

countDown();
setInterval(countDown, EACH_MS);
