// referee/web/static/replay-guess.js - does "What would you do?": it shows only
// one hand, and nothing that comes later.
import { makeButton } from "./elements.js";
import { marked } from "./frames.js";

export class Guess {
	constructor(replay)
	{
		this.replay = replay;
		this.back = null; // the view to return to, while a hand is guessed
		this.button = makeButton("What would you do?", "h",
			() => this.toggle(), { "aria-pressed": "false" });
	}

	get on()
	{
		return this.back !== null;
	}

	// Returns the seat of the next decision.
	turn()
	{
		const { n, timeline } = this.replay;
		const next = timeline.find(n, 1, (at) =>
			marked(timeline.line(at), "move"));

		return timeline.line(next || n)?.seat;
	}

	async toggle()
	{
		const { replay, back } = this;
		const seat = replay.viewer >= 0 ? replay.viewer : this.turn();

		if (back !== null) {
			this.back = null;
			await replay.setView(back);
			replay.announce("All that this view shows.");
		} else if (replay.views.has(String(seat))) {
			this.back = replay.view;
			await replay.setView(String(seat));
			replay.announce(
				`Only the hand of ${replay.nameOf(seat)}, and ` +
				"nothing that comes later. What would you do?");
		} else {
			replay.announce("No hand can be seen here.");
		}
		this.button.setAttribute("aria-pressed", String(this.on));
		document.body.classList.toggle("guessing", this.on);
	}
}
