// referee/web/static/replay-links.js - the addresses of a replay's moments:
// links, `#42`, and the browser's address.

const ADDRESS_MS = 200; // browsers refuse addresses that change too often

// Goes to a moment, and scrolls to the table if that is far away.
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

// Returns the line in the fragment of the address; 0: there is none.
export function hashLine()
{
	return Number(/^#([1-9][0-9]*)$/.exec(location.hash)?.[1] ?? 0);
}

// Does the same, or takes the line in the query.
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

// Returns a function that soon updates the address to the replay's moment.
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
