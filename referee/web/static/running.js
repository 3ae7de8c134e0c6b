// referee/web/static/running.js - updates the page of a running game, a replay
// that gets new lines; after the game it becomes the page of its record, at the
// same moment.
import { fetchPage, listen } from "./events.js";
import { createReplay } from "./replay.js";
import { reloadPage, restorePage } from "./replay-focus.js";

const OVER_MS = 500; // between two requests for the record
const LOOKS = 60;
const RUNS = "This game runs now. What happens is shown as it comes.";

const section = document.querySelector("#moment[data-running]");

function tell(text)
{
	document.getElementById("running").textContent = text;
}

// The lines come from the events, not from a record.
class Running {
	constructor({ running, root, at, lines })
	{
		this.id = running;
		this.root = root;
		this.at = Number(at);
		this.shown = Number(lines); // lines that the page already has
		this.waiting = []; // lines that wait for the replay
		this.replay = null;
	}

	start()
	{
		this.stream = listen(this.root, [`frames:${this.id}`], {
			open: () => tell(RUNS),
			frames: (lines) => this.take(lines),
			again: () => reloadPage(),
			over: () => this.end(),
			refused: () => this.miss(),
		});
	}

	take(lines)
	{
		if (this.replay !== null) {
			this.replay.append(lines);
			return;
		}
		this.waiting.push(...lines);
		if (this.waiting.length >= this.shown && !this.begun)
			this.begin();
	}

	async begin()
	{
		const first = this.waiting.splice(0);

		this.begun = true;
		const replay = await createReplay({
			container: section.closest(".replay"),
			id: this.id,
			root: this.root,
			view: "public",
			at: this.at < this.shown ? this.at : 0,
			source: {
				frames: async () => first,
				asks: async () => [],
			},
		});

		this.replay = replay;
		restorePage();
		if (this.waiting.length > 0)
			replay.append(this.waiting.splice(0));
	}

	// Becomes the page of the record, at the same place; returns true if there is
	// one.
	async become()
	{
		const at = this.replay === null ? this.at : this.replay.n;
		const query = `?view=public&at=${at}`;
		const page = await fetchPage(query).catch(() => null);

		if (!page?.querySelector("#moment[data-game]"))
			return false;
		this.stream.close();
		history.replaceState(null, "", query);
		reloadPage();
		return true;
	}

	// There are too many watchers, or the game is gone: the stream tries again.
	miss()
	{
		tell("This game cannot be watched now.");
		this.become();
	}

	// Waits for the record, which exists soon after the end.
	async end(looks = LOOKS)
	{
		this.stream.close();
		tell("This game is over.");
		if (!await this.become() && looks > 0)
			setTimeout(() => this.end(looks - 1), OVER_MS);
	}
}

if (section)
	new Running(section.dataset).start();
