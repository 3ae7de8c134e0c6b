// referee/web/static/replay-lines.js - the list of lines of a replay: those of
// the round, or those with the searched words.
import { make, words } from "./elements.js";

const FOUND_MAX = 500; // lines that a filter shows

// Decodes a percent-encoded remark of a bot.
function decode(said)
{
	const bytes = [];

	for (let i = 0; i < said.length; i++) {
		const hex = /^%[0-9A-Fa-f]{2}/.test(said.slice(i, i + 3));

		bytes.push(hex ? parseInt(said.slice(i + 1, i + 3), 16) :
			said.charCodeAt(i));
		i += hex ? 2 : 0;
	}
	return new TextDecoder().decode(new Uint8Array(bytes));
}

// Replaces control characters as the server does.
function clean(text)
{
	return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, "\ufffd");
}

function quote(text)
{
	return make("q", { dir: "auto" }, clean(text));
}

export class Lines {
	constructor(replay)
	{
		this.replay = replay;
		this.filter = "";
		this.items = new Map(); // by line
		this.round = undefined; // the listed round
		this.search = make("input", { type: "search",
			"aria-keyshortcuts": "/", autocomplete: "off" });
		this.count = make("span", { role: "status", class: "soft" });
		this.equip();
	}

	get list()
	{
		return this.replay.find("ol.lines");
	}

	equip()
	{
		this.search.addEventListener("input", () =>
			this.setFilter(this.search.value));
		this.search.addEventListener("keydown", (event) => {
			if (event.key !== "Escape")
				return;
			event.preventDefault();
			this.search.value = "";
			this.setFilter("");
			this.replay.find("#moment").focus({ preventScroll: true });
		});
		this.list.before(make("p", { class: "filter" },
			make("label", {}, "Only lines with ", this.search), " ",
			this.count));
	}

	setFilter(text)
	{
		this.filter = words(text.trim().toLowerCase());
		this.paint();
		this.paintCurrent(this.replay.n);
	}

	// ---- which lines

	// Returns the lines to list, without those that the user has to guess.
	listed()
	{
		const { timeline, n: now, guess } = this.replay;
		const end = guess.on ? now : timeline.length;
		const numbers = [];

		if (this.filter === "") {
			const after = timeline.after(now) || timeline.length + 1;

			for (let n = timeline.first(now); n < after && n <= end; n++)
				numbers.push(n);
			return numbers;
		}
		for (let n = 1; n <= end && numbers.length < FOUND_MAX; n++)
			if (this.textOf(n).includes(this.filter))
				numbers.push(n);
		return numbers;
	}

	textOf(n)
	{
		const { sentence, said, remarks } = this.replay.timeline.line(n);

		return [words(sentence), said && decode(said),
			...(remarks ?? []).map((one) => one.text)]
			.join(" ").toLowerCase();
	}

	// ---- as the server writes them

	draw(n, now = false)
	{
		const { replay } = this;
		const line = replay.timeline.line(n);
		const item = make("li", {
			class: line.marks?.includes("fault") ? "fault" : null,
			"aria-current": now ? "step" : null,
		}, make("a", { href: replay.href(n) }, words(line.sentence)));

		if (line.said !== undefined)
			item.append(" It had sent: ", quote(decode(line.said)));
		for (const { seat, text } of line.remarks ?? [])
			item.append(make("p", { class: "remark" },
				make("bdi", {}, replay.nameOf(seat)), " says: ",
				quote(text)));
		return item;
	}

	paint()
	{
		const { list } = this;
		const { n: now, timeline } = this.replay;
		const focused = list.contains(document.activeElement);
		const numbers = this.listed();

		this.round = timeline.round(now);
		list.setAttribute("start", numbers[0] ?? 1);
		list.replaceChildren(...numbers.map((n) => {
			const item = this.draw(n, n === now);

			if (this.filter !== "")
				item.value = n;
			return item;
		}));
		this.items = new Map(numbers.map((n, i) => [n, list.children[i]]));
		this.count.textContent = this.filter === "" ? "" :
			`${numbers.length === FOUND_MAX ? "the first " : ""}` +
			`${numbers.length} lines`;
		if (focused)
			this.items.get(now)?.querySelector("a").focus(
				{ preventScroll: true });
	}

	// Returns true if line n is listed, but was scrolled out of sight.
	isAway(n)
	{
		const item = this.items.get(n)?.getBoundingClientRect();
		const box = this.list.getBoundingClientRect();

		return item !== undefined && box.height > 0 &&
			(item.bottom <= box.top || item.top >= box.bottom);
	}

	paintCurrent(before, stays = false)
	{
		const { list } = this;
		const item = this.items.get(this.replay.n);

		this.items.get(before)?.removeAttribute("aria-current");
		item?.setAttribute("aria-current", "step");
		// Only the list scrolls, never the page.
		if (!stays && item && list.scrollHeight > list.clientHeight)
			list.scrollTop += item.getBoundingClientRect().top -
				list.getBoundingClientRect().top -
				list.clientHeight / 2;
	}

	// Shows the present moment; the one before was at line `before`.  The list
	// scrolls to it unless it stays where it is read.
	show(before, stays)
	{
		const { guess, n, timeline } = this.replay;

		if (guess.on || (this.filter === "" &&
		    this.round !== timeline.round(n)) || this.round === undefined)
			this.paint();
		this.paintCurrent(before, stays);
	}

	// Forgets the items, because lines have come or the view has changed.
	forget()
	{
		this.round = undefined;
	}
}
