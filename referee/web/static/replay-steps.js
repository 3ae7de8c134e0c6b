// referee/web/static/replay-steps.js - updates the links that lead from moment
// to moment.
import { make } from "./elements.js";

const STEPS = [["first", "\u21e4", "First"], ["round-back", "\u00ab", "Round before"],
	["back", "\u2039", "Back"], ["on", "\u203a", "On"],
	["round-on", "\u00bb", "Next round"], ["last", "\u21e5", "Last"]];

export class Steps {
	constructor(replay)
	{
		this.replay = replay;
		this.links = STEPS.map(([name, sign, text]) =>
			make("a", { class: name, href: "" },
				make("span", { "aria-hidden": "true" }, sign),
				make("span", { class: "label" }, text)));
		this.list = make("ul", { class: "steps" },
			...this.links.map((link) => make("li", {}, link)));
		this.nav = make("nav", { "aria-label": "Moments" }, this.list);
	}

	// A step without a target stays in its place, so that it does not lose the
	// focus.
	paint()
	{
		const { timeline, n } = this.replay;
		const steps = [1, timeline.roundBack(n), timeline.stop(n, -1),
			timeline.stop(n, 1), timeline.after(n), timeline.length];

		steps.forEach((to, i) => {
			const link = this.links[i];
			const there = to > 0 && to !== n;

			link.setAttribute("href", this.replay.href(there ? to : n));
			if (there)
				link.removeAttribute("aria-disabled");
			else
				link.setAttribute("aria-disabled", "true");
		});
	}
}
