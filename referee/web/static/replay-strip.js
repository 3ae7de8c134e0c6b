// referee/web/static/replay-strip.js - draws a mark for each ask of a game; its
// height shows the thinking time.  A dot above it is a fault, a dot below it
// standard error, a tick below it the beginning of a round, and a needle the
// present moment.
import { make, makeSvg } from "./elements.js";
import { marked, Timeline } from "./frames.js";
import { timeText } from "./replay-text.js";

const HEIGHT = 44, TOP = 10, BASE = 36, DOT = 5, WROTE = 40;
const LEAST = 4, MIDDLE = 12; // heights for no time and for an unknown one

// ---- the marks ----------------------------------------------------------------

// Returns the marks of a timeline: {n, seat, us, bank, fault, wrote} for each
// ask, made from the lines if there are no asks.  `bank` is in milliseconds,
// `wrote` in bytes.
function marksOf(timeline, asks)
{
	const { lines } = timeline;
	let n = 1;

	if (asks.length === 0)
		return lines.flatMap((line, i) => {
			const fault = marked(line, "fault");

			return fault || marked(line, "move") ?
				[{ n: i + 1, seat: line.seat, fault }] : [];
		});
	// The field is 0 in each ask of a game without time banks.
	const banks = asks.some((ask) => ask.bank_ms > 0);

	// An ask is answered by the first line after it.
	return asks.map((ask) => {
		while (n < lines.length && lines[n - 1].line < ask.line)
			n++;
		return { n, seat: ask.seat, us: ask.us,
			bank: banks ? ask.bank_ms : undefined,
			fault: Boolean(ask.fault), wrote: ask.wrote ?? 0 };
	});
}

// Returns the index of the last mark at line n or before it; -1: there is none.
function indexOf(marks, n)
{
	let low = 0, high = marks.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (marks[middle].n <= n)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

// Returns true for a line that ends a decision, as referee/pages/decision.c does.
function isResult(line)
{
	return marked(line, "move") || marked(line, "fault") ||
		line?.event === "quiet";
}

// Finds the decision at line n by the rule of referee/pages/decision.h: a line
// before a move belongs to that move's decision.  Returns {i, when}; `when` is
// "" at a decision, else "Before" or "After", because one seat's asks do not say
// when the others decide.
function placeOf({ timeline, marks, alone }, n)
{
	const i = indexOf(marks, n), next = indexOf(marks, n + 1);
	const ended = (at) => isResult(timeline.line(at)) &&
		timeline.line(at).seat !== marks[i].seat;

	if (next > i && !isResult(timeline.line(n)))
		return { i: next, when: "" };
	if (i < 0)
		return { i, when: "Before" };
	const last = isResult(timeline.line(n)) ? n : n + 1;

	for (let at = marks[i].n + 1; alone && at <= last; at++)
		if (ended(at))
			return { i, when: "After" };
	return { i, when: "" };
}

// ---- the picture --------------------------------------------------------------

// Replaces the logarithm; the C code computes the same number to the last bit.
function scale(us)
{
	let part = us + 1, power = 0;

	while (part >= 2) {
		part /= 2;
		power++;
	}
	return power + part - 1;
}

function heightOf({ us }, longest)
{
	return us === undefined ? MIDDLE : LEAST + Math.floor(
		(BASE - TOP - LEAST) * scale(us) / scale(Math.max(longest, 1)));
}

// Draws `line(mark)`, which ends where it begins, at each wanted mark, `y`
// down.
function drawPath(name, marks, y, wanted, line)
{
	let d = "", from = 0;

	marks.forEach((mark, i) => {
		if (!wanted(mark, i))
			return;
		d += `${d === "" ? `M0.5 ${y}` : ""}m${i - from} 0${line(mark)}`;
		from = i;
	});
	return makeSvg("path", { class: name, d });
}

function needle(i)
{
	return `M${i}.5 0v${HEIGHT}`;
}

function drawPicture({ timeline, marks, longest })
{
	const bar = (mark) => {
		const up = heightOf(mark, longest);

		return `v-${up}m0 ${up}`;
	};
	const begins = (mark, i) => i > 0 &&
		timeline.round(mark.n) !== timeline.round(marks[i - 1].n);
	const down = HEIGHT - BASE - 1;

	return makeSvg("svg", {
		viewBox: `0 0 ${Math.max(marks.length, 1)} ${HEIGHT}`,
		preserveAspectRatio: "none", "aria-hidden": "true" },
	drawPath("thought", marks, BASE, (mark) => !mark.fault, bar),
	drawPath("fault", marks, BASE, (mark) => mark.fault, bar),
	drawPath("dot", marks, DOT, (mark) => mark.fault, () => "h0"),
	drawPath("tick", marks, BASE + 1, begins,
		() => `v${down}m0 -${down}`),
	drawPath("wrote", marks, WROTE, (mark) => mark.wrote > 0, () => "h0"),
	makeSvg("path", { class: "needle" }));
}

// ---- the words ----------------------------------------------------------------

function tellMark({ timeline, marks }, { i, when })
{
	const number = `ecision ${Math.max(i, 0) + 1} of ${marks.length}`;

	if (i < 0)
		return `${when} d${number}`;
	const { n, seat, us, bank, fault, wrote } = marks[i];
	const name = timeline.table(n).seats[seat]?.name ?? "";

	return `${when === "" ? "D" : `${when} d`}${number}: ${name}` +
		(us === undefined ? "" : ` thought ${timeText(us)}`) +
		(bank === undefined ? "" : `, bank ${timeText(1000 * bank)}`) +
		(fault ? ", a fault" : "") +
		(wrote > 0 ? ", wrote to standard error" : "");
}

function tellLegend({ timeline, marks, asks, longest })
{
	return (asks.length === 0 ? "" :
		` Higher is longer; the longest took ${timeText(longest)}.`) +
		(marks.some((mark) => mark.fault) ?
			" A dot above is a fault." : "") +
		(marks.some((mark) => mark.wrote > 0) ?
			" A dot below is standard error." : "") +
		(timeline.round(timeline.length) > 1 ? " Ticks are rounds." : "");
}

// ---- all of it ----------------------------------------------------------------

function read(timeline, asks)
{
	const marks = marksOf(timeline, asks);

	return { timeline, asks, marks,
		alone: asks.length > 0 &&
			marks.every(({ seat }) => seat === marks[0].seat),
		longest: marks.reduce((most, mark) =>
			Math.max(most, mark.us ?? 0), 0) };
}

// Returns {figure, draw, now}: draw(timeline, asks, n) fills the figure, now(n)
// sets the present moment.  `go(n)` goes to a line.
export function createStrip(go)
{
	const slider = make("div", { role: "slider", tabindex: "0",
		"aria-label": "Decisions", "aria-valuemin": "1" });
	const told = make("span", { class: "now" }), legend = make("span");
	const figure = make("figure", { class: "strip", hidden: "" }, slider,
		make("figcaption", {}, told, legend));
	let strip = read(new Timeline(), []), at = 0;

	function tell()
	{
		const place = placeOf(strip, at), i = Math.max(place.i, 0);
		const text = tellMark(strip, place);

		slider.setAttribute("aria-valuenow", i + 1);
		slider.setAttribute("aria-valuetext", text);
		figure.querySelector(".needle").setAttribute("d", needle(i));
		told.textContent = `${text}.`;
	}

	function now(n)
	{
		at = n;
		if (strip.marks.length > 0)
			tell();
	}

	function draw(timeline, asks, n)
	{
		strip = read(timeline, asks);
		slider.replaceChildren(drawPicture(strip));
		legend.textContent = tellLegend(strip);
		figure.hidden = strip.marks.length === 0;
		slider.setAttribute("aria-valuemax",
			Math.max(1, strip.marks.length));
		now(n);
	}

	function press(event)
	{
		const { marks } = strip;
		const box = slider.getBoundingClientRect();
		const part = (event.clientX - box.left) / box.width;
		const i = Math.floor(part * marks.length);

		go(marks[Math.min(Math.max(i, 0), marks.length - 1)].n);
	}

	function key(event)
	{
		const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1,
			ArrowUp: 1 }[event.key];
		const { marks } = strip;

		if (!step || event.shiftKey || event.ctrlKey || event.altKey ||
		    event.metaKey)
			return;
		event.preventDefault();
		event.stopPropagation();
		const { i } = placeOf(strip, at);
		// Seats that are asked together share a step.
		const mark = step > 0 ? marks[i + 1] :
			marks[indexOf(marks, (marks[i]?.n ?? 0) - 1)];

		if (mark)
			go(mark.n);
	}

	slider.addEventListener("pointerdown", (event) => {
		slider.setPointerCapture(event.pointerId);
		press(event);
	});
	slider.addEventListener("pointermove", (event) => {
		if (slider.hasPointerCapture(event.pointerId))
			press(event);
	});
	slider.addEventListener("keydown", key);
	return { figure, draw, now };
}
