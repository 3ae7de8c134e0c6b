// referee/web/static/replay-views.js - lists the views of a replay, and changes
// between them.
import { make } from "./elements.js";

export class Views {
	constructor(replay)
	{
		this.replay = replay;
		this.asked = 0; // the last request wins
	}

	links()
	{
		return [...document.querySelectorAll("#views a")];
	}

	has(view)
	{
		return this.links().some((one) => one.dataset.view === view);
	}

	// Promises true if the view is shown.
	async set(view, n)
	{
		const { replay } = this;
		const asked = ++this.asked;

		try {
			await replay.load(view);
		} catch (error) {
			if (asked === this.asked)
				replay.announce("This view cannot be shown: " +
					error.message);
			return false;
		}
		if (asked !== this.asked)
			return false;
		replay.announce("");
		replay.view = view;
		this.tell();
		replay.repaint();
		replay.show(n);
		return true;
	}

	next()
	{
		const { replay } = this;
		const links = this.links();
		const at = links.findIndex((one) =>
			one.dataset.view === replay.view);
		const next = links[(at + 1) % links.length];

		if (next === undefined) {
			replay.announce("There is no other view.");
			return;
		}
		this.set(next.dataset.view, replay.n).then((shown) => {
			if (shown)
				replay.announce(next.textContent);
		});
	}

	tell()
	{
		const { replay } = this;
		const note = replay.find("#view-note");

		for (const link of this.links())
			if (link.dataset.view === replay.view)
				link.setAttribute("aria-current", "true");
			else
				link.removeAttribute("aria-current");
		if (replay.view === "all")
			note?.replaceChildren("You see all cards.");
		else if (replay.view === "public")
			note?.replaceChildren(
				"You see what everyone at the table saw.");
		else
			note?.replaceChildren("You see what this seat saw: ",
				make("bdi", {}, replay.nameOf(replay.viewer)), ".");
	}

	// The links lead to the same moment.
	paint()
	{
		const { replay } = this;

		for (const link of this.links())
			link.setAttribute("href",
				replay.href(replay.n, link.dataset.view));
	}

	// Offers the views that the tokens of these bots open.
	async offer(names)
	{
		const { replay } = this;
		const list = replay.find("#views ul");

		for (const { view, text } of
			await replay.source.views?.(names) ?? [])
			if (!this.has(view))
				list?.append(make("li", {}, make("a", {
					"data-view": view,
					href: replay.href(replay.n, view) }, text)));
	}
}
