// referee/serve/static/replay-strip.js - a mark for each ask of a game: its height
// is the time that the bot thought, a cross above it a fault, a tick below it the
// beginning of a round.
import { make, makeSvg } from "./elements.js";

const HEIGHT = 44, TOP = 10, BASE = 36;
const LEAST = 4, MIDDLE = 12; // heights: of no time, and where none is known

function time(us)
{
	return us >= 1e6 ? `${(us / 1e6).toFixed(2)} s` :
		us >= 1e3 ? `${(us / 1e3).toFixed(1)} ms` : `${us} µs`;
}

function path(svg, name, d)
{
	const one = makeSvg("path", { class: name, d });

	svg.append(one);
	return one;
}

// What to draw of a timeline: {n, seat, us, fault} for each ask, by the lines if
// there are no asks.
export function marksOf(timeline, asks)
{
	const { lines } = timeline;
	let n = 1;

	if (asks.length === 0)
		return lines.flatMap((line, i) => {
			const fault = line.marks?.includes("fault");

			return fault || line.marks?.includes("move") ?
				[{ n: i + 1, seat: line.seat, fault }] : [];
		});
	// The field is 0 in each ask of a game without time banks.
	const banks = asks.some((ask) => ask.bank_ms > 0);

	// An ask is answered with the first line that comes behind it.
	return asks.map((ask) => {
		while (n > 1 && lines[n - 1].line > ask.line)
			n--;
		while (n < lines.length && lines[n - 1].line < ask.line)
			n++;
		return { n, seat: ask.seat, us: ask.us,
			bank: banks ? ask.bank_ms : undefined,
			fault: Boolean(ask.fault) };
	});
}

// An element; `go(n)` leads to a line.  draw(timeline, asks) fills it, now(n) says
// where one is.
export function createStrip(go)
{
	const svg = makeSvg("svg");
	const slider = make("div", { role: "slider", tabindex: "0",
		"aria-label": "Decisions" }, svg);
	const told = make("span", { class: "now" });
	const legend = make("span");
	const figure = make("figure", { class: "strip" }, slider,
		make("figcaption", {}, told, " ", legend));
	let timeline, marks = [], at = 0, needle, longest = 0;

	svg.setAttribute("aria-hidden", "true");

	const x = (i) => (i + 0.5) * svg.clientWidth / marks.length;

	function height(us)
	{
		return us === undefined ? MIDDLE : LEAST + (BASE - TOP - LEAST) *
			Math.log1p(us) / Math.log1p(Math.max(longest, 1));
	}

	function bars(wanted)
	{
		return marks.map((mark, i) => wanted(mark, i) ?
			`M${x(i).toFixed(1)} ${BASE}v-${height(mark.us).toFixed(1)}` :
			"").join("");
	}

	// Of the mark that is at line n or before it; the first one, if there is none.
	function indexOf(n)
	{
		let low = 0, high = marks.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (marks[middle].n <= n)
				low = middle + 1;
			else
				high = middle;
		}
		return Math.max(0, low - 1);
	}

	function paint()
	{
		const begins = (mark, i) => i > 0 &&
			timeline.round(mark.n) !== timeline.round(marks[i - 1].n);
		const each = (wanted, text) => marks.map((mark, i) =>
			wanted(mark, i) ? text(x(i).toFixed(1)) : "").join("");

		svg.replaceChildren();
		svg.setAttribute("viewBox", `0 0 ${svg.clientWidth || 1} ${HEIGHT}`);
		path(svg, "thought", bars((mark) => !mark.fault));
		path(svg, "fault", bars((mark) => mark.fault) +
			each((mark) => mark.fault,
				(at) => `M${at} 5m-3-3l6 6m0-6l-6 6`));
		path(svg, "tick", each(begins, (at) => `M${at} ${BASE + 1}v7`));
		needle = path(svg, "needle", "");
		now(at);
	}

	function now(n)
	{
		const i = indexOf(n), mark = marks[i];

		at = n;
		if (mark === undefined)
			return;
		const name = timeline.table(n).seats[mark.seat]?.name ?? "";

		needle?.setAttribute("d", `M${x(i).toFixed(1)} 0v${HEIGHT}`);
		const text = `Decision ${i + 1} of ${marks.length}: ${name}` +
			(mark.us === undefined ? "" : ` thought ${time(mark.us)}`) +
			(mark.bank === undefined ? "" :
				`, bank ${time(1000 * mark.bank)}`) +
			(mark.fault ? ", a fault" : "");

		slider.setAttribute("aria-valuenow", i + 1);
		slider.setAttribute("aria-valuetext", text);
		told.textContent = `${text}.`;
	}

	function draw(its, asks)
	{
		timeline = its;
		marks = marksOf(its, asks);
		longest = marks.reduce((most, mark) =>
			Math.max(most, mark.us ?? 0), 0);
		figure.hidden = marks.length === 0;
		slider.setAttribute("aria-valuemin", 1);
		slider.setAttribute("aria-valuemax", Math.max(1, marks.length));
		legend.textContent = [
			asks.length > 0 && "Higher is longer; the longest took " +
				`${time(longest)}.`,
			marks.some((mark) => mark.fault) && "× is a fault.",
			timeline.round(timeline.length) > 1 && "Ticks are rounds.",
		].filter(Boolean).join(" ");
		paint();
	}

	function press(event)
	{
		const box = svg.getBoundingClientRect();
		const part = (event.clientX - box.left) / box.width;
		const i = Math.floor(part * marks.length);

		go(marks[Math.min(Math.max(i, 0), marks.length - 1)].n);
	}

	slider.addEventListener("pointerdown", (event) => {
		slider.setPointerCapture(event.pointerId);
		press(event);
	});
	slider.addEventListener("pointermove", (event) => {
		if (slider.hasPointerCapture(event.pointerId))
			press(event);
	});
	slider.addEventListener("keydown", (event) => {
		const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1,
			ArrowUp: 1 }[event.key];
		const mark = marks[indexOf(at) + (step ?? 0)];

		if (!step || event.shiftKey || event.ctrlKey || event.altKey ||
		    event.metaKey)
			return;
		event.preventDefault();
		event.stopPropagation();
		if (mark)
			go(mark.n);
	});
	new ResizeObserver(() => timeline && paint()).observe(svg);
	return { element: figure, draw, now };
}
