// referee/web/static/bot.js - keeps a bot's page up to date: when games were rated on its
// ladders, or its author has changed it, it fetches what all may see again.
import { fetchPage, listen, takeOver } from "./events.js";

const EACH_MS = 10000; // the least time between two fetches: the page reads many records
const TOPICS = 8; // of one stream of events
const now = { free: 0, timer: undefined, seen: new Map() };

// Fetches what is so now.
export async function freshen()
{
	clearTimeout(now.timer);
	now.timer = undefined;
	now.free = performance.now() + EACH_MS;
	try {
		takeOver(await fetchPage(location.href), "now");
	} catch {
		now.timer ??= setTimeout(freshen, EACH_MS);
	}
}

const { root, ladders } = document.getElementById("now").dataset;

if (ladders !== "")
	listen(root, ladders.split(" ").slice(0, TOPICS).map((name) => `ladder:${name}`), {
		ladder({ ladder, games_rated: rated, fits }) {
			const before = now.seen.get(ladder);

			now.seen.set(ladder, `${rated} ${fits}`);
			if (before === undefined || before === now.seen.get(ladder))
				return;
			now.timer ??= setTimeout(freshen,
				Math.max(0, now.free - performance.now()));
		},
	});
