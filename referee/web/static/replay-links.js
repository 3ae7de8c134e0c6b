// referee/web/static/replay-links.js - addresses of a replay's moments: links that
// lead there, `#42`, and what the browser shows.

const ADDRESS_MS = 200; // browsers refuse addresses that change too often

// From far away one is led to the table.
function come(replay, link)
{
	const section = replay.find("#moment");

	if (link.closest("#moment, #happened, #views"))
		return;
	section.focus({ preventScroll: true });
	section.scrollIntoView({ block: "start", behavior: "instant" });
}

// A link to a moment of this game leads there without a new page.
function follow(replay, event)
{
	const link = event.target.closest?.("a[href]");

	if (!link || event.button !== 0 || event.ctrlKey || event.metaKey ||
	    event.shiftKey || event.altKey || link.hasAttribute("download"))
		return;
	const url = new URL(link.href);
	const at = Number(url.searchParams.get("at"));

	if (url.pathname !== location.pathname || !(at >= 1))
		return;
	event.preventDefault();
	replay.player.stop();
	if (link.getAttribute("aria-disabled") === "true")
		return;
	come(replay, link);
	// A link of the views keeps the moment.
	replay.setView(url.searchParams.get("view") ?? replay.view,
		link.closest("#views") ? replay.n : at);
}

// The line that the address names; 0: it names none.
export function hashLine()
{
	return Number(/^#([1-9][0-9]*)$/.exec(location.hash)?.[1] ?? 0);
}

// Does the same, or goes by its query.
export function addressLine()
{
	return hashLine() ||
		Number(new URLSearchParams(location.search).get("at"));
}

export function followLinks(replay)
{
	document.addEventListener("click", (event) => follow(replay, event));
	addEventListener("hashchange", () => {
		if (hashLine() > 0)
			replay.goTo(hashLine());
	});
}

// Returns a function that has the address say where the replay is, soon.
export function createAddress(replay)
{
	let writing;

	return () => {
		writing ??= setTimeout(() => {
			writing = undefined;
			history.replaceState(null, "",
				`?view=${replay.view}&at=${replay.n}`);
		}, ADDRESS_MS);
	};
}
