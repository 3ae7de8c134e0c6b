// referee/web/static/replay-play.js - plays a replay automatically.
import { make, makeButton } from "./elements.js";

export const PAUSES = [2400, 1200, 600, 300, 120]; // between two steps, in ms

export class Player {
	constructor(replay)
	{
		this.replay = replay;
		this.speed = 3;
		this.timer = undefined; // while it plays
		this.button = makeButton("", "Space", () => this.toggle(),
			{ class: "play" });
		this.speeds = make("select", { "aria-label": "Speed" },
			...PAUSES.map((_, i) => make("option", { value: i + 1,
				selected: i + 1 === this.speed ? "" : null },
			`speed ${i + 1}`)));
		this.speeds.addEventListener("change", () =>
			this.setSpeed(Number(this.speeds.value)));
		this.tell("▶", "Play");
	}

	// The pause between two steps; undefined: it does not play.
	get pause()
	{
		return this.timer && PAUSES[this.speed - 1];
	}

	toggle()
	{
		const { replay } = this;

		if (this.timer) {
			this.stop();
			replay.announce("Stopped.");
			return;
		}
		if (replay.n >= replay.timeline.length)
			replay.show(1);
		replay.announce(`Playing, speed ${this.speed} of ${PAUSES.length}.`);
		this.tell("❚❚", "Stop");
		this.wait();
	}

	// Steps that are too fast are not read out.
	wait()
	{
		const { replay } = this;

		replay.find(".told").setAttribute("aria-live",
			this.speed > 2 ? "off" : "polite");
		this.timer = setTimeout(() => {
			const next = replay.timeline.stop(replay.n, 1);

			if (next === 0) {
				this.stop();
				replay.announce("This is the end.");
				return;
			}
			replay.show(next);
			this.wait();
		}, PAUSES[this.speed - 1]);
	}

	stop()
	{
		clearTimeout(this.timer);
		this.timer = undefined;
		this.tell("▶", "Play");
		this.replay.find(".told").setAttribute("aria-live", "polite");
	}

	tell(sign, text)
	{
		this.button.replaceChildren(
			make("span", { "aria-hidden": "true" }, sign),
			make("span", { class: "label" }, text));
	}

	setSpeed(speed)
	{
		this.speed = speed;
		this.speeds.value = String(speed);
		this.replay.announce(`Speed ${speed} of ${PAUSES.length}.`);
	}
}
