// referee/web/static/replay-tools.js - the buttons of a replay, and its keys.
import { make, makeButton } from "./elements.js";
import { copyMoment } from "./replay-copy.js";
import { createHelp, onKeys, onSwipe, onWheel } from "./replay-keys.js";
import { PAUSES } from "./replay-play.js";
import { drawOptions } from "./table-options.js";

// Adds the controls that need a script to the page.
export function equipTools(replay)
{
	const { container, controls, faults, guess, player, steps, views } = replay;
	const help = createHelp();

	replay.find(".told").setAttribute("aria-live", "polite");
	steps.list.append(make("li", {}, player.button));
	controls.after(make("div", { class: "tools", role: "group",
		"aria-label": "Replay" }, player.speeds, guess.button,
	faults.next, faults.mine, faults.whose,
	makeButton("Next view", "v", () => views.next()),
	makeButton("Copy position", "c", () => copyMoment(replay)),
	makeButton("Keys", "?", () => help.showModal())), replay.status);
	document.body.append(help);
	container.append(drawOptions());
	container.classList.add("alive");
	listenKeys(replay, help);
}

function listenKeys(replay, help)
{
	const { faults, guess, lines, player, views } = replay;

	onKeys({
		ArrowLeft: () => replay.step(-1),
		ArrowRight: () => replay.step(1),
		"Shift+ArrowLeft": () => replay.roundStep(-1),
		"Shift+ArrowRight": () => replay.roundStep(1),
		",": () => replay.line(-1),
		".": () => replay.line(1),
		Home: () => replay.goTo(1),
		End: () => replay.goTo(replay.timeline.length),
		" ": () => player.toggle(),
		...Object.fromEntries(PAUSES.map((_, i) =>
			[String(i + 1), () => player.setSpeed(i + 1)])),
		v: () => views.next(),
		h: () => guess.toggle(),
		f: () => faults.go(),
		c: () => copyMoment(replay),
		"/": () => lines.search.focus(),
		"?": () => help.showModal(),
	});
	const section = replay.find("#moment");

	// Returns true if there was a step to make.
	const step = (by) => {
		const there = replay.timeline.stop(replay.n, by) > 0;

		if (there)
			replay.step(by);
		return there;
	};

	section.tabIndex = -1;
	onWheel(section, ".felt", step);
	onSwipe(section, ".felt", step);
}
