// referee/web/static/replay-faults.js - lists the faults of a game, and goes
// from one to the next.
import { make, makeButton } from "./elements.js";

const EVERY = "all"; // the value for all seats

export class Faults {
	constructor(replay)
	{
		this.replay = replay;
		this.all = []; // numbers of the faults' lines
		this.next = makeButton("Next fault", "f", () => this.go());
		// A seat's view has its own faults; other views have a choice of seats.
		this.mine = makeButton("My faults", null, () =>
			this.go(this.of(this.replay.viewer)));
		this.whose = make("select", { "aria-label": "Whose faults" });
		this.whose.addEventListener("change", () => this.go());
	}

	of(seat)
	{
		const { timeline } = this.replay;

		return this.all.filter((n) => timeline.line(n).seat === seat);
	}

	chosen()
	{
		return this.whose.hidden || this.whose.value === EVERY ? this.all :
			this.of(Number(this.whose.value));
	}

	// An open choice is not changed, unless its entries change.
	paintChoice()
	{
		const { replay, whose } = this;
		const { seats } = replay.timeline.table(replay.timeline.length);
		const before = whose.value;
		const options = [[EVERY, "Faults of all seats"],
			...seats.map(({ number, name }) => [String(number),
				`Faults of ${name}: ${this.of(number).length}`])];
		const key = JSON.stringify(options);

		if (key === this.key)
			return;
		this.key = key;
		whose.replaceChildren(...options.map(([value, text]) =>
			make("option", { value }, text)));
		if (options.some(([value]) => value === before))
			whose.value = before;
	}

	paint()
	{
		const { lines, timeline } = this.replay;

		this.all = timeline.all("fault");
		this.replay.find("#faults ul")?.replaceChildren(
			...this.all.map((n) => lines.draw(n)));
		this.next.disabled = this.all.length === 0;
		this.mine.hidden = this.replay.viewer < 0;
		this.mine.disabled = this.of(this.replay.viewer).length === 0;
		this.whose.hidden = !this.mine.hidden;
		this.whose.disabled = this.all.length === 0;
		this.paintChoice();
	}

	// Goes to the next fault after this moment, or to the first one again.
	go(numbers = this.chosen())
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
