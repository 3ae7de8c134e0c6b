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
		const { view } = replay;
		const seat = replay.viewer >= 0 ? replay.viewer : this.turn();

		if (back === null && !replay.views.has(String(seat))) {
			replay.announce("No hand can be seen here.");
			return;
		}
		// The view may be refused, or another one be chosen before it comes.
		if (!await replay.setView(back ?? String(seat)))
			return;
		this.back = back === null ? view : null;
		// They are all there, or only those until now.
		replay.lines.forget();
		replay.lines.show(replay.n);
		replay.announce(this.on ? `Only the hand of ${replay.nameOf(seat)}, and ` +
			"nothing that comes later. What would you do?" :
			"All that this view shows.");
		this.button.setAttribute("aria-pressed", String(this.on));
		document.body.classList.toggle("guessing", this.on);
	}
}
