// referee/serve/static/replay-faults.js - the faults of a game, and the way from one to
// the next.
import { makeButton } from "./elements.js";

export class Faults {
	constructor(replay)
	{
		this.replay = replay;
		this.all = []; // numbers of their lines
		this.next = makeButton("Next fault", "f", () => this.go());
		this.mine = makeButton("My faults", null, () =>
			this.go(this.own()));
	}

	own()
	{
		const { timeline, viewer } = this.replay;

		return this.all.filter((n) => timeline.line(n).seat === viewer);
	}

	paint()
	{
		const { lines, timeline } = this.replay;

		this.all = timeline.all("fault");
		this.replay.find("#faults ul")?.replaceChildren(
			...this.all.map((n) => lines.draw(n)));
		this.next.disabled = this.all.length === 0;
		this.mine.disabled = this.own().length === 0;
	}

	// To the next one after this moment, or the first one again.
	go(numbers = this.all)
	{
		const { replay } = this;
		const next = numbers.find((n) => n > replay.n) ?? numbers[0];

		if (next === undefined) {
			replay.announce("There is no fault.");
			return;
		}
		replay.goTo(next);
		replay.announce(`Fault ${numbers.indexOf(next) + 1} of ` +
			`${numbers.length}.`);
	}
}
